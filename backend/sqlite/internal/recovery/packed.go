package recovery

import (
	"context"

	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
)

// loadStored writes a message, which it takes out of its pack. One whose pack was not read yet waits for it. The new library
// has no packs: of a damaged one a part may be readable, and the messages in it are compared with their hashes one by one.
func (r *recovery) loadStored(ctx context.Context, t *store.Txn, l *loaded) error {
	stored := l.bytes("body")
	ref, ok := packing.ParseReference(stored)
	if !ok {
		return r.loadMessage(ctx, t, l)
	}
	var read bool
	if err := t.Get(ctx, &read, `SELECT EXISTS (SELECT 1 FROM packs WHERE id = ?)`, ref.Pack); err != nil {
		return err
	}
	if !read {
		r.waiting = append(r.waiting, *l)
		return nil
	}
	packed, err := t.Stored(ctx, stored)
	if err != nil {
		return err
	}
	if body, err := t.Codec.Salvage(packed); err == nil {
		l.set("body", t.Codec.Deflate(body))
	}
	return r.loadMessage(ctx, t, l)
}

// loadWaiting writes the messages whose packs have been read since.
func (r *recovery) loadWaiting(ctx context.Context, t *store.Txn) error {
	waiting := r.waiting
	r.waiting = nil
	for i := range waiting {
		if err := r.loadStored(ctx, t, &waiting[i]); err != nil {
			return err
		}
	}
	return nil
}

// removePacks writes what is left of the messages whose packs are lost, and removes the packs.
func (r *recovery) removePacks(ctx context.Context) error {
	return r.to.Write(ctx, func(t *store.Txn) error {
		for i := range r.waiting {
			if err := r.loadMessage(ctx, t, &r.waiting[i]); err != nil {
				return err
			}
		}
		r.waiting = nil
		_, err := t.Exec(ctx, `DELETE FROM packs`)
		return err
	})
}
