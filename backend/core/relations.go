package core

// Parent returns the parent of a message; ok is false for a root.
func (s *Skeleton) Parent(of Position) (parent Position, ok bool) {
	if !s.Has(of) || of.Depth == 0 {
		return Position{}, false
	}
	if b := s.Branches[of.Branch]; of.Depth == b.FirstDepth() {
		return Position{b.Parent, b.ForkDepth}, true
	}
	return Position{of.Branch, of.Depth - 1}, true
}

// Roots returns the first messages of the session, in the order of creation.
func (s *Skeleton) Roots() []Position { return s.firsts(s.forks[rootPosition], nil) }

// Children returns the children of a message in the order of creation. The child that continues the branch is first:
// only after it do others open branches.
func (s *Skeleton) Children(of Position) []Position {
	if !s.Has(of) {
		return nil
	}
	var children []Position
	if of.Depth < s.Branches[of.Branch].TipDepth {
		children = append(children, Position{of.Branch, of.Depth + 1})
	}
	return s.firsts(s.forks[of], children)
}

func (s *Skeleton) firsts(branches []int64, spots []Position) []Position {
	for _, number := range branches {
		spots = append(spots, Position{number, s.Branches[number].FirstDepth()})
	}
	return spots
}

// Siblings returns the alternatives at the message's position, itself included, in the order of creation.
func (s *Skeleton) Siblings(of Position) []Position {
	if !s.Has(of) {
		return nil
	}
	if parent, ok := s.Parent(of); ok {
		return s.Children(parent)
	}
	return s.Roots()
}

// Below returns the numbers of the branches whose tips are in the subtree of the message, by number.
func (s *Skeleton) Below(top Position) []int64 {
	if !s.Has(top) {
		return nil
	}
	below := []int64{top.Branch}
	inside := make([]bool, len(s.Branches))
	for n := top.Branch + 1; n < int64(len(s.Branches)); n++ {
		b := s.Branches[n] // its parent has a smaller number, so it is already decided
		if b.Parent == top.Branch {
			inside[n] = b.ForkDepth >= top.Depth
		} else if b.Parent >= 0 {
			inside[n] = inside[b.Parent]
		}
		if inside[n] {
			below = append(below, n)
		}
	}
	return below
}

// Weight returns the number of messages in the subtree of the message, itself included.
func (s *Skeleton) Weight(top Position) int64 {
	if !s.Has(top) {
		return 0
	}
	weight := s.Branches[top.Branch].FirstDepth() - top.Depth // the messages of its branch above it
	for _, n := range s.Below(top) {
		weight += s.Branches[n].Length()
	}
	return weight
}
