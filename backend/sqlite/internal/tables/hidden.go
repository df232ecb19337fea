package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// HiddenTops returns the messages that are in the trash of a session with all that follows them, by branch and depth.
func HiddenTops(ctx context.Context, t *conn.Tx, key int64) ([]core.HiddenTop, error) {
	tops := []core.HiddenTop{}
	const query = `SELECT m.uid, m.turn, m.branch, m.depth, h.hidden_at_ms FROM hidden h JOIN messages m ON m.id = h.message
		WHERE h.session = ? ORDER BY m.branch, m.depth`
	return tops, t.All(ctx, &tops, query, key)
}

// ReadHidden reads what is hidden of a tree.
func ReadHidden(ctx context.Context, t *conn.Tx, key int64, s *core.Skeleton) (core.HiddenSet, error) {
	tops, err := HiddenTops(ctx, t, key)
	return s.HiddenSet(core.Tops(tops)), err
}

// CountHidden counts the hidden messages of a session, and stores how many they are and where.
func CountHidden(ctx context.Context, t *conn.Tx, key int64, s *core.Skeleton) (core.HiddenSet, error) {
	set, err := ReadHidden(ctx, t, key, s)
	if err != nil {
		return set, err
	}
	messages, _ := s.Count(set)
	if _, err := t.Exec(ctx, `UPDATE sessions SET hidden_count = ? WHERE key = ?`, messages, key); err != nil {
		return set, err
	}
	return set, storeHidden(ctx, t, key, s, set)
}

// storeHidden writes down what is hidden by branch, for those who ask of single messages.
func storeHidden(ctx context.Context, t *conn.Tx, key int64, s *core.Skeleton, set core.HiddenSet) error {
	if _, err := t.Exec(ctx, `DELETE FROM veils WHERE session = ?`, key); err != nil {
		return err
	}
	for n, b := range s.Branches {
		from := set.From(int64(n))
		if from > b.TipDepth {
			continue
		}
		if _, err := t.Exec(ctx, `INSERT INTO veils (session, branch, from_depth) VALUES (?, ?, ?)`, key, n, from); err != nil {
			return err
		}
	}
	return nil
}

// RevealPath takes what is in the trash above a message out of it, because a run or the user continues there.
func RevealPath(ctx context.Context, t *conn.Tx, key int64, at core.Position) error {
	tops, err := HiddenTops(ctx, t, key)
	if err != nil || len(tops) == 0 {
		return err
	}
	path, err := ReadPath(ctx, t, key, at, 0)
	if err != nil {
		return err
	}
	shown := false
	for _, top := range tops {
		if !path.Holds(core.Position{Branch: top.Branch, Depth: top.Depth}) {
			continue
		}
		shown = true
		const unmark = `DELETE FROM hidden WHERE message = (SELECT id FROM messages WHERE session = ? AND branch = ? AND depth = ?)`
		if _, err := t.Exec(ctx, unmark, key, top.Branch, top.Depth); err != nil {
			return err
		}
	}
	if !shown {
		return nil
	}
	s, err := ReadSkeleton(ctx, t, key)
	if err != nil {
		return err
	}
	_, err = CountHidden(ctx, t, key, s)
	return err
}
