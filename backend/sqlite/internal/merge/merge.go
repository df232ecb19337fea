// Package merge writes an imported session into the library: new messages, changed ones, and what the source records of the session.
package merge

import (
	"coppice/backend/core"
	"coppice/backend/sqlite/internal/arrange"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/runs"
	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/tables"
)

// merge writes one batch.
type merge struct {
	arrange.Tree
	in        *core.Header
	nowMs     int64
	gathering *search.PendingBatch
	merged    core.Merged

	before tables.SessionRow // as it was; the zero value for a new one
	known  origin            // where the id that the source gives it came from before
	older  bool              // this is a copy in another place, of what the session was before
	moves  map[int32]int32   // the parents in the source of stored messages, if they differ: numbers of nodes
	replan bool              // a message that was there hangs elsewhere now

	group *packing.Group // that of the last message that was added
	pack  int64          // packs.id of the group; 0: its messages are stored alone

	firstAdded int64           // messages.id of the piece; those of the others are larger; 0: none
	newestMs   int64           // when the newest of the messages that were written was finished
	redated    bool            // a message that was there has another time now
	left       tables.Revision // the session as the last piece has left it
	arrival    *runs.Arrival   // nil: the source has no runs
	headUID    string          // what the source would continue from, known when everything was read
}

// rehang lets messages that were there hang where the Incoming says. A copy that knows less than
// the library has no say in it: it saw only a part of the conversation.
func (m *merge) rehang() {
	if (!m.own() || m.elsewhere()) && len(m.Order) < int(m.Nodes.Count()) {
		return
	}
	for n, parent := range m.moves {
		at := m.Nodes.At(n)
		at.Parent, at.Rehung, m.replan = parent, true, true
	}
}

// own says that the Incoming is the source that the session came from, not a copy of it.
func (m *merge) own() bool {
	in := &m.in.Session
	return in.SourceID == m.before.SourceID && in.Source == m.before.Source
}

// elsewhere says that the source was in another place before.
func (m *merge) elsewhere() bool {
	path := m.in.Session.SourcePath
	return m.known.Known && m.known.Path != "" && path != "" && path != m.known.Path
}

// behind reports whether a message is on the path to the session's head.
func (m *merge) behind(n *arrange.Node) bool {
	current := m.Nodes.Get(m.before.HeadUID)
	return n != nil && current != nil && n != current && m.Skeleton.Path(current.Placement().Position()).Holds(n.Placement().Position())
}

func (m *merge) incomingHead() (*arrange.Node, error) {
	if m.headUID == "" {
		return nil, nil // before the first message
	}
	head := m.Nodes.Get(m.headUID)
	if head == nil {
		return nil, core.E(core.Invalid, "session head: no message %q", m.headUID)
	}
	return head, nil
}

// changed reports whether the merge has changed the tree or a message.
func (m *merge) changed() bool {
	return m.merged.Created || m.merged.Added+m.merged.Updated+m.merged.Moved > 0
}
