package main

import (
	"context"
	"fmt"

	"coppice/backend/core"
)

// measureList compares listing the newest 50 of many sessions with listing the newest 50 of few.
func measureList(ctx context.Context, p plan, folder string) ([]row, error) {
	lister := func(n int) (*sample, func() error, error) {
		db, err := openLibrary(ctx, folder, fmt.Sprintf("list-%d", n))
		if err != nil {
			return nil, nil, err
		}
		for i := range n {
			s := core.Session{Title: fmt.Sprintf("Session %d", i), Source: core.SourceCoppice, CreatedAtMs: startMs + int64(i)}
			if _, err := db.CreateSession(ctx, s); err != nil {
				return nil, nil, fmt.Errorf("create session %d: %w", i, err)
			}
		}
		return &sample{run: func() error {
			got, err := db.Sessions(ctx, core.SessionFilter{Limit: 50})
			if err == nil && len(got) != 50 {
				err = fmt.Errorf("a list of %d sessions", len(got))
			}
			return err
		}}, db.Close, nil
	}
	few, closeFew, err := lister(100)
	if err != nil {
		return nil, err
	}
	defer closeFew()
	n := p.size(100_000)
	many, closeMany, err := lister(n)
	if err != nil {
		return nil, err
	}
	defer closeMany()
	if err := alternate(ctx, 300, few, many); err != nil {
		return nil, err
	}
	return []row{compare(fmt.Sprintf("list 50 of %d sessions", n), many, "of 100:", few, 2)}, nil
}
