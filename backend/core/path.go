package core

import "slices"

// Path is the way from a root to a message: the ranges of the branches it crosses, the root's first. The index of a
// message on a path is its depth.
type Path []Segment

// Path returns the path that ends at the message; empty if there is no such message.
func (s *Skeleton) Path(to Position) Path {
	if !s.Has(to) {
		return Path{}
	}
	path := Path{}
	for at := to; at.Branch >= 0; {
		b := s.Branches[at.Branch]
		path = append(path, Segment{Branch: b.Number, From: b.FirstDepth(), To: at.Depth})
		at = Position{b.Parent, b.ForkDepth}
	}
	slices.Reverse(path)
	return path
}

// Length returns the number of messages.
func (p Path) Length() int64 {
	if len(p) == 0 {
		return 0
	}
	return p[len(p)-1].To + 1
}

// Window returns limit messages from depth from on: one range per branch crossed. A negative from counts from the end,
// a limit of 0 means up to the end. What lies outside of the path is left out.
func (p Path) Window(from, limit int64) []Segment {
	length := p.Length()
	if from < 0 {
		from = max(0, length+from)
	}
	to := length - 1
	if limit > 0 && limit < length-from {
		to = from + limit - 1
	}
	window := []Segment{}
	for _, seg := range p {
		cut := Segment{Branch: seg.Branch, From: max(seg.From, from), To: min(seg.To, to)}
		if cut.From <= cut.To {
			window = append(window, cut)
		}
	}
	return window
}

// At returns the position of the path's message of this depth.
func (p Path) At(depth int64) (Position, bool) {
	for _, seg := range p {
		if depth >= seg.From && depth <= seg.To {
			return Position{seg.Branch, depth}, true
		}
	}
	return Position{}, false
}

// Holds reports whether the message is on the path.
func (p Path) Holds(at Position) bool {
	found, ok := p.At(at.Depth)
	return ok && found == at
}

// Fork returns the last message that two paths share; ok is false if they share none.
func (p Path) Fork(other Path) (last Position, ok bool) {
	for i := range min(len(p), len(other)) {
		if p[i].Branch != other[i].Branch {
			break
		}
		last, ok = Position{p[i].Branch, min(p[i].To, other[i].To)}, true
		if p[i].To != other[i].To {
			break
		}
	}
	return last, ok
}

// CommonAncestor returns the last message on both the path to a and the path to b, which may be one of them; ok is
// false if they have different roots.
func (s *Skeleton) CommonAncestor(a, b Position) (Position, bool) {
	return s.Path(a).Fork(s.Path(b))
}

// Segment is the range of a path that lies in one branch: the messages of depth From to To, both included.
type Segment struct {
	Branch int64 `json:"branch"`
	From   int64 `json:"from"`
	To     int64 `json:"to"`
}
