package chatexport

import (
	"cmp"
	"slices"
	"strconv"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// Node is a node of a conversation's tree as the export records it.
type Node struct {
	ID     string
	Parent string // empty, or the id of none: a root
	TimeMs int64  // 0: unknown
	Rank   int    // among its siblings, if times do not decide
	Skip   bool   // not a message: its children become children of the nearest ancestor that is one
}

// Tree is the nodes of a conversation in order.
type Tree struct {
	Positions []Position
	Circles   int // cycles that were broken: their parents led back to themselves

	nodes []Node
	above []int // by node: itself, or its nearest ancestor that is not skipped; -1: none
	byID  map[string]int
}

// Position is the position of a node.
type Position struct {
	Index  int   // of the node
	Parent int   // the index of its parent; -1: none
	TimeMs int64 // its own, or its parent's if that is later
}

// Arrange orders the nodes of the conversation as the function Arrange does, and reports cycles.
func (c *Conversation) Arrange(nodes []Node, startMs int64) Tree {
	t := Arrange(nodes, startMs)
	if t.Circles > 0 {
		c.Problem(strconv.Itoa(t.Circles) + " messages lead back to themselves; each begins a tree of its own")
	}
	return t
}

// Describe fills in what the messages record about their session: the first prompt and the latest model, and the id and the time of the
// first message if the export has none of the session. message returns the message of a node.
func (t *Tree) Describe(s *core.Session, message func(node int) *core.Message) {
	first := message(t.Positions[0].Index)
	s.SourceID = cmp.Or(s.SourceID, first.UID)
	s.CreatedAtMs = cmp.Or(s.CreatedAtMs, first.CreatedAtMs)
	for _, p := range t.Positions {
		m := message(p.Index)
		if m.IsPrompt() && s.Task == "" {
			s.Task = jsonl.Task(m.Text())
		}
		if m.Model != "" {
			s.Model = m.Model
		}
	}
}

// Arrange orders the nodes, a parent before its children, otherwise by time. Nothing in a conversation is older than
// startMs, or than its oldest node if startMs is 0.
func Arrange(nodes []Node, startMs int64) Tree {
	t := Tree{nodes: nodes, byID: make(map[string]int, len(nodes)), above: make([]int, len(nodes))}
	if startMs == 0 {
		startMs = oldest(nodes)
	}
	for i, n := range nodes {
		if _, taken := t.byID[n.ID]; !taken {
			t.byID[n.ID] = i
		}
	}
	parents := t.parents(nodes)
	depths := make([]int, len(nodes))
	for _, i := range downwards(parents) {
		n, p := nodes[i], Position{Index: i, Parent: -1, TimeMs: max(nodes[i].TimeMs, startMs)}
		if up := parents[i]; up >= 0 {
			p.Parent, depths[i] = t.above[up], depths[up]+1
			p.TimeMs = max(p.TimeMs, t.Positions[up].TimeMs)
		}
		if t.above[i] = i; n.Skip {
			t.above[i] = p.Parent
		}
		t.Positions[i] = p
	}
	slices.SortFunc(t.Positions, func(a, b Position) int {
		return cmp.Or(cmp.Compare(a.TimeMs, b.TimeMs), cmp.Compare(depths[a.Index], depths[b.Index]),
			cmp.Compare(nodes[a.Index].Rank, nodes[b.Index].Rank), cmp.Compare(a.Index, b.Index))
	})
	t.Positions = slices.DeleteFunc(t.Positions, func(p Position) bool { return nodes[p.Index].Skip })
	return t
}

func oldest(nodes []Node) (ms int64) {
	for _, n := range nodes {
		if n.TimeMs > 0 && (ms == 0 || n.TimeMs < ms) {
			ms = n.TimeMs
		}
	}
	return ms
}

// ID is the id of a node.
func (t *Tree) ID(node int) string { return t.nodes[node].ID }

// Above returns the node with an id, or its nearest ancestor that is not skipped; -1 if there is no such node.
func (t *Tree) Above(id string) int {
	if i, ok := t.byID[id]; ok {
		return t.above[i]
	}
	return -1
}

// parents returns the parents' indexes, without cycles.
func (t *Tree) parents(nodes []Node) []int {
	t.Positions = make([]Position, len(nodes))
	parents := make([]int, len(nodes))
	for i, n := range nodes {
		parents[i] = -1
		if up, ok := t.byID[n.Parent]; ok && n.Parent != "" {
			parents[i] = up
		}
	}
	walk := make([]int, len(nodes)) // the upward walk in which a node was met
	for i := range nodes {
		for at := i; at >= 0 && walk[at] == 0; at = parents[at] {
			walk[at] = i + 1
			if up := parents[at]; up >= 0 && walk[up] == i+1 {
				parents[at] = -1
				t.Circles++
			}
		}
	}
	return parents
}

// downwards lists nodes, a parent before its children.
func downwards(parents []int) []int {
	children := make([][]int, len(parents))
	order := make([]int, 0, len(parents))
	for i, up := range parents {
		if up < 0 {
			order = append(order, i)
		} else {
			children[up] = append(children[up], i)
		}
	}
	for n := 0; n < len(order); n++ {
		order = append(order, children[order[n]]...)
	}
	return order
}
