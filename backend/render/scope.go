package render

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// findPath finds what the scope includes: the path, the turn, and the other paths. A session that continues from before
// its first message has an empty path.
func (t *transcript) findPath(ctx context.Context) error {
	if t.leafUID == "" {
		return nil
	}
	leaf, err := t.position(ctx, t.leafUID)
	if err != nil {
		return err
	}
	t.path = t.skeleton.Path(leaf)
	if !t.options.Scope.HasPaths() {
		if err := t.cutToTurns(ctx, leaf); err != nil {
			return err
		}
	}
	for _, seg := range t.path {
		t.reaches[seg.Branch] = seg.To
	}
	if t.options.Scope != ScopeBranches {
		return nil
	}
	for _, uid := range t.options.OtherLeafUIDs {
		leaf, err := t.position(ctx, uid)
		if err != nil {
			return err
		}
		for _, seg := range t.skeleton.Path(leaf) {
			if to, ok := t.chosen[seg.Branch]; !ok || seg.To > to {
				t.chosen[seg.Branch] = seg.To
			}
		}
	}
	return nil
}

// cutToTurns leaves of the path the turn of its last message, and for ScopeTurns those from that of FromUID on.
func (t *transcript) cutToTurns(ctx context.Context, leaf core.Position) error {
	last := t.tree.Turns[t.skeleton.TurnAt(leaf)]
	first := last
	if t.options.Scope == ScopeTurns && t.options.FromUID != "" {
		from, err := t.position(ctx, t.options.FromUID)
		if err != nil {
			return err
		}
		first = t.tree.Turns[t.skeleton.TurnAt(from)]
		// A name of a turn means its last message, which may be on another branch.
		if !t.path.Holds(core.Position{Branch: first.Branch, Depth: first.FirstDepth}) {
			return core.E(core.Invalid, "the first turn is not on the path to the last one").WithHint("choose a turn before it, or the end of another branch")
		}
	}
	t.leafUID = last.LastUID
	end := core.Position{Branch: last.Branch, Depth: last.FirstDepth + last.Messages - 1}
	t.path = t.skeleton.Path(end).Window(first.FirstDepth, end.Depth-first.FirstDepth+1)
	return nil
}

// position returns the position of a message.
func (t *transcript) position(ctx context.Context, uid string) (core.Position, error) {
	end, err := t.source.Window(ctx, t.tree.Session.ID, uid, -1, 1)
	if err != nil {
		return core.Position{}, core.Wrap(core.CodeOf(err), err, "find the end of the path")
	}
	if len(end.Messages) == 0 {
		return core.Position{}, core.E(core.NotFound, "no message %s", uid)
	}
	return end.Messages[0].Position(), nil
}

// trunk returns the path as a strand; false if it is empty.
func (t *transcript) trunk() (strand, bool) {
	if len(t.path) == 0 {
		return strand{}, false
	}
	return strand{branch: t.path[0].Branch, from: t.path[0].From, to: t.path.Length() - 1, leafUID: t.leafUID}, true
}

// rest returns the part of a branch outside the path that the tree or the chosen paths include; false if that is empty.
func (t *transcript) rest(branch int64) (strand, bool) {
	b := t.tree.Branches[branch]
	s := strand{branch: branch, from: b.FirstDepth(), to: b.TipDepth, leafUID: t.tips[branch]}
	if to, ok := t.reaches[branch]; ok {
		s.from = to + 1
	}
	if t.options.Scope == ScopeBranches {
		to, ok := t.chosen[branch]
		if !ok {
			return s, false
		}
		s.to = to // also in the trash, as a path is
	} else {
		s.to = min(s.to, t.hidden.From(branch)-1)
	}
	return s, s.from <= s.to
}

// hasStrands reports whether other strands follow the path.
func (t *transcript) hasStrands() bool {
	return t.options.Scope == ScopeTree || t.options.Scope == ScopeBranches
}

// strands returns the strands after the path, by branch.
func (t *transcript) strands() []strand {
	var all []strand
	if !t.hasStrands() {
		return nil
	}
	for branch := range t.tree.Branches {
		if s, ok := t.rest(int64(branch)); ok {
			all = append(all, s)
		}
	}
	return all
}

// alternatives returns the strands at the position of a message of the path.
func (t *transcript) alternatives(at core.Position) []strand {
	var all []strand
	if t.options.Scope != ScopeAlternatives {
		return nil
	}
	for _, sibling := range t.siblingsOf(at) {
		if sibling == at {
			continue
		}
		if s, ok := t.rest(sibling.Branch); ok && s.from == sibling.Depth {
			all = append(all, s)
		}
	}
	return all
}

// onPath reports whether the message at the position is on the path.
func (t *transcript) onPath(at core.Position) bool {
	to, ok := t.reaches[at.Branch]
	return ok && at.Depth <= to && at.Depth >= t.path[0].From
}

