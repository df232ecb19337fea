// Package graft joins what a file holds of a conversation to what the library holds of it. Some tools write only the
// newest messages, or replace old ones by a summary, and most of them give a message no id.
package graft

import (
	"context"

	"coppice/backend/core"
)

// UID returns an id for a message that has none, derived from its session, everything before it and its content. So a
// conversation that forked has two different messages after the fork.
func UID(session, parent, content string) string {
	return core.DerivedID(0, session, parent, content)
}

// Past is what the library holds of a session. The zero value holds nothing.
type Past struct {
	at     map[string]held
	order  []string // in the order of creation
	newest string
}

type held struct {
	parent string
	timeMs int64
	usage  core.Usage
	cost   int64
}

// Recall reads a session from the library. Call it while Incoming.Messages runs.
func Recall(ctx context.Context, file core.SourceFile, source core.Source, sourceID string) (*Past, error) {
	p := &Past{at: map[string]held{}}
	if file.Stored == nil {
		return p, nil
	}
	for m, err := range file.Stored(ctx, source, sourceID) {
		if err != nil {
			return nil, err
		}
		h := held{parent: m.ParentUID, timeMs: m.CreatedAtMs}
		if m.Usage != nil {
			h.usage = core.Usage{InputTokens: m.Usage.InputTokens, OutputTokens: m.Usage.OutputTokens}
		}
		if m.CostNanoUSD != nil {
			h.cost = *m.CostNanoUSD
		}
		p.at[m.UID] = h
		p.order = append(p.order, m.UID)
		p.newest = m.UID
	}
	return p, nil
}

// TimeMs returns when the library's message was created; 0 if it is missing.
func (p *Past) TimeMs(uid string) int64 { return p.at[uid].timeMs }

// Position is the position of a message of the file.
type Position struct {
	Index  int // in the file
	UID    string
	Parent string
}

// List is the messages of a file, in order.
type List struct {
	Len int
	// UID returns the id of a message below a parent.
	UID func(parent string, i int) string
	// Sums reports whether a message replaces older ones, which the file has dropped.
	Sums func(i int) bool
	// Cut means that the file does not begin where the conversation began.
	Cut bool
}

// Arrange returns the positions of the messages, each below the previous one, in the order to write them. Messages that
// the library knows keep their positions, and new ones follow them; a message that sums up older ones follows those of
// them that exist.
func (p *Past) Arrange(l List) []Position {
	a := arrangement{past: p, list: l, positions: make([]Position, 0, l.Len)}
	jump := l.Cut
	for i := range l.Len {
		uid := l.UID(a.prev, i)
		switch {
		case !jump && p.holds(uid, a.prev):
			a.add(i, uid)
		case l.Sums(i) && len(p.at) > 0 && (len(a.sums) > 0 || !p.holds(uid, a.prev)):
			a.sums, jump = append(a.sums, i), true
		case jump && a.anchor(i):
			jump = false
		default:
			if jump && l.Cut && len(a.positions) == 0 {
				a.prev = p.newest
			}
			jump = false
			a.flush()
			a.add(i, l.UID(a.prev, i))
		}
	}
	a.flush()
	return a.positions
}

// arrangement is the state of Arrange.
type arrangement struct {
	past      *Past
	list      List
	positions []Position
	prev      string // the parent of the next message
	sums      []int  // not placed yet
}

func (a *arrangement) add(i int, uid string) {
	a.positions = append(a.positions, Position{Index: i, UID: uid, Parent: a.prev})
	a.prev = uid
}

// anchor moves to the message if the library has it, and reports whether it does. The sums before it may exist there
// already.
func (a *arrangement) anchor(i int) bool {
	uid, ok := a.past.find(a.list, i)
	if !ok {
		return false
	}
	above, k := a.past.at[uid].parent, len(a.sums)
	for k > 0 && above != "" && a.list.UID(a.past.at[above].parent, a.sums[k-1]) == above {
		above, k = a.past.at[above].parent, k-1
	}
	if k == 0 {
		a.prev = above
		a.flush()
	}
	a.prev = a.past.at[uid].parent
	a.add(i, uid)
	return true
}

// flush adds the sums below what exists: the file's own messages, else the library's.
func (a *arrangement) flush() {
	if len(a.sums) > 0 && len(a.positions) == 0 && a.prev == "" && len(a.past.order) > 0 {
		a.prev = a.past.newest
		if there, ok := a.past.find(a.list, a.sums[0]); ok {
			a.prev = a.past.at[there].parent
		}
	}
	for _, s := range a.sums {
		a.add(s, a.list.UID(a.prev, s))
	}
	a.sums = nil
}

func (p *Past) holds(uid, parent string) bool {
	h, known := p.at[uid]
	return known && h.parent == parent
}

// find returns the library's message that equals one of the file, the newest one of several.
func (p *Past) find(l List, i int) (string, bool) {
	for n := len(p.order) - 1; n >= 0; n-- {
		uid := p.order[n]
		if l.UID(p.at[uid].parent, i) == uid {
			return uid, true
		}
	}
	return "", false
}

// Dropped adds up the cost and usage of the library's messages above a file's last one, as far as the file has dropped them.
func (p *Past) Dropped(positions []Position) (usage core.Usage, costNanoUSD int64) {
	in := map[string]bool{}
	last := ""
	for _, at := range positions {
		in[at.UID] = true
		if _, known := p.at[at.UID]; known || last == "" {
			last = at.Parent
			if known {
				last = at.UID
			}
		}
	}
	for uid, n := last, 0; uid != "" && n <= len(p.at); uid, n = p.at[uid].parent, n+1 {
		if h := p.at[uid]; !in[uid] {
			usage.InputTokens += h.usage.InputTokens
			usage.OutputTokens += h.usage.OutputTokens
			costNanoUSD += h.cost
		}
	}
	return usage, costNanoUSD
}
