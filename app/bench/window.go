package main

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// measureWindow compares reading 50 messages in the middle of a huge session with reading 50 in a small one.
func measureWindow(ctx context.Context, p plan, folder string) ([]row, error) {
	db, err := openLibrary(ctx, folder, "window")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	huge := p.size(1_000_000)
	reader := func(n int) (*sample, error) {
		id, err := addChain(ctx, db, fmt.Sprintf("window of %d", n), n)
		if err != nil {
			return nil, err
		}
		random := rand.New(rand.NewPCG(1, 2))
		return &sample{run: func() error {
			from := n/4 + random.IntN(n/2)
			w, err := db.Window(ctx, id, "", int64(from), 50)
			if err == nil && len(w.Messages) != 50 {
				err = fmt.Errorf("a window of %d messages at %d of %d", len(w.Messages), from, n)
			}
			return err
		}}, nil
	}
	small, err := reader(1000)
	if err != nil {
		return nil, err
	}
	large, err := reader(huge)
	if err != nil {
		return nil, err
	}
	if err := alternate(ctx, 300, small, large); err != nil {
		return nil, err
	}
	return []row{compare(fmt.Sprintf("read 50 in the middle of %d", huge), large, "of 1,000:", small, 2)}, nil
}