// holds reports whether the export has the message at the position.
func (t *transcript) holds(at core.Position) bool {
	if t.onPath(at) {
		return true
	}
	if t.options.Scope == ScopeBranches {
		to, ok := t.chosen[at.Branch]
		return ok && at.Depth <= to
	}
	if t.hidden.Hides(at) {
		return false
	}
	return t.options.Scope == ScopeTree || t.options.Scope == ScopeAlternatives && t.beside(at.Branch)
}

// beside reports whether the rest of the branch forks directly off the path.
func (t *transcript) beside(branch int64) bool {
	s, ok := t.rest(branch)
	if !ok {
		return false
	}
	parent, hasParent := t.skeleton.Parent(core.Position{Branch: branch, Depth: s.from})
	if !hasParent {
		return len(t.path) > 0
	}
	// Below the path's last message nothing is an alternative to anything on it.
	return t.onPath(parent) && parent.Depth < t.path.Length()-1
}

// counts returns the numbers of messages and branches in the export.
func (t *transcript) counts() (messages, branches int64) {
	branches = int64(len(t.path))
	if len(t.path) > 0 {
		messages = t.path.Length() - t.path[0].From
	}
	for i := range t.tree.Branches {
		branch := int64(i)
		s, ok := t.rest(branch)
		if ok && (t.hasStrands() || t.options.Scope == ScopeAlternatives && t.beside(branch)) {
			messages += s.to - s.from + 1
			if _, counted := t.reaches[branch]; !counted {
				branches++
			}
		}
	}
	return messages, branches
}

func (t *transcript) count() int64 {
	messages, _ := t.counts()
	return messages
}

// amount is a number of messages and of the branches that they are in.
type amount struct{ messages, branches int64 }

// subtree counts the message at a position and all below it that are not in the trash.
func (t *transcript) subtree(at core.Position) amount {
	if t.below == nil {
		t.measure()
	}
	if t.hidden.Hides(at) {
		return amount{}
	}
	branch := t.tree.Branches[at.Branch]
	if at.Depth == branch.FirstDepth() {
		return t.below[at.Branch]
	}
	sum := amount{max(0, min(branch.TipDepth, t.hidden.From(at.Branch)-1)-at.Depth+1), 1}
	for _, child := range t.forks[at.Branch] {
		if t.tree.Branches[child].ForkDepth >= at.Depth {
			sum.messages += t.below[child].messages
			sum.branches += t.below[child].branches
		}
	}
	return sum
}

// measure counts the subtree of each branch. A parent has the smaller number.
func (t *transcript) measure() {
	t.below, t.forks = make([]amount, len(t.tree.Branches)), make([][]int64, len(t.tree.Branches))
	for i := len(t.tree.Branches) - 1; i >= 0; i-- {
		branch := t.tree.Branches[i]
		to := min(branch.TipDepth, t.hidden.From(int64(i))-1)
		if to < branch.FirstDepth() {
			t.below[i] = amount{}
			continue
		}
		t.below[i].messages += to - branch.FirstDepth() + 1
		t.below[i].branches++
		if branch.Parent >= 0 {
			t.forks[branch.Parent] = append(t.forks[branch.Parent], int64(i))
			t.below[branch.Parent].messages += t.below[i].messages
			t.below[branch.Parent].branches += t.below[i].branches
		}
	}
}

// missingBefore describes the alternatives to a message that the export leaves out; empty if it has them all, or if the
// first included sibling states it.
func (t *transcript) missingBefore(at core.Position, siblings int64) string {
	if siblings <= 1 {
		return ""
	}
	var left amount
	first := true
	for _, sibling := range t.siblingsOf(at) {
		if t.holds(sibling) {
			if first && sibling != at {
				return ""
			}
			first = false
			continue
		}
		below := t.subtree(sibling)
		left.messages += below.messages
		left.branches += below.branches
	}
	return left.note("Also from here, not included: ")
}

// missingAfter describes what follows the last message of a strand and is not in the export.
func (t *transcript) missingAfter(s strand) string {
	end := core.Position{Branch: s.branch, Depth: s.to}
	if at, ok := t.path.At(s.to); ok && s.leafUID == t.leafUID {
		end = at
	}
	var left amount
	for _, child := range t.skeleton.Children(end) {
		if t.holds(child) {
			return "" // it states what is missing beside it
		}
		below := t.subtree(child)
		left.messages += below.messages
		left.branches += below.branches
	}
	return left.note("Continues, not included: ")
}

// note returns the amount as a line; empty for nothing.
func (a amount) note(lead string) string {
	if a.messages == 0 {
		return ""
	}
	if a.branches <= 1 {
		return lead + counted(a.messages, "message", "messages")
	}
	return lead + fmt.Sprintf("%s in %s branches", counted(a.messages, "message", "messages"), humanize.Comma(a.branches))
}

// missingAbove describes the messages before the turns that are exported.
func (t *transcript) missingAbove() string {
	if len(t.path) == 0 || t.path[0].From == 0 || t.options.Scope.HasPaths() {
		return ""
	}
	lead := "Before this turn, not included: "
	if t.options.Scope == ScopeTurns {
		lead = "Before these turns, not included: "
	}
	return lead + counted(t.path[0].From, "message", "messages")
}
