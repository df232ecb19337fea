package messages

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Blob returns a content by its hash; NotFound where it is not there.
func (db *Store) Blob(ctx context.Context, hash string) (core.Blob, error) {
	b, err := tables.ReadContent(ctx, db.Library, hash)
	return b, conn.Fail(err, "read content %s", hash)
}

// Output returns a text of a session by the first digits of its hash; NotFound where the session has none.
func (db *Store) Output(ctx context.Context, sessionID, digits string) (b core.Blob, err error) {
	err = db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		var row tables.BlobRow
		err := t.Get(ctx, &row, tables.BlobColumns+`WHERE b.hash >= ? AND b.hash < ? AND b.data IS NOT NULL AND b.mime_type LIKE 'text/%' AND EXISTS
			(SELECT 1 FROM message_blobs r JOIN messages m ON m.id = r.message WHERE r.blob = b.id AND m.session = ?) LIMIT 1`,
			"sha256:"+digits, "sha256:"+digits+"g", key)
		if errors.Is(err, sql.ErrNoRows) {
			return core.E(core.NotFound, "no output %s", digits)
		} else if err != nil {
			return err
		}
		b, err = tables.DecodeBlob(t, &row)
		return err
	}))
	return b, conn.Fail(err, "read output %s", digits)
}

// Blobs yields the contents that a session refers to, by hash.
func (db *Store) Blobs(ctx context.Context, sessionID string) iter.Seq2[core.Blob, error] {
	return store.Sequence("read the contents of session "+sessionID, func(yield func(core.Blob) bool) error {
		return db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
			return yieldBlobs(ctx, t, key, yield)
		}))
	})
}

func yieldBlobs(ctx context.Context, t *store.Txn, key int64, yield func(core.Blob) bool) (err error) {
	rows, err := t.Rows(ctx, tables.BlobColumns+`WHERE b.data IS NOT NULL AND b.id IN
		(SELECT r.blob FROM message_blobs r JOIN messages m ON m.id = r.message WHERE m.session = ?) ORDER BY b.hash`, key)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row tables.BlobRow
		if err := rows.StructScan(&row); err != nil {
			return err
		}
		b, err := tables.DecodeBlob(t, &row)
		if err != nil {
			return err
		}
		if !yield(b) {
			return nil
		}
	}
	return nil
}

// Hydrate puts cut texts and structured values of a message back whole; media stay references. A content
// that is missing leaves its part cut.
func (db *Store) Hydrate(ctx context.Context, m *core.Message) error {
	err := db.Read(ctx, func(t *store.Txn) error {
		var errs error
		packing.EachPart(m.Parts, func(p *core.Part) { errs = errors.Join(errs, tables.HydratePart(ctx, t, p)) })
		return errs
	})
	return conn.Fail(err, "read the whole of message %s", m.UID)
}
