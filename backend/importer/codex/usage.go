package codex

import (
	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/twopass"
)

// counts are tokens: cached ones are part of the input, reasoning of the output.
type counts struct{ input, cached, written, output, reasoning int64 }

// expense is what a token_count event adds to the reply before it. There is one for every reply, so they are not among the entries.
type expense struct {
	counts
	before int32 // in entries: the next one
	fresh  bool  // it was not imported before
}

func readCounts(v gjson.Result) counts {
	n := func(key string) int64 { return max(0, v.Get(key).Int()) }
	return counts{
		input: n("input_tokens"), cached: n("cached_input_tokens"), written: n("cache_write_input_tokens"),
		output: n("output_tokens"), reasoning: n("reasoning_output_tokens"),
	}
}

// count adds what a token_count event adds to the previous totals. The totals count: an event is repeated whenever a
// limit changes. Totals that fall mean that counting restarted.
func (s *skeleton) count(r *record, at twopass.Position) {
	info := r.payload.Get("info")
	total, last := info.Get("total_token_usage"), readCounts(info.Get("last_token_usage"))
	if !total.IsObject() {
		return
	}
	now := readCounts(total)
	added := now
	switch before := s.lastUsage; {
	case before != nil && now.below(*before):
		if last != (counts{}) {
			added = last
		}
	case before != nil:
		added = now.less(*before)
	case s.meta.copied && last != (counts{}):
		added = last // the totals are those of the session it was copied from
	}
	s.lastUsage = &now
	if added == (counts{}) {
		return
	}
	s.spent.Add(expense{counts: added, before: s.entries.Len(), fresh: s.isNew(at)})
}

func (c counts) below(d counts) bool { return c.input < d.input || c.output < d.output }

func (c counts) less(d counts) counts {
	return counts{
		c.input - d.input, max(0, c.cached-d.cached), max(0, c.written-d.written), c.output - d.output, max(0, c.reasoning-d.reasoning),
	}
}

// usageOf returns the tokens of a message; nil if they are unknown.
func (s *skeleton) usageOf(n int32) *core.Usage {
	at := s.nodes.At(n).usage
	if at == 0 {
		return nil
	}
	c := s.spent.At(at)
	return &core.Usage{
		InputTokens: c.input, OutputTokens: c.output, CacheReadTokens: c.cached, CacheWriteTokens: c.written, ReasoningTokens: c.reasoning,
	}
}

func (c counts) plus(d counts) counts {
	return counts{c.input + d.input, c.cached + d.cached, c.written + d.written, c.output + d.output, c.reasoning + d.reasoning}
}
