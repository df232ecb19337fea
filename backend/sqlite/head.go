package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// MoveHead makes the next message a child of the one with this uid; empty: a new root. Who goes on in the trash takes that branch out
// of it.
func (db *treeStore) MoveHead(ctx context.Context, sessionID, uid string) (core.Session, error) {
	var s core.Session
	err := db.write(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		head := sql.NullInt64{}
		if uid != "" {
			m, err := findMessage(ctx, t.Tx, uid, headByUID, uid, key)
			if err != nil {
				return err
			}
			head = sql.NullInt64{Int64: m.ID, Valid: true}
			if err := revealPath(ctx, t.Tx, key, core.Spot{Branch: m.Branch, Depth: m.Depth}); err != nil {
				return err
			}
		}
		if _, err := t.Exec(ctx, `UPDATE sessions SET head = ? WHERE key = ?`, head, key); err != nil {
			return err
		}
		s, err = readSession(ctx, t.Tx, key)
		return err
	})
	return s, conn.Fail(err, "move the head of session %s", sessionID)
}

// Visit remembers the leaf a person looks at, so that Leaf comes back to it.
func (db *treeStore) Visit(ctx context.Context, sessionID, leafUID string) error {
	err := db.write(ctx, func(t *tx) error {
		key, m, err := messageOfSession(ctx, t.Tx, sessionID, leafUID)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `INSERT INTO visits (message, session, visited_at_ms) VALUES (?, ?, ?)
			ON CONFLICT (message) DO UPDATE SET visited_at_ms = excluded.visited_at_ms`, m.ID, key, db.now())
		return err
	})
	return conn.Fail(err, "remember message %s", leafUID)
}

// Leaf returns where to end a path that shows a message: the leaf below it that was visited last, else the
// newest. Its parts are not read.
func (db *treeStore) Leaf(ctx context.Context, sessionID, uid string) (core.Message, error) {
	var m core.Message
	err := db.read(ctx, func(t *tx) error {
		key, top, err := messageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		tip, err := tipBelow(ctx, t.Tx, key, core.Spot{Branch: top.Branch, Depth: top.Depth})
		if err != nil {
			return err
		}
		leaf, err := findMessage(ctx, t.Tx, uid, headAt, key, tip.Branch, tip.Depth)
		if err != nil {
			return err
		}
		m, err = completeMessage(ctx, t, key, &leaf)
		return err
	})
	return m, conn.Fail(err, "find a leaf below message %s", uid)
}

// tipBelow chooses among the tips below a message. A tip has no children, so the tips are the leaves.
func tipBelow(ctx context.Context, t *conn.Tx, key int64, top core.Spot) (core.Spot, error) {
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
		return top, damaged("branch %d is missing", top.Branch)
	}
	var visited []core.Spot
	const visits = `SELECT m.branch, m.depth FROM visits v JOIN messages m ON m.id = v.message WHERE v.session = ? ORDER BY v.visited_at_ms DESC`
	if err := t.All(ctx, &visited, visits, key); err != nil {
		return top, err
	}
	chosen := newest
	if i := slices.IndexFunc(visited, func(at core.Spot) bool {
		i, ok := below[at.Branch]
		return ok && at.Depth <= tips[i].TipDepth && (at.Branch != top.Branch || at.Depth >= top.Depth)
	}); i >= 0 {
		chosen = below[visited[i].Branch]
	}
	return core.Spot{Branch: tips[chosen].Number, Depth: tips[chosen].TipDepth}, nil
}

// hiddenBelow returns from which depth on messages of a branch are in the trash, by the branch, for those tops that are below a message;
// none where the message is in the trash itself.
func hiddenBelow(ctx context.Context, t *conn.Tx, key int64, top core.Spot) (map[int64]int64, error) {
	tops, err := hiddenTops(ctx, t, key)
	if err != nil || len(tops) == 0 {
		return nil, err
	}
	path, err := readPath(ctx, t, key, top, 0)
	if err != nil {
		return nil, err
	}
	hidden := map[int64]int64{}
	for _, h := range tops {
		if path.Holds(core.Spot{Branch: h.Branch, Depth: h.Depth}) {
			return nil, nil
		}
		if from, ok := hidden[h.Branch]; !ok || h.Depth < from {
			hidden[h.Branch] = h.Depth
		}
	}
	return hidden, nil
}
