package core

import "fmt"

// Violations returns a description of every rule of the tree that branches and turns break; none for a sound tree. A tree
// without violations can be walked without checking for invalid numbers.
func (s *Skeleton) Violations() []string {
	violations := []string{}
	for i, b := range s.Branches {
		if violation := s.branchViolation(int64(i), b); violation != "" {
			violations = append(violations, fmt.Sprintf("branch %d: %s", i, violation))
		}
	}
	next := make(map[int64]int64, len(s.Branches)) // the depth at which a branch's next turn must begin
	for i, t := range s.Turns {
		if violation := s.turnViolation(int64(i), t, next); violation != "" {
			violations = append(violations, fmt.Sprintf("turn %d: %s", i, violation))
		}
	}
	for i, b := range s.Branches {
		if end, ok := next[int64(i)]; !ok || end != b.TipDepth+1 {
			violations = append(violations, fmt.Sprintf("branch %d: its turns end before depth %d, its tip is at %d", i, end, b.TipDepth))
		}
	}
	return violations
}

func (s *Skeleton) branchViolation(number int64, b Branch) string {
	root := b.Parent == -1
	switch {
	case b.Number != number:
		return fmt.Sprintf("is numbered %d", b.Number)
	case root && b.ForkDepth != -1:
		return fmt.Sprintf("has no parent but forks at depth %d", b.ForkDepth)
	case !root && (b.Parent < 0 || b.Parent >= number):
		return fmt.Sprintf("its parent %d is not an earlier branch", b.Parent)
	case b.TipDepth < b.FirstDepth():
		return fmt.Sprintf("its tip at depth %d lies before its first message at %d", b.TipDepth, b.FirstDepth())
	case !root && b.ForkDepth < s.Branches[b.Parent].FirstDepth():
		return fmt.Sprintf("forks at depth %d, before its parent branch %d begins", b.ForkDepth, b.Parent)
	case !root && b.ForkDepth >= s.Branches[b.Parent].TipDepth:
		return fmt.Sprintf("forks at depth %d, where its parent branch %d has nothing to be an alternative to", b.ForkDepth, b.Parent)
	case b.PromptDepth < -1 || b.PromptDepth > b.TipDepth:
		return fmt.Sprintf("its first prompt is said to be at depth %d, its tip is at %d", b.PromptDepth, b.TipDepth)
	case root:
		return ""
	}
	parent := s.Branches[b.Parent]
	if parent.Prompted(b.ForkDepth) {
		if b.PromptDepth != parent.PromptDepth {
			return fmt.Sprintf("its first prompt is said to be at depth %d, that of its path is at %d", b.PromptDepth, parent.PromptDepth)
		}
	} else if b.PromptDepth >= 0 && b.PromptDepth <= b.ForkDepth {
		return fmt.Sprintf("its first prompt is said to be at depth %d, where branch %d has none", b.PromptDepth, b.Parent)
	}
	return ""
}

func (s *Skeleton) turnViolation(number int64, t Turn, next map[int64]int64) string {
	if t.Number != number {
		return fmt.Sprintf("is numbered %d", t.Number)
	}
	if t.Branch < 0 || t.Branch >= int64(len(s.Branches)) {
		return fmt.Sprintf("lies in branch %d, which does not exist", t.Branch)
	}
	b := s.Branches[t.Branch]
	due, ok := next[t.Branch]
	if !ok {
		due = b.FirstDepth()
	}
	next[t.Branch] = t.FirstDepth + t.Messages
	above := Position{t.Branch, t.FirstDepth - 1}
	if t.FirstDepth == b.FirstDepth() {
		above = Position{b.Parent, b.ForkDepth}
	}
	switch {
	case t.FirstDepth != due:
		return fmt.Sprintf("begins at depth %d of branch %d, where %d is due", t.FirstDepth, t.Branch, due)
	case t.Messages < 1:
		return "has no message"
	case t.Cumulative != t.FirstDepth+t.Messages:
		return fmt.Sprintf("counts %d messages from the root, there are %d", t.Cumulative, t.FirstDepth+t.Messages)
	case t.FirstDepth > b.FirstDepth() && !b.Prompted(t.FirstDepth-1):
		return fmt.Sprintf("begins at depth %d of branch %d, although no prompt came before it", t.FirstDepth, t.Branch)
	case t.Parent != s.TurnAt(above):
		return fmt.Sprintf("has turn %d as its parent, but hangs on turn %d", t.Parent, s.TurnAt(above))
	}
	return ""
}

// Audit checks stored messages against the positions they should have.
type Audit struct {
	planner Planner
}

// Violation checks the next message, by seq, and describes what is wrong with its position; empty if nothing is.
func (a *Audit) Violation(n Node, stored Placement) string {
	place, err := a.planner.Add(n)
	if err != nil {
		return err.Error()
	}
	if place != stored {
		return fmt.Sprintf("message %q is stored as m%d of turn %d at depth %d of branch %d, but belongs to m%d of turn %d at depth %d of branch %d",
			n.UID, stored.Seq, stored.Turn, stored.Depth, stored.Branch, place.Seq, place.Turn, place.Depth, place.Branch)
	}
	return ""
}

// Skeleton returns the tree of the messages.
func (a *Audit) Skeleton() *Skeleton { return &a.planner.Skeleton }
