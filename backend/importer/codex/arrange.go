package codex

import (
	"strconv"

	"coppice/backend/core"
)

// node is a message.
type node struct {
	uid         core.UUID
	parent      int32 // in nodes
	first, last int32 // its records, in entries
	usage       int32 // in usage; 0: not told
	class       class // of its first record; that for the model where there is one
	fresh       bool  // something of it was not imported before
}

// layout is the second half of the first pass: it puts records into messages, and messages into the tree.
type layout struct {
	*skeleton
	open     int32   // the reply that further items belong to; 0: none
	results  int32   // the message that further results belong to; 0: none
	answered bool    // one of them answers a call of the model's
	lastSaid int32   // the newest reply, wherever it is
	early    counts  // tokens before the first reply
	prompts  []int32 // on the current path
	seen     map[messageKey]int
	keys     []messageKey // by node
}

// messageKey is what a message's uid is made of.
type messageKey struct {
	turnID int32 // in names
	name   string
	key    uint64
}

// arrange lays out the tree. Codex has only one way to branch within a file: the last turns are rolled back, and
// what is said next hangs where they began.
func (s *skeleton) arrange() {
	l := &layout{skeleton: s, seen: map[messageKey]int{}, keys: make([]messageKey, 1)}
	n, spent := len(s.entries), s.spent // entries grows
	for i := range n + 1 {
		for ; len(spent) > 0 && int(spent[0].before) == i; spent = spent[1:] {
			l.charge(&spent[0])
		}
		if i > 0 && i < n && !s.entries[i].dropped {
			l.take(int32(i)) //nolint:gosec // bounded by the lines of a file
		}
	}
	for n := range s.nodes {
		if n > 0 {
			s.nodes[n].uid = l.derive(int32(n)) //nolint:gosec // bounded by the lines of a file
		}
	}
}

func (l *layout) take(i int32) {
	e := &l.entries[i]
	switch e.class {
	case other:
		l.takeMark(e)
	case prompt, command, inserted, directive, agentWords, compaction, shownPrompt:
		l.open, l.results = 0, 0
		n := l.add(i)
		if e.class != command && e.class != inserted && e.class != directive && e.class != compaction {
			l.prompts = append(l.prompts, n)
		}
	case reply, reasoning, call, shownReply, shownReasoning:
		l.say(i)
	case result:
		l.answer(i)
		l.answered = true
	case shownTool:
		if l.answered {
			l.open, l.results = 0, 0
		}
		if l.open == 0 {
			l.say(i)
		} else {
			l.join(l.open, i)
		}
		half := l.entries[i] // the result is a record of another message
		half.next = 0
		l.entries = append(l.entries, half)
		l.answer(int32(len(l.entries) - 1)) //nolint:gosec // bounded by the lines of a file
	}
}

// say adds to the open reply, or begins one.
func (l *layout) say(i int32) {
	if l.open != 0 && l.results == 0 {
		l.join(l.open, i)
		return
	}
	l.results, l.answered = 0, false
	l.open = l.add(i)
	l.lastSaid = l.open
	if l.early != (counts{}) {
		l.spend(l.open, l.early)
		l.early = counts{}
	}
}

// answer adds to the open results, or begins them.
func (l *layout) answer(i int32) {
	if l.results != 0 {
		l.join(l.results, i)
		return
	}
	l.answered = false
	l.results = l.add(i)
	l.nodes[l.results].class = result
	l.keys[l.results].name = "result"
}

// add appends a message to the path.
func (l *layout) add(i int32) int32 {
	e := &l.entries[i]
	n := int32(len(l.nodes)) //nolint:gosec // bounded by the lines of a file
	l.nodes = append(l.nodes, node{parent: l.tip, first: i, last: i, class: e.class, fresh: l.isFresh(e)})
	l.keys = append(l.keys, l.keyOfMessage(e))
	l.tip = n
	return n
}

// join appends a record to a message. The first one that is for the model names it.
func (l *layout) join(n, i int32) {
	m, e := &l.nodes[n], &l.entries[i]
	if m.class.isShown() && !e.class.isShown() {
		m.class, l.keys[n] = e.class, l.keyOfMessage(e)
	}
	l.entries[m.last].next = i
	m.last = i
	m.fresh = m.fresh || l.isFresh(e)
}

// isFresh says whether a record was not imported before. One for the screen may have waited.
func (l *layout) isFresh(e *entry) bool {
	return e.class.isShown() || l.isNew(e.spot) || e.twin != 0 && l.isNew(l.entries[e.twin].spot)
}

// isNew says whether a place in a file was not read before.
func (s *skeleton) isNew(at spot) bool {
	return s.file.FromBytes == 0 || s.isOwn(at) && at.offset >= s.file.FromBytes
}

// isOwn says whether a place is in the file itself, not in one that it continues.
func (s *skeleton) isOwn(at spot) bool { return int(at.file) == len(s.files)-1 }

func (l *layout) takeMark(e *entry) {
	switch e.mark {
	case rollback:
		l.rollBack(e.arg)
	case kept, unknown:
		e.next = l.tip // the message it came after
	case noMark:
	}
}

// charge adds an expense to the reply before it.
func (l *layout) charge(e *expense) {
	l.open, l.results = 0, 0
	if l.lastSaid == 0 {
		l.early = l.early.plus(e.counts)
		return
	}
	l.spend(l.lastSaid, e.counts)
	m := &l.nodes[l.lastSaid]
	m.fresh = m.fresh || l.isNew(e.at)
}

// rollBack goes back to before the last turns; more than there are means all.
func (l *layout) rollBack(turns int32) {
	l.open, l.results = 0, 0
	if len(l.prompts) == 0 {
		return
	}
	first := max(0, len(l.prompts)-int(turns))
	l.tip = l.nodes[l.prompts[first]].parent
	l.prompts = l.prompts[:first]
}

func (l *layout) keyOfMessage(e *entry) messageKey {
	return messageKey{e.turnID, className(e.class), e.key}
}

// className is the same for a record and for its twin on the screen.
func className(c class) string {
	switch c {
	case prompt, shownPrompt:
		return "prompt"
	case reply, shownReply:
		return "reply"
	case reasoning, shownReasoning:
		return "reasoning"
	case call, shownTool:
		return "call"
	case result:
		return "result"
	case command, inserted:
		return "inserted"
	case directive:
		return "directive"
	case agentWords:
		return "agent"
	default:
		return "compaction"
	}
}

// derive names a message by what it says and by how often that was said before in its turn, never by its time or its line: a copy
// of it in another file is the same message.
func (l *layout) derive(n int32) core.UUID {
	k := l.keys[n]
	l.seen[k]++
	key := l.seed(k.turnID) + "\x00" + k.name + "\x00" + strconv.FormatUint(k.key, 16)
	return core.DerivedUUID(0, string(core.SourceCodex), key, strconv.Itoa(l.seen[k]))
}

// seed is what tells the messages of a turn from those of others. A turn's id stays the same in a copy that a fork makes; where there is none,
// the thread that all forks come from stands for it.
func (l *layout) seed(turnID int32) string {
	seed := l.names.text(turnID)
	if len(seed) != 36 || l.meta.parentThread != "" {
		seed = l.meta.root() + "/" + seed
	}
	return seed
}
