package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// turnSum adds up what was done and spent in a turn.
type turnSum struct {
	tally       *tally
	agents      []string
	input       int64 // tokens
	output      int64
	nanoUSD     int64
	isKnown     bool // some cost is
	isEstimated bool
	isPartial   bool // some cost is not known
}

func (r *Renderer) newTurnSum(workspace string) *turnSum {
	return &turnSum{tally: r.newTally(workspace)}
}

// maxAgents is how many agents of a turn are named.
const maxAgents = 4

// add adds a message, of an agent that may have been redacted.
func (s *turnSum) add(m *core.Message, agent string) {
	s.tally.add(m)
	if agent != "" && !slices.Contains(s.agents, agent) && len(s.agents) < maxAgents {
		s.agents = append(s.agents, agent)
	}
	if m.Usage != nil {
		s.input += m.Usage.InputTokens
		s.output += m.Usage.OutputTokens
	}
	switch {
	case m.CostNanoUSD != nil:
		s.nanoUSD += *m.CostNanoUSD
		s.isKnown = true
	case m.Estimate.NanoUSD != nil:
		s.nanoUSD += *m.Estimate.NanoUSD
		s.isKnown, s.isEstimated, s.isPartial = true, true, s.isPartial || m.Estimate.Partial
	case m.Usage != nil && m.Usage.InputTokens+m.Usage.OutputTokens > 0:
		s.isPartial = true
	}
}

// line describes the turn: its agents, steps, calls, changes, tokens, cost and time. It is empty if one message has all of
// it.
func (s *turnSum) line() string {
	work := s.tally.result()
	if work.Steps+work.Calls <= 1 {
		return ""
	}
	var facts []string
	for _, agent := range s.agents {
		facts = append(facts, plain.Line(agent, 100))
	}
	facts = append(facts, counted(work.Steps, "step", "steps"))
	if work.Calls > 0 {
		facts = append(facts, counted(work.Calls, "call of a tool", "calls of tools"))
	}
	if work.Failed > 0 {
		facts = append(facts, humanize.Comma(work.Failed)+" failed")
	}
	if work.Files > 0 {
		facts = append(facts, fmt.Sprintf("%s changed, +%s −%s", counted(work.Files, "file", "files"), humanize.Comma(work.Added), humanize.Comma(work.Removed)))
	}
	if s.input+s.output > 0 {
		facts = append(facts, humanize.Comma(s.input)+" tokens in, "+humanize.Comma(s.output)+" out")
	}
	if s.isKnown {
		facts = append(facts, s.cost())
	}
	if lasted := duration(work.WorkedMs); lasted != "" {
		facts = append(facts, lasted)
	}
	return strings.Join(facts, " · ")
}

// cost returns the sum with a mark if parts are estimated or not known.
func (s *turnSum) cost() string {
	mark := ""
	if s.isEstimated {
		mark = "≈ "
	}
	if s.isPartial {
		mark = "≥ "
	}
	return mark + dollars(s.nanoUSD)
}
