package core

import "sort"

// Position is the position of a message: its branch and its depth.
type Position struct {
	Branch int64
	Depth  int64
}

// Position returns the position in the skeleton.
func (p Placement) Position() Position { return Position{p.Branch, p.Depth} }

// Tally counts what a session's tree holds. Numbers are assigned in the order of creation and never reused, so the
// counts are also the next numbers.
type Tally struct {
	Messages int64
	Turns    int64
	Branches int64
}

// Next returns the position of the message to be created next, below parent, which lies in branch; a nil parent makes a
// root. An append needs to know nothing else of the tree.
//
// The message opens a new branch if Branch of its position is t.Branches, and a new turn if Turn is t.Turns. A turn
// begins with a branch, and with each prompt except the first one of its path, which joins the leading messages before
// it.
func (t Tally) Next(parent *Placement, branch Branch, isPrompt bool) Placement {
	if parent == nil {
		return Placement{Seq: t.Messages, Turn: t.Turns, Branch: t.Branches}
	}
	place := Placement{Seq: t.Messages, Turn: parent.Turn, Branch: parent.Branch, Depth: parent.Depth + 1}
	if parent.Depth != branch.TipDepth {
		place.Branch, place.Turn = t.Branches, t.Turns
	} else if isPrompt && branch.Prompted(parent.Depth) {
		place.Turn = t.Turns
	}
	return place
}

// Add returns the tally after a message was added at its position.
func (t Tally) Add(p Placement) Tally {
	return Tally{t.Messages + 1, max(t.Turns, p.Turn+1), max(t.Branches, p.Branch+1)}
}

// Prompted reports whether there is a prompt on the path to the branch's message of this depth, itself included.
func (b Branch) Prompted(depth int64) bool {
	return b.PromptDepth >= 0 && b.PromptDepth <= depth
}

// Grow returns the branch after a message of the given depth was added to its tip.
func (b Branch) Grow(depth int64, isPrompt bool) Branch {
	b.TipDepth = depth
	if isPrompt && b.PromptDepth < 0 {
		b.PromptDepth = depth
	}
	return b
}

// Fork returns a new branch whose first message is a child of b's message of the depth at.
func (b Branch) Fork(number, at int64, isPrompt bool) Branch {
	fork := Branch{Number: number, Parent: b.Number, ForkDepth: at, PromptDepth: -1}
	if b.Prompted(at) {
		fork.PromptDepth = b.PromptDepth
	}
	return fork.Grow(at+1, isPrompt)
}

// RootBranch returns a new branch that begins with a root.
func RootBranch(number int64, isPrompt bool) Branch {
	return Branch{Number: number, Parent: -1, ForkDepth: -1, PromptDepth: -1}.Grow(0, isPrompt)
}

// Skeleton is a session's tree without its messages: branches and turns, both by number. A million messages have a few
// hundred branches, and the cost of queries depends on branches and turns, not on messages. The zero value is the empty
// tree. Concurrent reads are safe.
type Skeleton struct {
	Branches []Branch
	Turns    []Turn // only what determines their position: Number, Parent, Branch, FirstDepth, Messages, Cumulative
	messages int64
	forks    map[Position][]int64 // the branches that begin below a message, by number
	starts   map[int64][]int64    // the turns of a branch, by depth
}

// NewSkeleton returns the skeleton of stored branches and turns, both by number. It takes ownership of both slices.
// Violations checks whether they make a tree.
func NewSkeleton(branches []Branch, turns []Turn) *Skeleton {
	s := &Skeleton{Branches: branches, Turns: turns}
	s.index()
	for i, b := range branches {
		s.messages += b.Length()
		s.hang(b, int64(i))
	}
	for i, t := range turns {
		s.starts[t.Branch] = append(s.starts[t.Branch], int64(i))
	}
	return s
}

func (s *Skeleton) index() {
	if s.forks == nil {
		s.forks, s.starts = map[Position][]int64{}, map[int64][]int64{}
	}
}

// rootPosition is the parent position of root branches.
var rootPosition = Position{-1, -1}

func (s *Skeleton) hang(b Branch, number int64) {
	at := Position{b.Parent, b.ForkDepth}
	s.forks[at] = append(s.forks[at], number)
}

// Tally counts messages, turns and branches.
func (s *Skeleton) Tally() Tally {
	return Tally{s.messages, int64(len(s.Turns)), int64(len(s.Branches))}
}

// Has reports whether there is a message at the position.
func (s *Skeleton) Has(at Position) bool {
	if at.Branch < 0 || at.Branch >= int64(len(s.Branches)) {
		return false
	}
	b := s.Branches[at.Branch]
	return at.Depth >= b.FirstDepth() && at.Depth <= b.TipDepth
}

// Append adds a message below parent, nil for a root, and returns its position. A parent that is not in the tree is an
// Invalid error.
func (s *Skeleton) Append(parent *Position, isPrompt bool) (Placement, error) {
	s.index()
	if parent == nil {
		place := s.Tally().Next(nil, Branch{}, isPrompt)
		s.open(RootBranch(place.Branch, isPrompt))
		s.grow(place, -1)
		return place, nil
	}
	if !s.Has(*parent) {
		return Placement{}, E(Invalid, "no message at depth %d of branch %d", parent.Depth, parent.Branch)
	}
	branch := s.Branches[parent.Branch]
	above := Placement{Turn: s.TurnAt(*parent), Branch: parent.Branch, Depth: parent.Depth}
	place := s.Tally().Next(&above, branch, isPrompt)
	if place.Branch == branch.Number {
		s.Branches[branch.Number] = branch.Grow(place.Depth, isPrompt)
	} else {
		s.open(branch.Fork(place.Branch, parent.Depth, isPrompt))
	}
	s.grow(place, above.Turn)
	return place, nil
}

func (s *Skeleton) open(b Branch) {
	s.Branches = append(s.Branches, b)
	s.hang(b, b.Number)
}

// grow counts a placed message and adds it to its turn, a new one below parentTurn if needed.
func (s *Skeleton) grow(p Placement, parentTurn int64) {
	s.messages++
	if p.Turn == int64(len(s.Turns)) {
		s.Turns = append(s.Turns, Turn{Number: p.Turn, Parent: parentTurn, Branch: p.Branch, FirstDepth: p.Depth})
		s.starts[p.Branch] = append(s.starts[p.Branch], p.Turn)
	}
	t := &s.Turns[p.Turn]
	t.Messages++
	t.Cumulative = p.Depth + 1
}

// TurnAt returns the number of the turn that the message belongs to, or -1.
func (s *Skeleton) TurnAt(at Position) int64 {
	if !s.Has(at) {
		return -1
	}
	turns := s.starts[at.Branch]
	i := sort.Search(len(turns), func(i int) bool { return s.Turns[turns[i]].FirstDepth > at.Depth })
	if i == 0 {
		return -1
	}
	return turns[i-1]
}

// TurnEnd returns the position of the last message of the turn.
func (s *Skeleton) TurnEnd(turn int64) (Position, bool) {
	if turn < 0 || turn >= int64(len(s.Turns)) {
		return Position{}, false
	}
	t := s.Turns[turn]
	return Position{t.Branch, t.FirstDepth + t.Messages - 1}, true
}
