package tending

import (
	"context"
	"database/sql"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Hide puts the subtrees of messages into the trash of their session. Nothing is removed: what is hidden is left out where the
// tree is shown. A head in them moves to what is left. Conflict where a run writes there.
func (db *Store) Hide(ctx context.Context, sessionID string, uids []string) (core.Hiding, error) {
	return db.hide(ctx, sessionID, func(t *store.Txn, key int64, _ *core.Skeleton) ([]core.Position, error) {
		tops := []core.Position{}
		for _, uid := range uids {
			m, err := tables.FindMessage(ctx, t.Tx, uid, tables.HeadByUID, uid, key)
			if err != nil {
				return nil, err
			}
			tops = append(tops, m.Position())
		}
		return tops, nil
	})
}

// HideSiblings puts the alternatives to a message into the trash of its session, with all below them. The first message of a turn represents the
// turn: its alternatives are all turns that follow the same turn, wherever they fork from it.
func (db *Store) HideSiblings(ctx context.Context, sessionID, uid string) (core.Hiding, error) {
	return db.hide(ctx, sessionID, func(t *store.Txn, key int64, s *core.Skeleton) ([]core.Position, error) {
		m, err := tables.FindMessage(ctx, t.Tx, uid, tables.HeadByUID, uid, key)
		if err != nil {
			return nil, err
		}
		self := m.Position()
		beside := s.Siblings(self)
		if turn := &s.Turns[m.Turn]; turn.Top() == self {
			for i := range s.Turns {
				other := &s.Turns[i]
				if other.Parent == turn.Parent && !slices.Contains(beside, other.Top()) {
					beside = append(beside, other.Top())
				}
			}
		}
		return slices.DeleteFunc(beside, func(at core.Position) bool { return at == self }), nil
	})
}

// HideOthers puts all that is not on the path to a message, nor below it, into the trash of its session.
func (db *Store) HideOthers(ctx context.Context, sessionID, uid string) (core.Hiding, error) {
	return db.hide(ctx, sessionID, func(t *store.Txn, key int64, s *core.Skeleton) ([]core.Position, error) {
		m, err := tables.FindMessage(ctx, t.Tx, uid, tables.HeadByUID, uid, key)
		if err != nil {
			return nil, err
		}
		return s.Beside(s.Path(m.Position())), nil
	})
}

func (db *Store) hide(ctx context.Context, sessionID string, choose func(t *store.Txn, key int64, s *core.Skeleton) ([]core.Position, error)) (core.Hiding, error) {
	hiding := core.Hiding{Tops: []string{}}
	err := db.Write(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		s, err := tables.ReadSkeleton(ctx, t.Tx, key)
		if err != nil {
			return err
		}
		tops, err := choose(t, key, s)
		if err != nil {
			return err
		}
		before, err := tables.ReadHidden(ctx, t.Tx, key, s)
		if err != nil {
			return err
		}
		seen := map[core.Position]bool{}
		for _, top := range tops {
			if before.Hides(top) || seen[top] {
				continue
			}
			seen[top] = true
			m, err := tables.FindMessage(ctx, t.Tx, "to hide", tables.HeadAt, key, top.Branch, top.Depth)
			if err != nil {
				return err
			}
			const mark = `INSERT INTO hidden (message, session, hidden_at_ms) VALUES (?, ?, ?) ON CONFLICT (message) DO NOTHING`
			if _, err := t.Exec(ctx, mark, m.ID, key, db.Now()); err != nil {
				return err
			}
			hiding.Tops = append(hiding.Tops, m.UID)
		}
		after, err := tables.CountHidden(ctx, t.Tx, key, s)
		if err != nil {
			return err
		}
		messages, turns := s.Count(after)
		hidden, begun := s.Count(before)
		hiding.Messages, hiding.Turns = messages-hidden, turns-begun
		hiding.HeadUID, err = leaveHidden(ctx, t.Tx, key, s, after)
		return err
	}))
	if err != nil {
		return core.Hiding{Tops: []string{}}, conn.Fail(err, "put branches of session %s into the trash", sessionID)
	}
	return hiding, nil
}

// Unhide takes subtrees out of the trash of their session, each by the message at its top; all of them where no uids are given.
// A subtree of one that stays in the trash is hidden by that.
func (db *Store) Unhide(ctx context.Context, sessionID string, uids []string) error {
	err := db.Write(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		if len(uids) == 0 {
			if _, err := t.Exec(ctx, `DELETE FROM hidden WHERE session = ?`, key); err != nil {
				return err
			}
		}
		for _, uid := range uids {
			m, err := tables.FindMessage(ctx, t.Tx, uid, tables.HeadByUID, uid, key)
			if err != nil {
				return err
			}
			if _, err := t.Exec(ctx, `DELETE FROM hidden WHERE message = ?`, m.ID); err != nil {
				return err
			}
		}
		s, err := tables.ReadSkeleton(ctx, t.Tx, key)
		if err != nil {
			return err
		}
		_, err = tables.CountHidden(ctx, t.Tx, key, s)
		return err
	}))
	return conn.Fail(err, "take branches of session %s out of the trash", sessionID)
}

// Hidden returns the tops of what is in the trash of a session, by branch and depth.
func (db *Store) Hidden(ctx context.Context, sessionID string) ([]core.HiddenTop, error) {
	tops := []core.HiddenTop{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		var err error
		tops, err = tables.HiddenTops(ctx, t.Tx, key)
		return err
	}))
	return tops, conn.Fail(err, "read the trash of session %s", sessionID)
}

// leaveHidden moves a head that is hidden to the last message above it that is not; before the first one if all are hidden.
// It returns the uid of the head that was.
func leaveHidden(ctx context.Context, t *conn.Tx, key int64, s *core.Skeleton, veil core.HiddenSet) (was string, err error) {
	session, err := tables.ReadSessionRow(ctx, t, key)
	if err != nil || !session.Head.Valid {
		return "", err
	}
	head, err := tables.FindMessage(ctx, t, session.HeadUID, tables.HeadByID, session.Head.Int64)
	if err != nil {
		return "", err
	}
	at := head.Position()
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
			at = core.Position{Branch: at.Branch, Depth: from - 1}
		} else {
			b := s.Branches[at.Branch]
			at, ok = core.Position{Branch: b.Parent, Depth: b.ForkDepth}, b.Parent >= 0
		}
	}
	if at.Branch >= 0 {
		m, err := tables.FindMessage(ctx, t, "above what is hidden", tables.HeadAt, key, at.Branch, at.Depth)
		if err != nil {
			return "", err
		}
		id = sql.NullInt64{Int64: m.ID, Valid: true}
	}
	_, err = t.Exec(ctx, `UPDATE sessions SET head = ? WHERE key = ?`, id, key)
	return session.HeadUID, err
}
