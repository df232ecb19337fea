// Package trees is the service of trees, paths and positions.
package trees

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Store is the service of trees, paths and positions.
type Store struct{ *store.Library }

// TurnEnds reads of every turn its first and its last message, and the one that its preview is made of: its
// prompt, where leading messages of a tool stand before it. All are looked up by their place, so the messages
// between them are not read.
const TurnEnds = `WITH spans AS (
		SELECT n.number, n.branch, n.first_depth, b.prompt_depth,
			coalesce(lead(n.first_depth) OVER (PARTITION BY n.branch ORDER BY n.number), b.tip_depth + 1) - 1 AS last_depth
		FROM turns n JOIN branches b ON b.session = n.session AND b.number = n.branch WHERE n.session = ?1)
	SELECT n.number, f.uid AS first_uid, l.uid AS last_uid, p.role, p.text_preview AS preview, f.created_at_ms
	FROM spans n
	JOIN messages f ON f.session = ?1 AND f.branch = n.branch AND f.depth = n.first_depth
	JOIN messages l ON l.session = ?1 AND l.branch = n.branch AND l.depth = n.last_depth
	JOIN messages p ON p.session = ?1 AND p.branch = n.branch
		AND p.depth = iif(n.prompt_depth BETWEEN n.first_depth AND n.last_depth, n.prompt_depth, n.first_depth)
	ORDER BY n.number`

// Tree returns a session's tree of turns.
func (db *Store) Tree(ctx context.Context, sessionID string) (core.Tree, error) {
	var tree core.Tree
	err := db.Read(ctx, func(t *store.Txn) error {
		row, err := tables.FindSession(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		tree, err = readTree(ctx, t.Tx, &row)
		return err
	})
	return tree, conn.Fail(err, "read the tree of session %s", sessionID)
}

func readTree(ctx context.Context, t *conn.Tx, row *tables.SessionRow) (core.Tree, error) {
	session, err := row.Decode()
	if err != nil {
		return core.Tree{}, err
	}
	skeleton, err := tables.ReadSkeleton(ctx, t, row.Key)
	if err != nil {
		return core.Tree{}, err
	}
	tree := core.Tree{Session: session, Head: session.HeadUID, HeadTurn: -1, Branches: skeleton.Branches, Turns: skeleton.Turns}
	if err := addEnds(ctx, t, row.Key, tree.Turns); err != nil {
		return tree, err
	}
	labels, err := tables.ReadLabels(ctx, t, row.Key)
	if err != nil {
		return tree, err
	}
	for _, l := range labels {
		if l.Turn >= 0 && l.Turn < int64(len(tree.Turns)) {
			tree.Turns[l.Turn].Label = l.Text
		}
	}
	if tree.Hidden, err = tables.HiddenTops(ctx, t, row.Key); err != nil {
		return tree, err
	}
	if tree.Links, err = tables.ReadLinks(ctx, t, row.Key, session.ID); err != nil {
		return tree, err
	}
	veil := skeleton.HiddenSet(core.Tops(tree.Hidden))
	for i := range tree.Turns {
		tree.Turns[i].Hidden = veil.Hides(tree.Turns[i].Top())
	}
	if !row.Head.Valid {
		return tree, nil
	}
	head, err := tables.FindMessage(ctx, t, session.HeadUID, tables.HeadByID, row.Head.Int64)
	if err != nil {
		return tree, err
	}
	tree.HeadTurn = head.Turn
	markPath(&tree, skeleton.Path(head.Position()))
	return tree, nil
}

func addEnds(ctx context.Context, t *conn.Tx, key int64, turns []core.Turn) error {
	var ends []core.Turn
	if err := t.All(ctx, &ends, TurnEnds, key); err != nil {
		return err
	}
	if len(ends) != len(turns) {
		return conn.Damaged("%d turns of %d have lost their messages", len(turns)-len(ends), len(turns))
	}
	for i, e := range ends {
		to := &turns[i]
		to.FirstUID, to.LastUID, to.Role, to.Preview, to.CreatedAtMs = e.FirstUID, e.LastUID, e.Role, e.Preview, e.CreatedAtMs
	}
	return nil
}

// markPath marks the turns that have a message on the path.
func markPath(tree *core.Tree, path core.Path) {
	ends := make(map[int64]int64, len(path)) // of the path in each branch it runs through
	for _, s := range path {
		ends[s.Branch] = s.To
	}
	for i := range tree.Turns {
		end, ok := ends[tree.Turns[i].Branch]
		tree.Turns[i].OnPath = ok && tree.Turns[i].FirstDepth <= end
	}
}
