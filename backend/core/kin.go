package core

// Parent returns the parent of a message; ok is false for a root.
func (s *Skeleton) Parent(of Spot) (parent Spot, ok bool) {
	if !s.Has(of) || of.Depth == 0 {
		return Spot{}, false
	}
	if b := s.Branches[of.Branch]; of.Depth == b.FirstDepth() {
		return Spot{b.Parent, b.ForkDepth}, true
	}
	return Spot{of.Branch, of.Depth - 1}, true
}

// Roots returns the first messages of the session, in the order of creation.
func (s *Skeleton) Roots() []Spot { return s.firsts(s.forks[rootSpot], nil) }

// Children returns the children of a message in the order of creation. The one that continues the branch comes first:
// only after it do others open branches.
func (s *Skeleton) Children(of Spot) []Spot {
	if !s.Has(of) {
		return nil
	}
	var children []Spot
	if of.Depth < s.Branches[of.Branch].TipDepth {
		children = append(children, Spot{of.Branch, of.Depth + 1})
	}
	return s.firsts(s.forks[of], children)
}

func (s *Skeleton) firsts(branches []int64, spots []Spot) []Spot {
	for _, number := range branches {
		spots = append(spots, Spot{number, s.Branches[number].FirstDepth()})
	}
	return spots
}

// Siblings returns the alternatives at the message's position, itself included, in the order of creation.
func (s *Skeleton) Siblings(of Spot) []Spot {
	if !s.Has(of) {
		return nil
	}
	if parent, ok := s.Parent(of); ok {
		return s.Children(parent)
	}
	return s.Roots()
}

// CommonAncestor returns the last message on both the path to a and the path to b, which may be one of them; ok is
// false if they have different roots.
func (s *Skeleton) CommonAncestor(a, b Spot) (Spot, bool) {
	return s.Path(a).Fork(s.Path(b))
}

// Below returns the numbers of the branches whose tips are in the subtree of the message, by number.
func (s *Skeleton) Below(top Spot) []int64 {
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
func (s *Skeleton) Weight(top Spot) int64 {
	if !s.Has(top) {
		return 0
	}
	weight := s.Branches[top.Branch].FirstDepth() - top.Depth // the messages of its branch above it
	for _, n := range s.Below(top) {
		weight += s.Branches[n].Length()
	}
	return weight
}
