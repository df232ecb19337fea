package library

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// RepairIndex checks the full-text index and returns its problems. If it finds any, it empties the index, which is then
// built again from the messages.
func RepairIndex(ctx context.Context, db *sqlite.DB, progress func(core.Progress)) ([]string, error) {
	problems, err := db.CheckIndex(ctx, progress)
	if err != nil || len(problems) == 0 {
		return nil, err
	}
	return problems, db.RebuildIndex(ctx)
}
