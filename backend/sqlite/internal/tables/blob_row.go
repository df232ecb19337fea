package tables

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

const (
	codecRaw  = "raw"
	codecZstd = "zstd"
)

// StoreBlob stores a content unless it is there.
func StoreBlob(ctx context.Context, t *store.Txn, b *core.Blob) error {
	var there bool
	err := t.Get(ctx, &there, `SELECT data IS NOT NULL FROM blobs WHERE hash = ?`, b.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) || there {
		return err
	}
	codec, data := codecRaw, b.Data
	if small, ok := t.Codec.Shrink(b.Data); ok {
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

// StoreReferences makes a message refer to exactly these contents. One that is not there yet may still come.
func StoreReferences(ctx context.Context, t *conn.Tx, message int64, hashes []string) error {
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

// BlobRow is a content as it is stored.
type BlobRow struct {
	Hash     string
	MimeType string `db:"mime_type"`
	Codec    string
	Data     []byte
}

// BlobColumns selects what DecodeBlob reads.
const BlobColumns = `SELECT b.hash, b.mime_type, b.codec, coalesce(b.data, zeroblob(0)) AS data FROM blobs b `

// DecodeBlob returns the content of a row, uncompressed. A damaged one is a Corrupt error.
func DecodeBlob(t *store.Txn, r *BlobRow) (core.Blob, error) {
	b := core.Blob{Hash: r.Hash, MimeType: r.MimeType, Data: r.Data}
	if r.Codec == codecZstd {
		data, err := t.Codec.Inflate(r.Data)
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

// ReadContent reads a content outside of a transaction.
func ReadContent(ctx context.Context, l *store.Library, hash string) (b core.Blob, err error) {
	err = l.Read(ctx, func(t *store.Txn) error {
		b, err = ReadBlob(ctx, t, hash)
		return err
	})
	return b, err
}

// ReadBlob returns a content by its hash; NotFound if it is not stored.
func ReadBlob(ctx context.Context, t *store.Txn, hash string) (core.Blob, error) {
	var row BlobRow
	err := t.Get(ctx, &row, BlobColumns+`WHERE b.hash = ? AND b.data IS NOT NULL`, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return core.Blob{}, core.E(core.NotFound, "no content %s", hash)
	} else if err != nil {
		return core.Blob{}, err
	}
	return DecodeBlob(t, &row)
}

// HydratePart puts the whole text and the whole structured value of a part in place of their references. Contents that are not stored stay
// references.
func HydratePart(ctx context.Context, t *store.Txn, p *core.Part) error {
	if p.Truncated != nil && !p.Truncated.Shown {
		whole, err := ReadBlob(ctx, t, p.Truncated.Blob)
		if err == nil {
			p.Text, p.Truncated = string(whole.Data), nil
		} else if core.CodeOf(err) != core.NotFound {
			return err
		}
	}
	if p.StructuredBlob == "" {
		return nil
	}
	whole, err := ReadBlob(ctx, t, p.StructuredBlob)
	if err == nil {
		p.Structured, p.StructuredBlob = json.RawMessage(whole.Data), ""
	} else if core.CodeOf(err) != core.NotFound {
		return err
	}
	return nil
}
