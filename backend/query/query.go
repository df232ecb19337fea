package query

import (
	"slices"

	"coppice/backend/core"
)

// Op is the kind of a Node's condition.
type Op string

// The conditions of nodes.
const (
	All    Op = "all"    // all of its kids
	Any    Op = "any"    // at least one of its kids
	Not    Op = "not"    // its only kid does not match
	Phrase Op = "phrase" // Words, one after the other
	Role   Op = "role"   // one of Values
	Source Op = "source" // one of Values: the tools that a session may come from
	Tool   Op = "tool"   // a call or a result of a tool whose name has Words
	Model  Op = "model"  // a model whose name contains Text
	Path   Op = "path"   // a workspace, or an imported file, whose path contains Text
	File   Op = "file"   // a message with a call that changes a file whose path is Text, or ends with it
	Label  Op = "label"  // a turn whose label contains Text
	Before Op = "before" // created before TimeMs
	After  Op = "after"  // created at TimeMs or later
	In     Op = "in"     // the session that Text refers to
	Is     Op = "is"     // one of Values: Hidden, Bookmarked, AnyState
)

// Node is a part of a query. Which fields are set depends on Op.
type Node struct {
	Op     Op
	Kids   []*Node
	Words  []string // folded, as by a Scanner
	Prefix bool     // the last of Words is only the beginning of a word
	Text   string
	Values []string
	TimeMs int64 // Unix milliseconds
	At     int   // the character of the query where it begins, from 1
}

// Query is a parsed query.
type Query struct {
	Root *Node // nil: no words and no fields
	// Plain means that the text has no operators and no fields: it can only be meant literally.
	Plain bool
	// Literal is the text as it was written, without quotes around the whole of it.
	Literal string

	mistyped, foreign string // for Hint
}

// Here is the value of In for the session in which the query is asked.
const Here = "session"

// The values of Is.
const (
	Hidden     = "hidden"     // a message in the trash of its session
	Bookmarked = "bookmarked" // one of a turn that is bookmarked
	AnyState   = "any"        // any, hidden or not
)

// NamesHidden reports whether any of the queries decides itself about messages in the trash of their session: it contains Is with Hidden
// or AnyState.
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
