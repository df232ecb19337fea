package main

import (
	"context"
	"fmt"
	"strconv"
)

// measureBranch compares the first message of a new branch deep in a long session with one near the root, each made
// durable.
func measureBranch(ctx context.Context, p plan, folder string) ([]row, error) {
	db, err := openLibrary(ctx, folder, "branch")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	n := p.size(100_000)
	id, err := addChain(ctx, db, "branch", n+10)
	if err != nil {
		return nil, err
	}
	made := 0
	at := func(depth int) *sample {
		return &sample{run: func() error {
			m := message(0)
			m.UID, m.ParentUID = "b"+strconv.Itoa(made), uid(depth)
			made++
			_, err := db.Append(ctx, id, m)
			return err
		}}
	}
	shallow, deep := at(10), at(n)
	if err := alternate(ctx, 400, shallow, deep); err != nil {
		return nil, err
	}
	return []row{compare(fmt.Sprintf("branch at depth %d", n), deep, "at depth 10:", shallow, 1.5)}, nil
}
