package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// Hide puts the subtrees of messages into the trash of their session. Nothing is removed: what is hidden is left out where the
// tree is shown. A head in them moves to what is left. Conflict where a run writes there.
func (db *tendingStore) Hide(ctx context.Context, sessionID string, uids []string) (core.Hiding, error) {
	return db.hide(ctx, sessionID, func(t *tx, key int64, _ *core.Skeleton) ([]core.Spot, error) {
		tops := []core.Spot{}
		for _, uid := range uids {
			m, err := findMessage(ctx, t.Tx, uid, headByUID, uid, key)
			if err != nil {
				return nil, err
			}
			tops = append(tops, core.Spot{Branch: m.Branch, Depth: m.Depth})
		}
		return tops, nil
	})
}

// HideSiblings puts the alternatives to a message into the trash of its session, with all below them. The one that begins a turn stands for the
// turn, and has the other turns that follow the same one as alternatives, wherever in that they fork.
func (db *tendingStore) HideSiblings(ctx context.Context, sessionID, uid string) (core.Hiding, error) {
	return db.hide(ctx, sessionID, func(t *tx, key int64, s *core.Skeleton) ([]core.Spot, error) {
		m, err := findMessage(ctx, t.Tx, uid, headByUID, uid, key)
		if err != nil {
			return nil, err
		}
		self := core.Spot{Branch: m.Branch, Depth: m.Depth}
		beside := s.Siblings(self)
		if turn := &s.Turns[m.Turn]; turn.Top() == self {
			for i := range s.Turns {
				other := &s.Turns[i]
				if other.Parent == turn.Parent && !slices.Contains(beside, other.Top()) {
					beside = append(beside, other.Top())
				}
			}
		}
		return slices.DeleteFunc(beside, func(at core.Spot) bool { return at == self }), nil
	})
}

// HideOthers puts all that is not on the path to a message, nor below it, into the trash of its session.
func (db *tendingStore) HideOthers(ctx context.Context, sessionID, uid string) (core.Hiding, error) {
	return db.hide(ctx, sessionID, func(t *tx, key int64, s *core.Skeleton) ([]core.Spot, error) {
		m, err := findMessage(ctx, t.Tx, uid, headByUID, uid, key)
		if err != nil {
			return nil, err
		}
		return s.Beside(s.Path(core.Spot{Branch: m.Branch, Depth: m.Depth})), nil
	})
}

func (db *tendingStore) hide(ctx context.Context, sessionID string, choose func(t *tx, key int64, s *core.Skeleton) ([]core.Spot, error)) (core.Hiding, error) {
	hiding := core.Hiding{Tops: []string{}}
	err := db.write(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		s, err := readSkeleton(ctx, t.Tx, key)
		if err != nil {
			return err
		}
		tops, err := choose(t, key, s)
		if err != nil {
			return err
		}
		before, err := readHidden(ctx, t.Tx, key, s)
		if err != nil {
			return err
		}
		seen := map[core.Spot]bool{}
		for _, top := range tops {
			if before.Hides(top) || seen[top] {
				continue
			}
			seen[top] = true
			m, err := findMessage(ctx, t.Tx, "to hide", headAt, key, top.Branch, top.Depth)
			if err != nil {
				return err
			}
			const mark = `INSERT INTO hidden (message, session, hidden_at_ms) VALUES (?, ?, ?) ON CONFLICT (message) DO NOTHING`
			if _, err := t.Exec(ctx, mark, m.ID, key, db.now()); err != nil {
				return err
			}
			hiding.Tops = append(hiding.Tops, m.UID)
		}
		after, err := countHidden(ctx, t.Tx, key, s)
		if err != nil {
			return err
		}
		messages, turns := s.Count(after)
		hidden, begun := s.Count(before)
		hiding.Messages, hiding.Turns = messages-hidden, turns-begun
		hiding.HeadUID, err = leaveHidden(ctx, t.Tx, key, s, after)
		return err
	})
	if err != nil {
		return core.Hiding{Tops: []string{}}, conn.Fail(err, "put branches of session %s into the trash", sessionID)
	}
	return hiding, nil
}

// Unhide takes subtrees out of the trash of their session, each by the message at its top; all of them where no uids are given.
// A subtree of one that stays in the trash is hidden by that.
func (db *tendingStore) Unhide(ctx context.Context, sessionID string, uids []string) error {
	err := db.write(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		if len(uids) == 0 {
			if _, err := t.Exec(ctx, `DELETE FROM hidden WHERE session = ?`, key); err != nil {
				return err
			}
		}
		for _, uid := range uids {
			m, err := findMessage(ctx, t.Tx, uid, headByUID, uid, key)
			if err != nil {
				return err
			}
			if _, err := t.Exec(ctx, `DELETE FROM hidden WHERE message = ?`, m.ID); err != nil {
				return err
			}
		}
		s, err := readSkeleton(ctx, t.Tx, key)
		if err != nil {
			return err
		}
		_, err = countHidden(ctx, t.Tx, key, s)
		return err
	})
	return conn.Fail(err, "take branches of session %s out of the trash", sessionID)
}

