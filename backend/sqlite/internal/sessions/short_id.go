package sessions

import (
	"context"
	"database/sql"

	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// idLengths are how much of an id is printed: the whole time of a UUIDv7 in milliseconds, more of what follows where that is not enough,
// and all of it.
var idLengths = []int{13, 18, 23, 28, 36}

// idNeighbours are the ids beside an id, of sessions and of what they are called in other tools.
const idNeighbours = `SELECT (SELECT max(id) FROM sessions WHERE id < ?1), (SELECT min(id) FROM sessions WHERE id > ?1),
	(SELECT o.source_id FROM origins o JOIN sessions s ON s.key = o.session WHERE o.source_id <= ?1 AND s.id <> ?1 ORDER BY o.source_id DESC LIMIT 1),
	(SELECT o.source_id FROM origins o JOIN sessions s ON s.key = o.session WHERE o.source_id > ?1 AND s.id <> ?1 ORDER BY o.source_id LIMIT 1)`

// ShortIDs returns beginnings of session ids, all of one length, each of which means that session and no other of the library.
func (db *Store) ShortIDs(ctx context.Context, ids ...string) ([]string, error) {
	short := make([]string, len(ids))
	err := db.Read(ctx, func(t *store.Txn) error {
		wanted := 0
		for _, id := range ids {
			n, err := distinctLength(ctx, t.Tx, id)
			if err != nil {
				return err
			}
			wanted = max(wanted, n)
		}
		length := 0
		for _, length = range idLengths {
			if length >= wanted {
				break
			}
		}
		for i, id := range ids {
			short[i] = id[:min(length, len(id))]
		}
		return nil
	})
	return short, conn.Fail(err, "shorten ids")
}

// distinctLength returns how many characters distinguish an id from all others.
func distinctLength(ctx context.Context, t *conn.Tx, id string) (int, error) {
	row, err := t.Row(ctx, idNeighbours, id)
	if err != nil {
		return 0, err
	}
	var near [4]sql.NullString
	if err := row.Scan(&near[0], &near[1], &near[2], &near[3]); err != nil {
		return 0, err
	}
	length := 0
	for _, other := range near {
		common := 0
		for common < min(len(id), len(other.String)) && id[common] == other.String[common] {
			common++
		}
		if other.Valid {
			length = max(length, common+1)
		}
	}
	return length, nil
}
