package archive

import (
	"iter"
	"slices"

	"coppice/backend/core"
)

// excerpt renumbers some of a session's messages, as if there were no others.
type excerpt struct {
	session core.Session // its counters count the messages added
	planner core.Planner
	born    []int64 // when the first message of each branch was created
}

// add counts a message; its parent must have been added before.
func (x *excerpt) add(m core.Message) error {
	place, err := x.planner.Add(core.Node{UID: m.UID, ParentUID: m.ParentUID, IsPrompt: m.IsPrompt()})
	if err != nil {
		return err
	}
	if place.Branch == int64(len(x.born)) {
		x.born = append(x.born, m.CreatedAtMs)
	}
	x.count(m)
	return nil
}

func (x *excerpt) count(m core.Message) {
	s := &x.session
	tally := x.planner.Skeleton.Tally()
	s.MessageCount, s.BranchCount, s.TurnCount = tally.Messages, tally.Branches, tally.Turns
	if m.Role == core.RoleAssistant {
		s.StepCount++
	}
	if u := m.Usage; u != nil {
		s.InputTokens += u.InputTokens
		s.OutputTokens += u.OutputTokens
		s.CacheRead += u.CacheReadTokens
		s.CacheWrite += u.CacheWriteTokens
		s.Reasoning += u.ReasoningTokens
	}
	if m.CostNanoUSD != nil {
		sum := *m.CostNanoUSD
		if s.CostNanoUSD != nil {
			sum += *s.CostNanoUSD
		}
		s.CostNanoUSD = &sum
	}
}

// settle moves the head to the requested leaf, or to the last message if the head is not among the messages.
func (x *excerpt) settle(opts Options, last string) {
	if opts.LeafUID != "" {
		x.session.HeadUID = opts.LeafUID
	}
	if _, ok := x.planner.Placement(x.session.HeadUID); !ok && x.session.HeadUID != "" {
		x.session.HeadUID = last
	}
}

func (x *excerpt) branches() []any {
	var branches []any
	for i, b := range x.planner.Skeleton.Branches {
		b.CreatedAtMs = x.born[i]
		branches = append(branches, branchOf(b))
	}
	return branches
}

// numbered gives the messages their new positions.
func (x *excerpt) numbered(messages iter.Seq2[core.Message, error]) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for m, err := range messages {
			if err == nil {
				place, _ := x.planner.Placement(m.UID)
				siblings := x.planner.Skeleton.Siblings(place.Position())
				m.Seq, m.Turn, m.Branch, m.Depth = place.Seq, place.Turn, place.Branch, place.Depth
				m.Siblings, m.SiblingIndex = int64(len(siblings)), int64(slices.Index(siblings, place.Position()))+1
			}
			if !yield(m, err) {
				return
			}
		}
	}
}

// labels returns the labels whose turns are included.
func (x *excerpt) labels(all []core.Label) []any {
	var labels []any
	for _, l := range all {
		if place, ok := x.planner.Placement(l.UID); ok {
			l.Turn = place.Turn
			labels = append(labels, l)
		}
	}
	return labels
}
