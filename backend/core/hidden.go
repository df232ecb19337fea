package core

// HiddenTop is the top of a subtree in the trash of its session. Nothing is deleted: it is left out of views, and of
// exports for reading.
type HiddenTop struct {
	UID        string `json:"uid" db:"uid"`
	Turn       int64  `json:"turn" db:"turn"`
	Branch     int64  `json:"branch" db:"branch"`
	Depth      int64  `json:"depth" db:"depth"`
	HiddenAtMs int64  `json:"hiddenAtMs" db:"hidden_at_ms"`
}

// Tops returns the positions of the tops of the hidden subtrees.
func Tops(hidden []HiddenTop) []Position {
	spots := make([]Position, len(hidden))
	for i, top := range hidden {
		spots[i] = Position{top.Branch, top.Depth}
	}
	return spots
}

// Hiding records what was moved to the trash of a session, so that it can be restored.
type Hiding struct {
	Tops     []string `json:"tops"` // the uids of the messages that were newly marked; never nil
	Messages int64    `json:"messages"`
	Turns    int64    `json:"turns"`
	// HeadUID is the previous head, if it was hidden and therefore moved; empty: it was not.
	HeadUID string `json:"headUid"`
}

// HiddenSet is the set of hidden messages of a tree: the tops and everything below them.
type HiddenSet struct {
	from []int64 // branch → the depth from which its messages are hidden; one below its tip if none is
}

// HiddenSet returns the hidden set of these subtrees. Messages that are not in the tree are ignored.
func (s *Skeleton) HiddenSet(tops []Position) HiddenSet {
	v := HiddenSet{from: make([]int64, len(s.Branches))}
	for n, b := range s.Branches {
		v.from[n] = b.TipDepth + 1
	}
	for _, top := range tops {
		if s.Has(top) {
			v.from[top.Branch] = min(v.from[top.Branch], top.Depth)
		}
	}
	for n, b := range s.Branches { // a parent comes first
		if b.Parent >= 0 && b.ForkDepth >= v.from[b.Parent] {
			v.from[n] = b.FirstDepth()
		}
	}
	return v
}

// Hides reports whether the message is hidden.
func (v HiddenSet) Hides(at Position) bool {
	return at.Branch >= 0 && at.Branch < int64(len(v.from)) && at.Depth >= v.from[at.Branch]
}

// From returns the depth from which the messages of a branch are hidden; one below its tip if none is.
func (v HiddenSet) From(branch int64) int64 { return v.from[branch] }

// Count returns the number of hidden messages of the tree, and of turns that begin with one.
func (s *Skeleton) Count(v HiddenSet) (messages, turns int64) {
	for n, b := range s.Branches {
		messages += b.TipDepth + 1 - v.from[n]
	}
	for i := range s.Turns {
		if v.Hides(s.Turns[i].Top()) {
			turns++
		}
	}
	return messages, turns
}

// Beside returns the subtrees next to a path, each by its first message: the alternatives to the path's messages, and
// other roots. What follows the path's last message is not included.
func (s *Skeleton) Beside(path Path) []Position {
	beside := []Position{}
	add := func(spots []Position) {
		for _, at := range spots {
			if !path.Holds(at) {
				beside = append(beside, at)
			}
		}
	}
	if len(path) == 0 {
		return beside
	}
	add(s.Roots())
	last := path.Length() - 1
	for i, seg := range path {
		for depth := seg.From; depth <= seg.To && depth < last; depth++ {
			at := Position{seg.Branch, depth}
			if len(s.forks[at]) > 0 || depth == seg.To && i < len(path)-1 {
				add(s.Children(at))
			}
		}
	}
	return beside
}
