package recovery

import (
	"context"

	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
)

// farAside is where messages are put whose position is taken until the session is ordered again. No position of a session is near.
const farAside = int64(-1) << 50

// loadMessage writes a message. Of one whose body cannot be read the beginning is kept that its row holds beside the body.
func (r *recovery) loadMessage(ctx context.Context, t *store.Txn, l *loaded) error {
	m := l.message()
	err := t.Codec.Verify(packing.Alone(l.bytes("body")), &m, l.number("content_hash"))
	shortened, changed := false, false
	if err != nil && len(m.Parts) == 0 {
		shortened = true
		if err := l.shorten(t.Codec, &m); err != nil {
			return nil // not even its row makes sense
		}
	} else if err != nil {
		changed = true
		if err := l.repack(t.Codec, &m); err != nil {
			return nil // as above
		}
	}
	added, err := l.insert(ctx, t)
	if err == nil && !added {
		added, err = r.insertAside(ctx, t, l)
	}
	if err != nil || !added {
		return err
	}
	s := r.session(l.number("session"))
	s.Saved++
	if shortened {
		s.Shortened++
	}
	if changed {
		s.Changed++
	}
	return nil
}

// insertAside writes a message whose position is taken: one of the two has a damaged one. One that is there already is not written.
func (r *recovery) insertAside(ctx context.Context, t *store.Txn, l *loaded) (added bool, err error) {
	r.aside++
	l.set("seq", farAside-r.aside)
	l.set("depth", farAside-r.aside)
	return l.insert(ctx, t)
}
