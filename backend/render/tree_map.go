package render

import (
	"coppice/backend/core"
)

// mapNode is a turn on the map of a tree.
type mapNode struct {
	turn   *core.Turn
	parent int // the index of its parent on the map; -1 for a root
	lane   int // from the left; the path is in lane 0
	row    int // from the top
	onPath bool
	isHeld bool // in the export
}

// treeMap is the tree as nodes in lanes and rows. Turns without a fork, a label or an end are left out of a large one.
type treeMap struct {
	nodes []mapNode
	lanes int
	rows  int
	whole bool // it has every turn
}

const (
	// wholeMapTurns is up to which number of turns the map has each of them.
	wholeMapTurns = 400
	// maxMapNodes is the largest map that is drawn.
	maxMapNodes = 2500
)

// treeMap returns the map of the tree outside the trash; false if there is nothing to see or too much.
func (t *transcript) treeMap() (treeMap, bool) {
	m := treeMap{whole: len(t.tree.Turns) <= wholeMapTurns}
	kept := t.mapTurns(m.whole)
	if len(kept) < 2 || len(kept) > maxMapNodes {
		return m, false
	}
	index := make(map[int64]int, len(kept)) // of turns on the map, and of those left out the node before them
	for i := range t.tree.Turns {           // a parent has the smaller number
		turn := &t.tree.Turns[i]
		parent, ok := index[turn.Parent]
		if !ok {
			parent = -1
		}
		if !kept[turn.Number] {
			index[turn.Number] = parent
			continue
		}
		node := mapNode{turn: turn, parent: parent, onPath: t.onPath(first(*turn)), isHeld: t.holds(first(*turn))}
		if parent >= 0 {
			node.row = m.nodes[parent].row + 1
		}
		index[turn.Number] = len(m.nodes)
		m.nodes = append(m.nodes, node)
	}
	m.assignLanes()
	return m, len(m.nodes) > 1
}

// mapTurns returns the numbers of the turns that the map has.
func (t *transcript) mapTurns(whole bool) map[int64]bool {
	children := map[int64]int{}
	for i := range t.tree.Turns {
		children[t.tree.Turns[i].Parent]++
	}
	kept := map[int64]bool{}
	for i := range t.tree.Turns {
		turn := &t.tree.Turns[i]
		at := first(*turn)
		if t.hidden.Hides(at) && !t.onPath(at) {
			continue
		}
		if whole || children[turn.Number] != 1 || turn.Label != "" || turn.Parent < 0 || children[turn.Parent] > 1 {
			kept[turn.Number] = true
		}
	}
	return kept
}

// assignLanes gives each chain of nodes the first lane in which its rows are free, to the right of its parent. The path
// is in lane 0, and a chain continues with the first child that is not on the path.
func (m *treeMap) assignLanes() {
	children := make([][]int, len(m.nodes))
	var roots []int
	for i, node := range m.nodes {
		m.rows = max(m.rows, node.row+1)
		if node.parent < 0 {
			roots = append(roots, i)
		} else {
			children[node.parent] = append(children[node.parent], i)
		}
	}
	var ends []int // the last row in use of each lane, of the chains that began above
	place := func(chain []int, from int) {
		top := m.nodes[chain[0]].row - 1
		lane := from
		for lane < len(ends) && ends[lane] > top {
			lane++
		}
		for len(ends) <= lane {
			ends = append(ends, -2)
		}
		ends[lane] = m.nodes[chain[len(chain)-1]].row
		for _, i := range chain {
			m.nodes[i].lane = lane
		}
	}
	// Chains in the order of their first rows, so that a lane is free again when its chain has ended.
	queue := roots
	for len(queue) > 0 {
		var next []int
		for _, top := range ordered(m.nodes, queue) {
			chain := chainOf(m.nodes, children, top)
			from := 1
			if m.nodes[top].onPath {
				from = 0
			} else if parent := m.nodes[top].parent; parent >= 0 {
				from = m.nodes[parent].lane + 1
			}
			place(chain, from)
			for i, node := range chain {
				for _, child := range children[node] {
					if i+1 == len(chain) || child != chain[i+1] {
						next = append(next, child)
					}
				}
			}
		}
		queue = next
	}
	m.lanes = len(ends)
}

// ordered returns indexes of nodes with those on the path first.
func ordered(nodes []mapNode, indexes []int) []int {
	sorted := make([]int, 0, len(indexes))
	for _, onPath := range []bool{true, false} {
		for _, i := range indexes {
			if nodes[i].onPath == onPath {
				sorted = append(sorted, i)
			}
		}
	}
	return sorted
}

// chainOf returns a node and its descendants in the same lane.
func chainOf(nodes []mapNode, children [][]int, top int) []int {
	chain := []int{top}
	for at := top; len(children[at]) > 0; {
		next := children[at][0]
		for _, child := range children[at] {
			if nodes[child].onPath {
				next = child
			}
		}
		at = next
		chain = append(chain, at)
	}
	return chain
}
