package query

import (
	"slices"

	"coppice/backend/core"
)

// Op says what a Node asks of a message.
type Op string

// What a node asks for.
const (
	All    Op = "all"    // each of its kids
	Any    Op = "any"    // one of its kids or more
	Not    Op = "not"    // that its only kid does not hold
	Phrase Op = "phrase" // Words, one behind the other
	Role   Op = "role"   // one of Values
	Source Op = "source" // one of Values: the tools that the session may come from
	Tool   Op = "tool"   // a call or a result of a tool whose name has Words
	Model  Op = "model"  // a model whose name Text stands in
	Path   Op = "path"   // a workspace, or a file imported from, whose path Text stands in
	Label  Op = "label"  // a turn whose label Text stands in
	Before Op = "before" // created before TimeMs
	After  Op = "after"  // created at TimeMs or later
	In     Op = "in"     // the session that Text refers to
	Is     Op = "is"     // one of Values: Hidden, Bookmarked, AnyState
)

// Node is a part of a query. Which fields are set depends on Op.
type Node struct {
	Op     Op
	Kids   []*Node
	Words  []string // folded, as a Scanner gives them
	Prefix bool     // the last of Words is only the beginning of one
	Text   string
	Values []string
	TimeMs int64 // Unix milliseconds
	At     int   // the character of the query where it begins, from 1
}

// Query is what a text asks for.
type Query struct {
	Root *Node // nil: no words and no fields
	// Plain says that the text has no operators and no fields: it can only be meant as it stands.
	Plain bool
	// Literal is the text as it stands, without the quotes around all of it.
	Literal string

	mistyped, foreign string // what Hint says
}

// Here is what In refers to where the query is asked from within a session.
const Here = "session"

// What Is asks for.
const (
	Hidden     = "hidden"     // a message in the trash of its session
	Bookmarked = "bookmarked" // one of a turn that is bookmarked
	AnyState   = "any"        // any, hidden or not
)

// NamesHidden says whether any of the queries says itself what is to become of messages in the trash of their session: Is with Hidden or
// AnyState stands in it.
func NamesHidden(roots ...*Node) bool {
	pending := slices.Clone(roots)
	for len(pending) > 0 {
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if n == nil {
			continue
		}
		if n.Op == Is && n.Values[0] != Bookmarked {
			return true
		}
		pending = append(pending, n.Kids...)
	}
	return false
}

func refuse(at int, format string, args ...any) *core.Error {
	e := core.E(core.Invalid, format, args...)
	e.Message = "the query is wrong at character " + itoa(at) + ": " + e.Message
	return e
}
