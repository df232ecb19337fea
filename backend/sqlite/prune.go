package sqlite

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// forgetGone clears what points to messages that are gone.
const forgetGone = `UPDATE sessions SET head = (SELECT id FROM messages WHERE id = sessions.head),
	imported_head = (SELECT id FROM messages WHERE id = sessions.imported_head), main = (SELECT id FROM messages WHERE id = sessions.main) WHERE key = ?`

// PurgeHidden removes what is in the trash of a session for good, and numbers what is left anew. It returns how many messages that were.
// An import of the source again brings them back.
func (db *tendingStore) PurgeHidden(ctx context.Context, sessionID string) (int64, error) {
	removed := int64(0)
	err := db.write(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		m := &merge{tx: t, in: &core.Header{}, nowMs: db.now(), key: key, nodes: newNodes()}
		if err := m.load(ctx); err != nil {
			return err
		}
		veil, err := readHidden(ctx, t.Tx, key, m.skeleton)
		if err != nil {
			return err
		}
		if removed, err = m.prune(ctx, veil); err != nil || removed == 0 {
			return err
		}
		if _, err := t.Exec(ctx, forgetGone, key); err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `UPDATE origins SET head = (SELECT id FROM messages WHERE id = origins.head) WHERE session = ?`, key); err != nil {
			return err
		}
		if err := storeCounts(ctx, t.Tx, key, m.skeleton.Tally()); err != nil {
			return err
		}
		if _, err := countHidden(ctx, t.Tx, key, m.skeleton); err != nil { // nothing is
			return err
		}
		if err := countReshape(ctx, t.Tx, key); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM message_blobs)`)
		return err
	})
	if err != nil {
		return 0, conn.Fail(err, "empty the trash of session %s", sessionID)
	}
	return removed, conn.Fail(db.giveBack(ctx), "give room back to the disk")
}

// prune removes hidden messages and gives the others their places anew, in the order of creation.
func (m *merge) prune(ctx context.Context, veil core.Veil) (int64, error) {
	kept := make([]*node, 0, m.nodes.count())
	for number := range m.nodes.count() {
		if n := m.nodes.at(number + 1); !veil.Hides(n.place().Spot()) {
			kept = append(kept, n)
		}
	}
	removed := int64(m.nodes.count()) - int64(len(kept))
	if removed == 0 {
		return 0, nil
	}
	for n, b := range m.skeleton.Branches {
		if from := veil.From(int64(n)); from <= b.TipDepth {
			if err := subtractBranchEnd(ctx, m.tx, m.key, int64(n), from); err != nil {
				return 0, err
			}
			if _, err := m.Exec(ctx, `DELETE FROM messages WHERE session = ? AND branch = ? AND depth >= ?`, m.key, n, from); err != nil {
				return 0, err
			}
		}
	}
	slices.SortFunc(kept, func(a, b *node) int { return int(a.seq - b.seq) })
	plain, err := m.plain(ctx, kept)
	if err != nil {
		return 0, err
	}
	places, skeleton, err := core.Plan(plain)
	if err != nil {
		return 0, err
	}
	return removed, m.placeAll(ctx, kept, places, skeleton)
}
