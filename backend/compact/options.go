package compact

import (
	"slices"

	"coppice/backend/core"
)

// The defaults of a ContextPlan. AgentZero publishes those of messages and bytes, fuseraft those of turns and tokens.
const (
	DefaultMessages     = 50
	DefaultBytes        = 32_000
	DefaultKeepMessages = 10
	DefaultTurns        = 50
	DefaultKeepTurns    = 10
	DefaultTokens       = 80_000
	DefaultPercent      = 80
)

// Defaults returns the triggers of a strategy that has none configured. They depend on whether the model's context window is
// known: a summary loses details, so a context that has room is not compacted unless the strategy's own tool does so.
func Defaults(strategy core.CompactionStrategy, windowKnown bool) core.ContextPlan {
	p := core.ContextPlan{Strategy: strategy, TriggerPercent: DefaultPercent}
	switch strategy {
	case core.CompactSimple, core.CompactCodeAware, core.CompactRoleBudget:
		p.TriggerMessages, p.TriggerBytes, p.KeepMessages = DefaultMessages, DefaultBytes, DefaultKeepMessages
	case core.CompactLLM:
		p.TriggerTurns, p.KeepTurns = DefaultTurns, DefaultKeepTurns
	case core.CompactWindow:
		p.KeepTurns = 1
		if !windowKnown {
			p.TriggerTokens = DefaultTokens
		}
	default:
		return core.ContextPlan{Strategy: core.CompactNone}
	}
	return p
}

// Check returns an Invalid error for a plan that cannot work.
func Check(p *core.ContextPlan) error {
	if p.Strategy != "" && !slices.Contains(core.CompactionStrategies(), p.Strategy) {
		return core.E(core.Invalid, "unknown compaction strategy %q", p.Strategy).WithHint("Use one of: simple, code-aware, role-budget, llm, window, none")
	}
	for _, n := range []int64{p.TriggerMessages, p.TriggerBytes, p.TriggerTokens, p.TriggerTurns, p.TriggerPercent, p.KeepMessages, p.KeepTurns} {
		if n < 0 {
			return core.E(core.Invalid, "invalid compaction: %d is less than 0", n)
		}
	}
	switch {
	case p.TriggerTurns > 0 && p.KeepTurns >= p.TriggerTurns:
		return core.E(core.Invalid, "invalid compaction: keep_turns (%d) must be less than turns (%d)", p.KeepTurns, p.TriggerTurns)
	case p.TriggerMessages > 0 && p.KeepMessages >= p.TriggerMessages:
		return core.E(core.Invalid, "invalid compaction: keep_messages (%d) must be less than messages (%d)", p.KeepMessages, p.TriggerMessages)
	case p.TriggerPercent > maxPercent:
		return core.E(core.Invalid, "invalid compaction: window_percent is %d, it must be at most %d", p.TriggerPercent, maxPercent)
	}
	return nil
}

// maxPercent is the largest share of the context window at which a compaction can start: an answer needs the rest.
const maxPercent = 95

// Due returns the trigger of a plan that a context has reached; empty: none. fixed is the part of size that is no message.
func Due(p *core.ContextPlan, windowTokens int64, size, fixed Size, turns int64) (why string) {
	switch {
	case p.Strategy == "", p.Strategy == core.CompactNone:
		return ""
	case p.TriggerMessages > 0 && size.Messages > p.TriggerMessages:
		return core.WhyMessages
	case p.TriggerBytes > 0 && size.Bytes > p.TriggerBytes:
		return core.WhyBytes
	case p.TriggerTokens > 0 && size.Tokens > p.TriggerTokens:
		return core.WhyTokens
	case p.TriggerTurns > 0 && turns >= p.TriggerTurns:
		return core.WhyTurns
	case p.TriggerPercent > 0 && windowTokens > 0 && size.Tokens >= windowLimit(p.TriggerPercent, windowTokens, fixed):
		return core.WhyWindow
	}
	return ""
}

// windowLimit returns how many tokens of a context window may be used before a compaction. Where the system prompt and the tools take
// most of it, half of the rest may be used.
func windowLimit(percent, windowTokens int64, fixed Size) int64 {
	return max(windowTokens*percent/100, min(fixed.Tokens+windowTokens*maxPercent/100, 2*windowTokens*maxPercent/100)/2)
}

// WindowLimit returns how many tokens of a context window a compacted context may use.
func WindowLimit(windowTokens int64, fixed Size) int64 {
	return windowLimit(DefaultPercent, windowTokens, fixed)
}

// Plan returns the plan for a model: whether its context window is known, and whether it can write summaries. The error is Invalid
// if the values exclude each other.
func Plan(s core.CompactionSettings, windowKnown, writes bool) (core.ContextPlan, error) {
	strategy := s.Strategy
	auto := strategy == "" || strategy == core.CompactAuto
	if auto {
		strategy = core.CompactCodeAware
		if writes && windowKnown {
			strategy = core.CompactLLM
		}
	}
	p := Defaults(strategy, windowKnown)
	if auto && windowKnown { // there is room up to the share of the window
		p = core.ContextPlan{Strategy: strategy, TriggerPercent: DefaultPercent}
	}
	if p.Strategy == core.CompactNone {
		return p, nil
	}
	for to, from := range map[*int64]*int64{
		&p.TriggerMessages: s.Messages, &p.TriggerBytes: s.Bytes, &p.TriggerTokens: s.Tokens, &p.TriggerTurns: s.Turns, &p.TriggerPercent: s.WindowPercent,
		&p.KeepMessages: s.KeepMessages, &p.KeepTurns: s.KeepTurns,
	} {
		if from != nil {
			*to = *from
		}
	}
	p.Model = s.Model
	return p, Check(&p)
}
