package core_test

import (
	"fmt"
	"slices"

	"coppice/backend/core"
)

// model is the tree in its simplest form: parent pointers only. Every question is answered by walking them, and turns
// and branches follow from their definition.
type model struct {
	parent []int // -1 for a root
	prompt []bool
}

func (m *model) add(parent int, prompt bool) int {
	m.parent = append(m.parent, parent)
	m.prompt = append(m.prompt, prompt)
	return len(m.parent) - 1
}

func (m *model) path(node int) []int {
	path := []int{}
	for at := node; at >= 0; at = m.parent[at] {
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

func (m *model) children(node int) []int {
	children := []int{}
	for n, p := range m.parent {
		if p == node {
			children = append(children, n)
		}
	}
	return children
}

func (m *model) subtree(top int) []int {
	nodes := []int{}
	for n := range m.parent {
		if slices.Contains(m.path(n), top) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (m *model) common(a, b int) int {
	last, other := -1, m.path(b)
	for i, n := range m.path(a) {
		if i >= len(other) || other[i] != n {
			break
		}
		last = n
	}
	return last
}

// places assigns all numbers by definition: a first child continues its parent's branch, all others open one; a turn
// begins with a branch and with a prompt that has a prompt above it.
func (m *model) places() []core.Placement {
	places := make([]core.Placement, len(m.parent))
	var branches, turns int64
	for n, parent := range m.parent {
		p := core.Placement{Seq: int64(n), Depth: int64(len(m.path(n)) - 1)}
		first := parent >= 0 && m.children(parent)[0] == n
		p.Branch, p.Turn = branches, turns
		if first {
			p.Branch = places[parent].Branch
		}
		if first && (!m.prompt[n] || !m.prompted(parent)) {
			p.Turn = places[parent].Turn
		}
		branches, turns = max(branches, p.Branch+1), max(turns, p.Turn+1)
		places[n] = p
	}
	return places
}

func (m *model) prompted(node int) bool {
	return slices.ContainsFunc(m.path(node), func(n int) bool { return m.prompt[n] })
}

func (m *model) nodes() []core.Node {
	nodes := make([]core.Node, len(m.parent))
	for n, parent := range m.parent {
		nodes[n] = core.Node{UID: uid(n), IsPrompt: m.prompt[n]}
		if parent >= 0 {
			nodes[n].ParentUID = uid(parent)
		}
	}
	return nodes
}

func uid(n int) string { return fmt.Sprintf("u%d", n) }
