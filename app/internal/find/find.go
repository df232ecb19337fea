// Package find finds sessions and messages by the references that users type.
package find

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// Session returns the session that a reference names.
func Session(ctx context.Context, db *sqlite.DB, ref string) (core.Session, error) {
	return db.Session(ctx, ref)
}

// Sessions returns the sessions that several references name, each once.
func Sessions(ctx context.Context, db *sqlite.DB, refs []string) ([]core.Session, error) {
	sessions := make([]core.Session, 0, len(refs))
	seen := map[string]bool{}
	for _, ref := range refs {
		session, err := Session(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		if !seen[session.ID] {
			seen[session.ID] = true
			sessions = append(sessions, session)
		}
	}
	return sessions, nil
}

// Node returns the message that a NODE names. A bare number is the number of a turn, as in the JSON of trees.
func Node(ctx context.Context, db *sqlite.DB, session core.Session, node string) (core.Message, error) {
	message, err := db.Node(ctx, session.ID, node)
	if core.CodeOf(err) == core.NotFound && IsNumber(node) {
		message, err = db.Node(ctx, session.ID, "n"+node)
	}
	return message, err
}

// NodeUID returns the uid of the message that Node finds; empty for an empty name, which means the head.
func NodeUID(ctx context.Context, db *sqlite.DB, session core.Session, node string) (string, error) {
	if node == "" {
		return "", nil
	}
	message, err := Node(ctx, db, session, node)
	return message.UID, err
}

// IsNumber reports whether a text consists of ASCII digits.
func IsNumber(text string) bool {
	for _, r := range text {
		if r < '0' || r > '9' {
			return false
		}
	}
	return text != ""
}

// Turn returns the turn of the node that a name refers to.
func Turn(ctx context.Context, db *sqlite.DB, session core.Session, name string) (core.Turn, error) {
	node, err := Node(ctx, db, session, name)
	if err != nil {
		return core.Turn{}, err
	}
	turns, err := db.Turns(ctx, session.ID, []int64{node.Turn})
	if err == nil && len(turns) == 0 {
		err = core.E(core.NotFound, "session %s has no turn n%d", session.ID, node.Turn)
	}
	if err != nil {
		return core.Turn{}, err
	}
	return turns[0], nil
}

// SessionOrNone returns the session that a reference names; the zero value for an empty reference.
func SessionOrNone(ctx context.Context, db *sqlite.DB, ref string) (core.Session, error) {
	if ref == "" {
		return core.Session{}, nil
	}
	return Session(ctx, db, ref)
}

// IDs returns the ids of sessions.
func IDs(sessions []core.Session) []string {
	all := make([]string, len(sessions))
	for i, s := range sessions {
		all[i] = s.ID
	}
	return all
}

// ShortID returns a prefix of a session's id that is unique in the library. It returns the whole id if the library
// reports an error.
func ShortID(ctx context.Context, db *sqlite.DB, id string) string {
	short, err := db.ShortIDs(ctx, id)
	if err != nil {
		return id
	}
	return short[0]
}

// Branches returns a session and the two branches that end with the given messages, for a comparison.
func Branches(ctx context.Context, db *sqlite.DB, sessionID, leftUID, rightUID string) (session core.Session, left, right render.Branch, err error) {
	if session, err = db.Session(ctx, sessionID); err != nil {
		return session, left, right, err
	}
	c, err := db.Compare(ctx, sessionID, leftUID, rightUID, 0, 1)
	if err != nil {
		return session, left, right, err
	}
	left = render.Branch{LeafUID: c.Left.LeafUID, From: c.Shared}
	right = render.Branch{LeafUID: c.Right.LeafUID, From: c.Shared}
	for _, branch := range []*render.Branch{&left, &right} {
		if branch.Changes, err = db.PathChanges(ctx, sessionID, branch.LeafUID, branch.From); err != nil {
			return session, left, right, err
		}
	}
	return session, left, right, nil
}
