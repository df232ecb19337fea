package merge

import (
	"cmp"
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/tables"
)

// isRemoved reports whether the user has removed the session for good, or the one that started it. If the header asks for it again,
// the tombstone goes.
func isRemoved(ctx context.Context, m *merge) (bool, error) {
	in := &m.in.Session
	source, id := cmp.Or(in.Source, core.SourceCoppice), cmp.Or(in.SourceID, in.ID)
	if m.in.Again {
		return false, tables.DropTombstone(ctx, m.Tx, source, id)
	}
	for _, one := range []string{id, m.in.ParentSourceID} {
		if one == "" {
			continue
		}
		if removed, err := tables.HasTombstone(ctx, m.Tx, source, one); removed || err != nil {
			return removed, err
		}
	}
	return false, nil
}
