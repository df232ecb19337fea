package trees

import (
	"context"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// PathTurns returns the turns of the path that ends at a message, in order; of the path to the head if leafUID is empty. It
// reads a short row per turn of the session and no message.
func (db *Store) PathTurns(ctx context.Context, sessionID, leafUID string) ([]core.PathTurn, error) {
	turns := []core.PathTurn{}
	err := db.Read(ctx, func(t *store.Txn) error {
		key, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, leafUID)
		if err != nil || !ok {
			return err
		}
		path, err := tables.ReadPath(ctx, t.Tx, key, leaf.Position(), 0)
		if err != nil {
			return err
		}
		turns, err = readPathTurns(ctx, t.Tx, key, path)
		return err
	})
	return turns, conn.Fail(err, "read the turns of session %s", sessionID)
}

// readPathTurns returns the turns of a path. A branch gets its turns in the order of their numbers, and a child branch is created
// after the turn that it forks from, so the order of the numbers is that of the path.
func readPathTurns(ctx context.Context, t *conn.Tx, key int64, path core.Path) ([]core.PathTurn, error) {
	ends := make(map[int64]int64, len(path))
	for _, s := range path {
		ends[s.Branch] = s.To
	}
	turns := []core.PathTurn{}
	const query = `SELECT number, branch, first_depth FROM turns WHERE session = ? ORDER BY number`
	err := t.Scan(ctx, query, []any{key}, func(rows *sqlx.Rows) error {
		var number, branch, from int64
		if err := rows.Scan(&number, &branch, &from); err != nil {
			return err
		}
		if end, ok := ends[branch]; ok && from <= end {
			turns = append(turns, core.PathTurn{Number: number, From: from})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range turns {
		next := path.Length()
		if i+1 < len(turns) {
			next = turns[i+1].From
		}
		if turns[i].Count = next - turns[i].From; turns[i].Count <= 0 {
			return nil, conn.Damaged("turn %d has no message", turns[i].Number)
		}
	}
	return turns, nil
}
