package sqlite

import (
	"context"
	"database/sql"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// merge writes one batch.
type merge struct {
	*tx
	in        *core.Header
	nowMs     int64
	gathering *gathering
	merged    core.Merged

	key      int64
	before   sessionRow // as it was; the zero value for a new one
	known    origin     // where the id that the source gives it came from before
	older    bool       // this is a copy in another place, of what the session was before
	nodes    *nodes
	moves    map[int32]int32 // what messages that were there hang on in the Incoming, where that is another one: numbers of nodes
	order    []int32         // as they come: numbers of nodes
	skeleton *core.Skeleton  // with those that came
	replan   bool            // a message that was there hangs elsewhere now

	firstAdded int64      // messages.id of the piece; those of the others are larger; 0: none
	placed     int        // how many of order have their branches and turns
	newestMs   int64      // when the newest of the messages that were written was finished
	old        core.Tally // branches and turns that are written already
	redated    bool       // a message that was there has another time now
	left       mark       // the session as the last piece has left it
	headUID    string     // what the source would continue from, known when everything was read
}

// rehang lets messages that were there hang where the Incoming says. A copy that knows less than
// the library has no say in it: it saw only a part of the conversation.
func (m *merge) rehang() {
	if (!m.own() || m.elsewhere()) && len(m.order) < int(m.nodes.count()) {
		return
	}
	for n, parent := range m.moves {
		at := m.nodes.at(n)
		at.parent, at.rehung, m.replan = parent, true, true
	}
}

// own says that the Incoming is the source that the session came from, not a copy of it.
func (m *merge) own() bool {
	in := &m.in.Session
	return in.SourceID == m.before.SourceID && in.Source == m.before.Source
}

// begin finds the session that is meant, or makes it.
func (m *merge) begin(ctx context.Context, first *core.Message) error {
	m.nodes, m.moves = newNodes(), map[int32]int32{}
	key, err := findOrigin(ctx, m.Tx, &m.in.Session, first)
	if err != nil {
		return err
	}
	if key == 0 {
		return m.create(ctx, first)
	}
	if m.before, err = readSessionRow(ctx, m.Tx, key); err != nil {
		return err
	}
	m.key, m.merged.SessionID = key, m.before.ID
	if m.known, err = readOrigin(ctx, m.Tx, &m.in.Session, key); err != nil {
		return err
	}
	return m.load(ctx)
}

func (m *merge) create(ctx context.Context, first *core.Message) error {
	s := m.in.Session
	s.DeletedAtMs, s.UpdatedAtMs = 0, 0
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = first.CreatedAtMs
	}
	if err := complete(&s, m.nowMs); err != nil {
		return err
	}
	if taken, err := nameTaken(ctx, m.Tx, s.Name); err != nil {
		return err
	} else if taken {
		s.Name = ""
	}
	key, err := addSession(ctx, m.tx, &s)
	if err != nil {
		return err
	}
	m.skeleton = &core.Skeleton{}
	m.key, m.merged = key, core.Merged{SessionID: s.ID, Created: true}
	m.before, err = readSessionRow(ctx, m.Tx, key)
	return err
}

func nameTaken(ctx context.Context, t *conn.Tx, name string) (bool, error) {
	var n int64
	err := t.Get(ctx, &n, `SELECT count(*) FROM sessions WHERE name = ?`, name)
	return n > 0, err
}

// take adds a message, or compares it with the one that is there.
func (m *merge) take(ctx context.Context, incoming *item) error {
	number := m.nodes.number(incoming.message.UID)
	if number == 0 {
		return m.add(ctx, incoming)
	}
	n := m.nodes.at(number)
	if n.came {
		return core.E(core.Invalid, "message %q is there twice", incoming.message.UID)
	}
	n.came = true
	m.order = append(m.order, number)
	if m.in.Keep {
		return nil
	}
	parent, err := m.parent(incoming)
	if err != nil {
		return err
	}
	if parent != n.parent {
		m.moves[number] = parent
	}
	if incoming.message.Known {
		return nil
	}
	return m.compare(ctx, n, incoming)
}

// compare replaces a message by a form of it that says something else. A copy may have been made while the
// message was still growing, so what it says counts only where it is more.
func (m *merge) compare(ctx context.Context, n *node, incoming *item) error {
	p, err := incoming.packed, incoming.err
	if err != nil || p.hash == n.hash {
		return err
	}
	if keeps, err := m.keeps(ctx, n.id, &p.message); err != nil || keeps {
		return err
	}
	if err := replaceMessage(ctx, m.tx, m.key, n.id, p); err != nil {
		return err
	}
	if p.message.IsPrompt() != n.prompt {
		n.prompt, m.replan = p.message.IsPrompt(), true
	}
	m.redated = m.redated || n.createdAtMs != p.message.CreatedAtMs
	n.hash, n.createdAtMs = p.hash, p.message.CreatedAtMs
	m.newestMs = max(m.newestMs, p.message.EndMs())
	m.merged.Updated++
	m.countBounded(p)
	return nil
}

func (m *merge) countBounded(p *packed) {
	if p.bounded {
		m.merged.Bounded++
	}
}

func (m *merge) add(ctx context.Context, incoming *item) error {
	if incoming.message.Known {
		return core.E(core.Invalid, "message %q was imported before, but is not in the library", incoming.message.UID)
	}
	parent, err := m.parent(incoming)
	if err != nil {
		return err
	}
	p, err := incoming.packed, incoming.err
	if err != nil {
		return err
	}
	n := node{
		parent: parent, hash: p.hash, createdAtMs: p.message.CreatedAtMs, prompt: p.message.IsPrompt(), came: true, added: true,
	}
	place, err := m.skeleton.Append(m.nodes.spot(parent), n.prompt)
	if err != nil {
		return err
	}
	n.put(place)
	if n.id, err = storeMessage(ctx, m.tx, m.key, place, m.nodes.id(parent), p); err != nil {
		return err
	}
	if p.words != nil {
		m.gathering.add(indexed{Message: n.id, ContentHash: p.hash, CreatedAtMs: n.createdAtMs}, p.words, p.atWord)
	}
	if m.firstAdded == 0 {
		m.firstAdded = n.id
	}
	m.order = append(m.order, m.nodes.add(p.message.UID, n))
	m.newestMs = max(m.newestMs, p.message.EndMs())
	m.merged.Added++
	m.countBounded(p)
	return nil
}

// parent returns the number of the message that one hangs on; 0 for a root.
func (m *merge) parent(incoming *item) (int32, error) {
	if incoming.message.ParentUID == "" {
		return 0, nil
	}
	parent := m.nodes.number(incoming.message.ParentUID)
	if parent == 0 {
		return 0, core.E(core.Invalid, "the parent %q of message %q is not there", incoming.message.ParentUID, incoming.message.UID)
	}
	return parent, nil
}

// idOf is a reference to a message; NULL to none.
func idOf(n *node) sql.NullInt64 {
	if n == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: n.id, Valid: true}
}
