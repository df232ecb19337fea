package library

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// repairIndex checks the index of words, which holds nothing that the messages do not, and returns what is wrong with it. Then it is
// empty, to be made anew.
func RepairIndex(ctx context.Context, db *sqlite.DB, progress func(core.Progress)) ([]string, error) {
	problems, err := db.CheckIndex(ctx, progress)
	if err != nil || len(problems) == 0 {
		return nil, err
	}
	return problems, db.RebuildIndex(ctx)
}
