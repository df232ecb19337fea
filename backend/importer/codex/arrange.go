package codex

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/importer/twopass"
)

// node is a message.
type node struct {
	uid         core.UUID
	parent      int32 // in nodes
	first, last int32 // its records, in entries
	usage       int32 // in spent; 0: unknown
	class       class // of its first record, or of the one for the model if there is one
	fresh       bool  // part of it was not imported before
}

// layout is the second half of the first pass: it groups records into messages, and arranges the messages as a tree.
type layout struct {
	*skeleton
	open     int32   // the reply that further items belong to; 0: none
	results  int32   // the message that further results belong to; 0: none
	answered bool    // one of them answers a call by the model
	lastSaid int32   // the newest reply, wherever it is
	early    int32   // tokens before the first reply, in spent; 0: none
	prompts  []int32 // on the current path
}

// arrange builds the tree. Codex has only one way to branch within a file: the last turns are rolled back, and the next
// message becomes a child of the one before them.
func (s *skeleton) arrange() {
	l := &layout{skeleton: s}
	spent, asides := int32(1), int32(0)
	end := s.entries.Len() // entries grows
	for i := range end + 1 {
		for ; spent < s.spent.Len() && s.spent.At(spent).before == i; spent++ {
			l.charge(spent)
		}
		for ; asides < s.asides.Len() && s.asides.At(asides).before == i; asides++ {
			l.takeAside(s.asides.At(asides))
		}
		if i > 0 && i < end && !s.entries.At(i).dropped {
			l.take(i)
		}
	}
	l.derive()
}

func (l *layout) take(i int32) {
	e := l.entries.At(i)
	switch e.class {
	case other: // not an entry
	case notice: // what is open stays open: how records are grouped into messages does not depend on it
		l.add(i)
	case prompt, command, inserted, insertedLate, directive, agentWords, compaction, shownPrompt:
		l.open, l.results = 0, 0
		n := l.add(i)
		if e.class.isTurn() {
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
		half := *l.entries.At(i) // the result is a record of another message
		half.next = 0
		l.answer(l.entries.Add(half))
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
	l.nodes.At(l.open).usage, l.early = l.early, 0
}

// answer adds to the open results, or begins them.
func (l *layout) answer(i int32) {
	if l.results != 0 {
		l.join(l.results, i)
		return
	}
	l.answered = false
	l.results = l.add(i)
	l.nodes.At(l.results).class = result
}

// add appends a message to the path.
func (l *layout) add(i int32) int32 {
	e := l.entries.At(i)
	l.tip = l.nodes.Add(node{parent: l.tip, first: i, last: i, class: e.class, fresh: l.isFresh(e)})
	return l.tip
}

// join appends a record to a message. The first one for the model determines its class.
func (l *layout) join(n, i int32) {
	m, e := l.nodes.At(n), l.entries.At(i)
	if m.class.isShown() && !e.class.isShown() {
		m.class = e.class
	}
	l.entries.At(m.last).next = i
	m.last = i
	m.fresh = m.fresh || l.isFresh(e)
}

// isFresh reports whether a record was not imported before. One for the screen may have waited.
func (l *layout) isFresh(e *entry) bool {
	return e.class.isShown() || l.isNew(e.Position) || e.twin != 0 && l.isNew(l.entries.At(e.twin).Position)
}

// isNew reports whether a position in a file was not read before.
func (s *skeleton) isNew(at twopass.Position) bool {
	return s.file.FromBytes == 0 || s.isOwn(at) && at.Offset >= s.file.FromBytes
}

// isOwn reports whether a position is in the file itself, not in a file that it continues.
func (s *skeleton) isOwn(at twopass.Position) bool { return at.Source == s.own }

func (l *layout) takeAside(a *aside) {
	a.after = l.tip
	if a.mark == rollback {
		l.rollBack(a.turns)
	}
}

// charge adds an expense to the reply before it.
func (l *layout) charge(i int32) {
	l.open, l.results = 0, 0
	if l.lastSaid == 0 {
		l.early = l.sum(l.early, i)
		return
	}
	m := l.nodes.At(l.lastSaid)
	m.usage = l.sum(m.usage, i)
	m.fresh = m.fresh || l.spent.At(i).fresh
}

// sum adds an expense to another one, and returns the index of the sum.
func (l *layout) sum(to, i int32) int32 {
	if to == 0 {
		return i
	}
	all := l.spent.At(to)
	all.counts = all.plus(l.spent.At(i).counts)
	return to
}

// rollBack goes back to before the last turns; if there are fewer, to before all.
func (l *layout) rollBack(turns int32) {
	l.open, l.results = 0, 0
	if len(l.prompts) == 0 {
		return
	}
	first := max(0, len(l.prompts)-int(turns))
	l.tip = l.nodes.At(l.prompts[first]).parent
	l.prompts = l.prompts[:first]
}

// className is the same for a record and for its twin on the screen.
func className(c class) string {
	switch c {
	case prompt, shownPrompt, insertedLate:
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
	case notice:
		return "notice"
	default:
		return "compaction"
	}
}

// messageKey is what a message's uid is derived from.
type messageKey struct {
	turnID int32 // in names
	name   string
	key    uint64
}

func (k messageKey) compare(other messageKey) int {
	return cmp.Or(cmp.Compare(k.key, other.key), cmp.Compare(k.turnID, other.turnID), strings.Compare(k.name, other.name))
}

// messageKey returns the key of the first record for the model, if there is one.
func (l *layout) messageKey(n int32) messageKey {
	m := l.nodes.At(n)
	e := l.entries.At(m.first)
	for i := e.next; i != 0 && e.class.isShown(); i = l.entries.At(i).next {
		if next := l.entries.At(i); !next.class.isShown() {
			e = next
		}
	}
	return messageKey{l.settings[e.setting].turnID, className(m.class), e.words()}
}

// derive names messages by their content and by how often it occurred before in the turn, never by their times or lines: a copy
// of a message in another file is the same message.
func (l *layout) derive() {
	byKey := make([]int32, 0, l.nodes.Len()-1)
	for n := int32(1); n < l.nodes.Len(); n++ {
		byKey = append(byKey, n)
	}
	slices.SortFunc(byKey, func(a, b int32) int { return cmp.Or(l.messageKey(a).compare(l.messageKey(b)), cmp.Compare(a, b)) })
	var last messageKey
	times := 0
	for _, n := range byKey {
		if k := l.messageKey(n); k == last {
			times++
		} else {
			last, times = k, 1
		}
		key := l.seed(last.turnID) + "\x00" + last.name + "\x00" + strconv.FormatUint(last.key, 16)
		l.nodes.At(n).uid = core.DerivedUUID(0, string(core.SourceCodex), key, strconv.Itoa(times))
	}
}

// seed distinguishes the messages of a turn from those of others. A turn's id stays the same in a copy that a fork makes; without one, it is
// replaced by the thread that all forks come from.
func (l *layout) seed(turnID int32) string {
	seed := l.names.text(turnID)
	if len(seed) != 36 || l.meta.parentThread != "" {
		seed = l.meta.root() + "/" + seed
	}
	return seed
}
