package trees

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// MoveHead makes the next message a child of the one with this uid; empty: a new root. Continuing in the trash restores that
// branch.
func (db *Store) MoveHead(ctx context.Context, sessionID, uid string) (core.Session, error) {
	var s core.Session
	err := db.Write(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		head, at, err := tables.MessageID(ctx, t.Tx, key, uid)
		if err != nil {
			return err
		}
		if head.Valid {
			if err := tables.RevealPath(ctx, t.Tx, key, at); err != nil {
				return err
			}
		}
		if _, err := t.Exec(ctx, `UPDATE sessions SET head = ? WHERE key = ?`, head, key); err != nil {
			return err
		}
		s, err = tables.ReadSession(ctx, t.Tx, key)
		return err
	}))
	return s, conn.Fail(err, "move the head of session %s", sessionID)
}

// Visit stores the leaf that the user views, so that Leaf returns it again.
func (db *Store) Visit(ctx context.Context, sessionID, leafUID string) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		key, m, err := tables.MessageOfSession(ctx, t.Tx, sessionID, leafUID)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `INSERT INTO visits (message, session, visited_at_ms) VALUES (?, ?, ?)
			ON CONFLICT (message) DO UPDATE SET visited_at_ms = excluded.visited_at_ms`, m.ID, key, db.Now())
		return err
	})
	return conn.Fail(err, "remember message %s", leafUID)
}

// Leaf returns where to end a path that shows a message: the leaf below it that was visited last, else the
// newest. Its parts are not read.
func (db *Store) Leaf(ctx context.Context, sessionID, uid string) (core.Message, error) {
	var m core.Message
	err := db.Read(ctx, func(t *store.Txn) error {
		key, top, err := tables.MessageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		tip, err := tipBelow(ctx, t.Tx, key, top.Position())
		if err != nil {
			return err
		}
		leaf, err := tables.FindMessage(ctx, t.Tx, uid, tables.HeadAt, key, tip.Branch, tip.Depth)
		if err != nil {
			return err
		}
		m, err = tables.CompleteMessage(ctx, t, key, &leaf)
		return err
	})
	return m, conn.Fail(err, "find a leaf below message %s", uid)
}

// tipBelow chooses among the tips below a message. A tip has no children, so the tips are the leaves.
func tipBelow(ctx context.Context, t *conn.Tx, key int64, top core.Position) (core.Position, error) {
	var tips []struct {
		core.Branch
		Seq int64 `db:"tip_seq"`
	}
	const query = `SELECT number, parent, fork_depth, tip_depth, tip_seq FROM branches WHERE session = ? AND number >= ? ORDER BY number`
	if err := t.All(ctx, &tips, query, key, top.Branch); err != nil {
		return top, err
	}
	hidden, err := hiddenBelow(ctx, t, key, top)
	if err != nil {
		return top, err
	}
	below := map[int64]int{} // the branches whose tips are below top
	newest := -1
	for i, tip := range tips {
		parent, ok := below[tip.Parent]
		inside := tip.Number == top.Branch || ok && (tip.Parent != top.Branch || tip.ForkDepth >= top.Depth) && tip.ForkDepth <= tips[parent].TipDepth
		if !inside {
			continue
		}
		if from, ok := hidden[tip.Number]; ok && from <= tip.TipDepth {
			// What forks off above it is found among the other branches.
			if tips[i].TipDepth, tips[i].Seq = from-1, -1; from <= tip.FirstDepth() {
				continue
			}
		}
		below[tip.Number] = i
		if newest < 0 || tip.Seq > tips[newest].Seq {
			newest = i
		}
	}
	if newest < 0 {
		return top, conn.Damaged("branch %d is missing", top.Branch)
	}
	var visited []core.Position
	const visits = `SELECT m.branch, m.depth FROM visits v JOIN messages m ON m.id = v.message WHERE v.session = ? ORDER BY v.visited_at_ms DESC`
	if err := t.All(ctx, &visited, visits, key); err != nil {
		return top, err
	}
	chosen := newest
	if i := slices.IndexFunc(visited, func(at core.Position) bool {
		i, ok := below[at.Branch]
		return ok && at.Depth <= tips[i].TipDepth && (at.Branch != top.Branch || at.Depth >= top.Depth)
	}); i >= 0 {
		chosen = below[visited[i].Branch]
	}
	return core.Position{Branch: tips[chosen].Number, Depth: tips[chosen].TipDepth}, nil
}

// hiddenBelow returns from which depth on messages of a branch are in the trash, by the branch, for those tops that are below a message;
// none where the message is in the trash itself.
func hiddenBelow(ctx context.Context, t *conn.Tx, key int64, top core.Position) (map[int64]int64, error) {
	tops, err := tables.HiddenTops(ctx, t, key)
	if err != nil || len(tops) == 0 {
		return nil, err
	}
	path, err := tables.ReadPath(ctx, t, key, top, 0)
	if err != nil {
		return nil, err
	}
	hidden := map[int64]int64{}
	for _, h := range tops {
		if path.Holds(core.Position{Branch: h.Branch, Depth: h.Depth}) {
			return nil, nil
		}
		if from, ok := hidden[h.Branch]; !ok || h.Depth < from {
			hidden[h.Branch] = h.Depth
		}
	}
	return hidden, nil
}
