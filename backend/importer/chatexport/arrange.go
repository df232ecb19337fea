package chatexport

import (
	"cmp"
	"slices"
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
	Places  []Place
	Circles int // cycles that were broken: their parents led back to themselves

	nodes []Node
	above []int // by node: itself, or its nearest ancestor that is not skipped; -1: none
	byID  map[string]int
}

// Place is the position of a node.
type Place struct {
	Index  int   // of the node
	Parent int   // the index of its parent; -1: none
	TimeMs int64 // its own, or its parent's if that is later
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
		n, p := nodes[i], Place{Index: i, Parent: -1, TimeMs: max(nodes[i].TimeMs, startMs)}
		if up := parents[i]; up >= 0 {
			p.Parent, depths[i] = t.above[up], depths[up]+1
			p.TimeMs = max(p.TimeMs, t.Places[up].TimeMs)
		}
		if t.above[i] = i; n.Skip {
			t.above[i] = p.Parent
		}
		t.Places[i] = p
	}
	slices.SortFunc(t.Places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.TimeMs, b.TimeMs), cmp.Compare(depths[a.Index], depths[b.Index]),
			cmp.Compare(nodes[a.Index].Rank, nodes[b.Index].Rank), cmp.Compare(a.Index, b.Index))
	})
	t.Places = slices.DeleteFunc(t.Places, func(p Place) bool { return nodes[p.Index].Skip })
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
	t.Places = make([]Place, len(nodes))
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
