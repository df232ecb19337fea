package sessions

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// HomeLists fills the lists of the home page, of at most limit sessions each. Each reads its first rows from an index.
func (db *Store) HomeLists(ctx context.Context, limit int64) (home core.Home, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		for _, list := range []struct {
			to     *[]core.Session
			filter core.SessionFilter
		}{
			{&home.Recent, core.SessionFilter{}},
			{&home.Unfinished, core.SessionFilter{Incomplete: true}},
			{&home.Forked, core.SessionFilter{Branched: true}},
			{&home.Expensive, core.SessionFilter{Sort: core.SortCost}},
		} {
			list.filter.Limit = limit
			if *list.to, err = listSessions(ctx, t.Tx, list.filter); err != nil {
				return err
			}
		}
		return nil
	})
	home.Expensive = slices.DeleteFunc(home.Expensive, func(s core.Session) bool { return s.CostNanoUSD == nil && s.EstimatedNanoUSD == nil })
	home.Imported = []core.Session{}
	return home, conn.Fail(err, "list the sessions of the home page")
}
