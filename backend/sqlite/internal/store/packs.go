package store

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
)

// packsHeld is the number of packs that a transaction remembers. The messages of a path follow each other in one pack; a
// search reads by time, and so the packs of all sessions that grew at that time in turn. 64 packs are 40 MB at most.
const packsHeld = 64

// packs holds the packs that a transaction has read, the last one used last.
type packs []readPack

type readPack struct {
	id   int64
	pack *packing.Pack
}

// Stored returns a body as a row has it, with the pack that it refers to.
func (t *Txn) Stored(ctx context.Context, body []byte) (packing.Stored, error) {
	ref, ok := packing.ParseReference(body)
	if !ok {
		return packing.Alone(body), nil
	}
	for i := len(t.packs) - 1; i >= 0; i-- {
		if p := t.packs[i]; p.id == ref.Pack {
			t.packs = append(append(t.packs[:i], t.packs[i+1:]...), p)
			return p.pack.Body(ref), nil
		}
	}
	var frame []byte
	err := t.Get(ctx, &frame, `SELECT body FROM packs WHERE id = ?`, ref.Pack)
	if errors.Is(err, sql.ErrNoRows) {
		return packing.Missing(core.E(core.Corrupt, "pack %d of messages is missing", ref.Pack)), nil
	} else if err != nil {
		return packing.Stored{}, err
	}
	if len(t.packs) == packsHeld {
		t.packs = append(t.packs[:0], t.packs[1:]...)
	}
	p := packing.NewPack(frame)
	t.packs = append(t.packs, readPack{ref.Pack, p})
	return p.Body(ref), nil
}

// ForgetPacks drops the packs that the transaction remembers: it has removed one, whose number may be used again.
func (t *Txn) ForgetPacks() { t.packs = nil }
