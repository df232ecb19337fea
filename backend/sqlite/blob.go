package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"iter"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

const (
	codecRaw  = "raw"
	codecZstd = "zstd"
)

// storeBlob stores a content unless it is there.
func storeBlob(ctx context.Context, t *tx, b *core.Blob) error {
	var there bool
	err := t.Get(ctx, &there, `SELECT data IS NOT NULL FROM blobs WHERE hash = ?`, b.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) || there {
		return err
	}
	codec, data := codecRaw, b.Data
	if small, ok := t.codec.shrink(b.Data); ok {
		codec, data = codecZstd, small
	}
	if data == nil {
		data = []byte{} // an empty content, not a missing one
	}
	_, err = t.Exec(ctx, `INSERT INTO blobs (hash, mime_type, size_bytes, codec, data) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (hash) DO UPDATE SET mime_type = excluded.mime_type, size_bytes = excluded.size_bytes, codec = excluded.codec, data = excluded.data`,
		b.Hash, b.MimeType, len(b.Data), codec, data)
	return err
}

// storeReferences makes a message refer to exactly these contents. One that is not there yet may still come.
func storeReferences(ctx context.Context, t *conn.Tx, message int64, hashes []string) error {
	for _, hash := range hashes {
		const missing = `INSERT INTO blobs (hash, mime_type, size_bytes, codec) VALUES (?, '', 0, 'raw') ON CONFLICT DO NOTHING`
		if _, err := t.Exec(ctx, missing, hash); err != nil {
			return err
		}
		const add = `INSERT INTO message_blobs (message, blob) SELECT ?, id FROM blobs WHERE hash = ? ON CONFLICT DO NOTHING`
		if _, err := t.Exec(ctx, add, message, hash); err != nil {
			return err
		}
	}
	return nil
}

// blobRow is a content as it is stored.
type blobRow struct {
	Hash     string
	MimeType string `db:"mime_type"`
	Codec    string
	Data     []byte
}

const blobColumns = `SELECT b.hash, b.mime_type, b.codec, coalesce(b.data, zeroblob(0)) AS data FROM blobs b `

func decodeBlob(t *tx, r *blobRow) (core.Blob, error) {
	b := core.Blob{Hash: r.Hash, MimeType: r.MimeType, Data: r.Data}
	if r.Codec == codecZstd {
		data, err := t.codec.inflate(r.Data)
		if err != nil {
			return b, core.Wrap(core.Corrupt, err, "content %s is damaged", r.Hash)
		}
		b.Data = data
	}
	if b.Data == nil {
		b.Data = []byte{}
	}
	return b, nil
}

// Blob returns a content by its hash; NotFound where it is not there.
func (db *messageStore) Blob(ctx context.Context, hash string) (core.Blob, error) {
	b, err := db.content(ctx, hash)
	return b, conn.Fail(err, "read content %s", hash)
}

func (l *library) content(ctx context.Context, hash string) (b core.Blob, err error) {
	err = l.read(ctx, func(t *tx) error {
		b, err = readBlob(ctx, t, hash)
		return err
	})
	return b, err
}

func readBlob(ctx context.Context, t *tx, hash string) (core.Blob, error) {
	var row blobRow
	err := t.Get(ctx, &row, blobColumns+`WHERE b.hash = ? AND b.data IS NOT NULL`, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return core.Blob{}, core.E(core.NotFound, "no content %s", hash)
	} else if err != nil {
		return core.Blob{}, err
	}
	return decodeBlob(t, &row)
}

// Blobs yields the contents that a session refers to, by hash.
func (db *messageStore) Blobs(ctx context.Context, sessionID string) iter.Seq2[core.Blob, error] {
	return sequence("read the contents of session "+sessionID, func(yield func(core.Blob) bool) error {
		return db.read(ctx, func(t *tx) error {
			key, err := sessionKey(ctx, t.Tx, sessionID)
			if err != nil {
				return err
			}
			return yieldBlobs(ctx, t, key, yield)
		})
	})
}

func yieldBlobs(ctx context.Context, t *tx, key int64, yield func(core.Blob) bool) (err error) {
	rows, err := t.Rows(ctx, blobColumns+`WHERE b.data IS NOT NULL AND b.id IN
		(SELECT r.blob FROM message_blobs r JOIN messages m ON m.id = r.message WHERE m.session = ?) ORDER BY b.hash`, key)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row blobRow
		if err := rows.StructScan(&row); err != nil {
			return err
		}
		b, err := decodeBlob(t, &row)
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
func (db *messageStore) Hydrate(ctx context.Context, m *core.Message) error {
	err := db.read(ctx, func(t *tx) error {
		var errs error
		eachPart(m.Parts, func(p *core.Part) { errs = errors.Join(errs, hydratePart(ctx, t, p)) })
		return errs
	})
	return conn.Fail(err, "read the whole of message %s", m.UID)
}

func hydratePart(ctx context.Context, t *tx, p *core.Part) error {
	if p.Truncated != nil && !p.Truncated.Shown {
		whole, err := readBlob(ctx, t, p.Truncated.Blob)
		if err == nil {
			p.Text, p.Truncated = string(whole.Data), nil
		} else if core.CodeOf(err) != core.NotFound {
			return err
		}
	}
	if p.StructuredBlob == "" {
		return nil
	}
	whole, err := readBlob(ctx, t, p.StructuredBlob)
	if err == nil {
		p.Structured, p.StructuredBlob = json.RawMessage(whole.Data), ""
	} else if core.CodeOf(err) != core.NotFound {
		return err
	}
	return nil
}
