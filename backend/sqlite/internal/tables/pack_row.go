package tables

import (
	"context"

	"github.com/jmoiron/sqlx"

	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
)

// StorePack stores the pack of a group and returns its number.
func StorePack(ctx context.Context, t *store.Txn, session int64, frame []byte) (int64, error) {
	return t.Insert(ctx, `INSERT INTO packs (session, body) VALUES (?, ?)`, session, frame)
}

// bodyRow is a message with its stored body.
type bodyRow struct {
	ID   int64
	Body []byte
}

// DissolvePack stores the messages of a pack alone and removes the pack. body is that of a message that is about to be replaced;
// one that is in no pack leaves everything as it is.
func DissolvePack(ctx context.Context, t *store.Txn, session int64, body []byte) error {
	ref, ok := packing.ParseReference(body)
	if !ok {
		return nil
	}
	return dissolve(ctx, t, session, map[int64]bool{ref.Pack: true})
}

// DissolveBranchEnd does what DissolvePack does for the messages at the end of a branch, which are about to be removed.
func DissolveBranchEnd(ctx context.Context, t *store.Txn, session, branch, depth int64) error {
	packs := map[int64]bool{}
	const query = `SELECT id, body FROM messages WHERE session = ? AND branch = ? AND depth >= ?`
	err := t.Scan(ctx, query, []any{session, branch, depth}, func(rows *sqlx.Rows) error {
		var row bodyRow
		err := rows.StructScan(&row)
		if ref, ok := packing.ParseReference(row.Body); ok {
			packs[ref.Pack] = true
		}
		return err
	})
	if err != nil || len(packs) == 0 {
		return err
	}
	return dissolve(ctx, t, session, packs)
}

// dissolve stores the messages of packs alone, and removes the packs. Of a message whose pack is damaged the reference stays.
func dissolve(ctx context.Context, t *store.Txn, session int64, packs map[int64]bool) error {
	var found []bodyRow
	const packed = `SELECT id, body FROM messages WHERE session = ? AND substr(body, 1, 1) = x'01'`
	err := t.Scan(ctx, packed, []any{session}, func(rows *sqlx.Rows) error {
		var row bodyRow
		err := rows.StructScan(&row)
		if ref, ok := packing.ParseReference(row.Body); ok && packs[ref.Pack] {
			found = append(found, row)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, row := range found {
		stored, err := t.Stored(ctx, row.Body)
		if err != nil {
			return err
		}
		body, err := t.Codec.Salvage(stored)
		if err != nil {
			continue
		}
		if _, err := t.Exec(ctx, `UPDATE messages SET body = ? WHERE id = ?`, t.Codec.Deflate(body), row.ID); err != nil {
			return err
		}
	}
	t.ForgetPacks()
	for id := range packs {
		if _, err := t.Exec(ctx, `DELETE FROM packs WHERE id = ?`, id); err != nil {
			return err
		}
	}
	return nil
}
