package window

import (
	"context"
	"strings"

	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// mostTurns is the largest number of turns that one call returns.
const mostTurns = 500

// TreeBindings return the tree of a session and change it.
type TreeBindings struct{ *program }

// ListSiblings returns a message and its siblings in the order of creation.
func (b *TreeBindings) ListSiblings(sessionID, uid string) ([]core.Sibling, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.Sibling, error) {
		siblings, err := db.Siblings(ctx, sessionID, uid)
		return lists.NonNil(siblings), err
	})
}

// Locate returns where to show a node: a message's uid, m17, n3 or a label.
func (b *TreeBindings) Locate(sessionID, node string) (Location, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (Location, error) {
		message, err := db.Node(ctx, sessionID, node)
		if err != nil {
			return Location{}, err
		}
		leaf, err := db.Leaf(ctx, sessionID, message.UID)
		at := Location{SessionID: sessionID, LeafUID: leaf.UID, UID: message.UID, Depth: message.Depth, Turn: message.Turn, Branch: message.Branch, LeafTurn: leaf.Turn}
		if message.Role == core.RoleAssistant {
			at.Agent = message.Agent
		}
		return at, err
	})
}

// Visit stores the leaf that the user looks at. Locate returns it later.
func (b *TreeBindings) Visit(sessionID, leafUID string) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		return true, db.Visit(ctx, sessionID, leafUID)
	})
	return err
}

// MoveHead makes the next message a child of the node. If the node is in the trash of the session, its branch is restored.
func (b *TreeBindings) MoveHead(sessionID, node string) (core.Session, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Session, error) {
		before, err := db.Session(ctx, sessionID)
		if err != nil {
			return before, err
		}
		message, err := db.Node(ctx, before.ID, node)
		if err != nil {
			return before, err
		}
		session, err := db.MoveHead(ctx, before.ID, message.UID)
		if err != nil {
			return session, err
		}
		b.changes.Session(session.ID, change.Head)
		if session.HiddenCount != before.HiddenCount {
			b.changes.Session(session.ID, change.Trash)
		}
		return session, nil
	})
}

// SetLabel names the turn of a message; an empty text removes the name.
func (b *TreeBindings) SetLabel(sessionID, uid, text string) error {
	return b.change(change.Labels, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) error {
		return db.SetLabel(ctx, sessionID, uid, strings.TrimSpace(text))
	})
}

// GetTurns returns turns of a session by their numbers, at most 500. It does not set which of them are on the path. The page
// fetches the tree itself as a skeleton, see encodeSkeleton.
func (b *TreeBindings) GetTurns(sessionID string, numbers []int64) ([]core.Turn, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.Turn, error) {
		turns, err := db.Turns(ctx, sessionID, numbers[:min(len(numbers), mostTurns)])
		return lists.NonNil(turns), err
	})
}

// GetTurnParts returns parts of turns, at most 500, as GetTurns returns whole ones. The skeleton has a row for each range of a
// divided turn.
func (b *TreeBindings) GetTurnParts(sessionID string, parts []core.TurnPart) ([]core.Turn, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.Turn, error) {
		turns, err := db.TurnParts(ctx, sessionID, parts[:min(len(parts), mostTurns)])
		return lists.NonNil(turns), err
	})
}

// GetTurnEfforts returns how much was done in turns, or in parts of divided ones, at most 500.
func (b *TreeBindings) GetTurnEfforts(sessionID string, parts []core.TurnPart) ([]core.TurnEffort, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.TurnEffort, error) {
		efforts, err := db.TurnEfforts(ctx, sessionID, parts[:min(len(parts), mostTurns)])
		return lists.NonNil(efforts), err
	})
}

// FindTurns returns the numbers of the turns that contain the text, in order. A new search in a tree ends the previous
// search with the code canceled.
func (b *TreeBindings) FindTurns(sessionID, text string) ([]int64, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]int64, error) {
		ctx, done := b.treeSearches.begin(ctx)
		defer done()
		turns, err := db.FindTurns(ctx, sessionID, strings.TrimSpace(text))
		return lists.NonNil(turns), err
	})
}

// FindTurnsBeginning returns the numbers of the turns whose first words begin with the text, in order.
func (b *TreeBindings) FindTurnsBeginning(sessionID, text string) ([]int64, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]int64, error) {
		turns, err := db.TurnsBeginning(ctx, sessionID, text)
		return lists.NonNil(turns), err
	})
}

// SetBookmark sets or removes the bookmark of a message's turn.
func (b *TreeBindings) SetBookmark(sessionID, uid string, on bool) error {
	return b.change(change.Labels, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) error { return db.Bookmark(ctx, sessionID, uid, on) })
}

// ColorLabel sets the color of the label of a message's turn; an empty color removes it.
func (b *TreeBindings) ColorLabel(sessionID, uid, color string) error {
	return b.change(change.Labels, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) error {
		return db.ColorLabel(ctx, sessionID, uid, core.Color(color))
	})
}

// SetMain marks the path to a message as the main path; an empty uid removes the mark.
func (b *TreeBindings) SetMain(sessionID, uid string) error {
	return b.change(change.Labels, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) error { return db.SetMain(ctx, sessionID, uid) })
}

// Graft copies a path, or a subtree, below a message of a session. If parentUID is empty, the copy becomes a new tree of the session.
func (b *TreeBindings) Graft(source core.GraftSource, sessionID, parentUID string) (core.Grafted, error) {
	var grafted core.Grafted
	err := b.change(change.Messages, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) (err error) {
		grafted, err = db.Graft(ctx, source, sessionID, parentUID)
		return err
	})
	return grafted, err
}

// RemoveCopy removes what Graft copied, by the uid that it returned, as if it had never been copied. It returns the number of messages.
func (b *TreeBindings) RemoveCopy(sessionID, uid string) (int64, error) {
	removed := int64(0)
	err := b.change(change.Messages, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) (err error) {
		removed, err = db.RemoveCopy(ctx, sessionID, uid)
		return err
	})
	return removed, err
}

// Split copies the path to a message and the subtree below it to a new session.
func (b *TreeBindings) Split(sessionID, uid, title string) (core.Session, error) {
	var session core.Session
	err := b.change(change.List, nil, func(ctx context.Context, db *sqlite.DB) (err error) {
		session, err = db.Split(ctx, sessionID, uid, title)
		return err
	})
	return session, err
}