// Hidden returns the tops of what is in the trash of a session, by branch and depth.
func (db *tendingStore) Hidden(ctx context.Context, sessionID string) ([]core.HiddenTop, error) {
	tops := []core.HiddenTop{}
	err := db.read(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		tops, err = hiddenTops(ctx, t.Tx, key)
		return err
	})
	return tops, conn.Fail(err, "read the trash of session %s", sessionID)
}

func hiddenTops(ctx context.Context, t *conn.Tx, key int64) ([]core.HiddenTop, error) {
	tops := []core.HiddenTop{}
	const query = `SELECT m.uid, m.turn, m.branch, m.depth, h.hidden_at_ms FROM hidden h JOIN messages m ON m.id = h.message
		WHERE h.session = ? ORDER BY m.branch, m.depth`
	return tops, t.All(ctx, &tops, query, key)
}

// readHidden reads what is hidden of a tree.
func readHidden(ctx context.Context, t *conn.Tx, key int64, s *core.Skeleton) (core.Veil, error) {
	tops, err := hiddenTops(ctx, t, key)
	return s.Veil(core.Tops(tops)), err
}

// countHidden sets anew what is noted of the hidden messages of the session: how many there are, and where.
func countHidden(ctx context.Context, t *conn.Tx, key int64, s *core.Skeleton) (core.Veil, error) {
	veil, err := readHidden(ctx, t, key, s)
	if err != nil {
		return veil, err
	}
	messages, _ := s.Count(veil)
	if _, err := t.Exec(ctx, `UPDATE sessions SET hidden_count = ? WHERE key = ?`, messages, key); err != nil {
		return veil, err
	}
	return veil, storeHidden(ctx, t, key, s, veil)
}

// storeHidden writes down what is hidden by branch, for those who ask of single messages.
func storeHidden(ctx context.Context, t *conn.Tx, key int64, s *core.Skeleton, veil core.Veil) error {
	if _, err := t.Exec(ctx, `DELETE FROM veils WHERE session = ?`, key); err != nil {
		return err
	}
	for n, b := range s.Branches {
		from := veil.From(int64(n))
		if from > b.TipDepth {
			continue
		}
		if _, err := t.Exec(ctx, `INSERT INTO veils (session, branch, from_depth) VALUES (?, ?, ?)`, key, n, from); err != nil {
			return err
		}
	}
	return nil
}

// leaveHidden moves a head that is hidden to the last message above it that is not; before the first one where there is none.
// It returns the uid of the head that was.
func leaveHidden(ctx context.Context, t *conn.Tx, key int64, s *core.Skeleton, veil core.Veil) (was string, err error) {
	session, err := readSessionRow(ctx, t, key)
	if err != nil || !session.Head.Valid {
		return "", err
	}
	head, err := findMessage(ctx, t, session.HeadUID, headByID, session.Head.Int64)
	if err != nil {
		return "", err
	}
	at := core.Spot{Branch: head.Branch, Depth: head.Depth}
	if !veil.Hides(at) {
		return "", nil
	}
	var running int64
	if err := t.Get(ctx, &running, `SELECT count(*) FROM runs WHERE session = ? AND status = 'running'`, key); err != nil {
		return "", err
	}
	if running > 0 {
		return "", core.E(core.Conflict, "a run writes to this branch").WithHint("stop it, or wait until it has ended")
	}
	id := sql.NullInt64{}
	for ok := true; ok && veil.Hides(at); {
		if from := veil.From(at.Branch); from > s.Branches[at.Branch].FirstDepth() {
			at = core.Spot{Branch: at.Branch, Depth: from - 1}
		} else {
			b := s.Branches[at.Branch]
			at, ok = core.Spot{Branch: b.Parent, Depth: b.ForkDepth}, b.Parent >= 0
		}
	}
	if at.Branch >= 0 {
		m, err := findMessage(ctx, t, "above what is hidden", headAt, key, at.Branch, at.Depth)
		if err != nil {
			return "", err
		}
		id = sql.NullInt64{Int64: m.ID, Valid: true}
	}
	_, err = t.Exec(ctx, `UPDATE sessions SET head = ? WHERE key = ?`, id, key)
	return session.HeadUID, err
}

// revealPath takes what is in the trash above a message out of it, as somebody goes on there.
func revealPath(ctx context.Context, t *conn.Tx, key int64, at core.Spot) error {
	tops, err := hiddenTops(ctx, t, key)
	if err != nil || len(tops) == 0 {
		return err
	}
	path, err := readPath(ctx, t, key, at, 0)
	if err != nil {
		return err
	}
	shown := false
	for _, top := range tops {
		if !path.Holds(core.Spot{Branch: top.Branch, Depth: top.Depth}) {
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
	s, err := readSkeleton(ctx, t, key)
	if err != nil {
		return err
	}
	_, err = countHidden(ctx, t, key, s)
	return err
}
