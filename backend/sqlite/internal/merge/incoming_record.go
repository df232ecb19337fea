package merge

import (
	"context"
	"database/sql"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/runs"
	"coppice/backend/sqlite/internal/tables"
)

// takeRecord stores what the source holds besides messages. A record that is there already, as the same line says the same, is not
// stored again.
func takeRecord(ctx context.Context, m *merge, i *item) error {
	if i.err != nil {
		return i.err
	}
	r := i.record
	const insert = `INSERT INTO records (session, line, content_hash, after_uid, type, known, body) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
	_, err := m.Exec(ctx, insert, m.Key, r.Line, r.hash, r.AfterUID, r.Type, r.Known, r.body)
	return err
}

// takeRunItem stores what a run left.
func takeRunItem(ctx context.Context, m *merge, i *core.RunItem) error {
	if m.arrival == nil {
		m.arrival = runs.NewArrival(m.Key, func(uid string) (int64, bool) {
			n := m.Nodes.Get(uid)
			if n == nil {
				return 0, false
			}
			return n.ID, true
		})
	}
	return m.arrival.Take(ctx, m.Txn, i)
}

// takeBlob stores a content that messages or tool calls refer to.
func takeBlob(ctx context.Context, m *merge, b *core.Blob) error {
	if core.Hash(b.Data) != b.Hash {
		return core.E(core.Invalid, "content %s does not match its hash", b.Hash)
	}
	var wanted sql.NullBool
	err := m.Get(ctx, &wanted, `SELECT (SELECT data IS NULL FROM blobs WHERE hash = ?)`, b.Hash)
	if err != nil || !wanted.Bool {
		return err
	}
	return tables.StoreBlob(ctx, m.Txn, b)
}
