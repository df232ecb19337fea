// Package compact shortens the context of a conversation: it replaces the old part of a path by a summary and removes old
// output of tools. All of it is pure functions: the same path and the same options give the same result.
//
// A compaction is a message of kind core.KindCompaction below the last message of the path. Its Meta states what it
// replaces; ViewOf applies it. The tree loses nothing.
package compact

import (
	"cmp"
	"fmt"

	"coppice/backend/core"
)

// Input is what a compaction is made from.
type Input struct {
	Path         []core.Message
	Plan         core.ContextPlan
	WindowTokens int64 // of the model; 0: unknown
	Fixed        Size  // of what is sent besides the messages, see FixedSize
	// Sent returns the messages of a path as they are sent to a model.
	Sent  func(path []core.Message) []core.Message
	Why   string
	Focus string // what the summary should keep
	// LimitTokens is the largest context that may result; 0: that of the plan and the window.
	LimitTokens int64

	answer string // of the model that wrote the summary, see Result.Answered
}

// Result is a compaction.
type Result struct {
	// Message is the compaction, without its position. With strategy llm it is complete only after Answered.
	Message       core.Message
	Before, After Size
	// Fits reports whether the context is within the limit. If it is not, Excess names what is too large.
	Fits   bool
	Excess string
	// Request asks a model for the summary; nil: none is needed.
	Request *core.Request

	in   Input
	form form
}

// form is one way to compact a path.
type form struct {
	strategy       core.CompactionStrategy
	cut            int // how many messages of the view are replaced
	blankedBefore  int // the outputs of the messages of the view before it are removed
	maxOutputChars int64
}

const (
	aimPercent  = 50 // of the limit: the size that a compaction aims at, so that the next one is not due at once
	roomPercent = 90 // of the limit: what is accepted if the aim cannot be reached
	minSaving   = 10 // percent of the tokens; fuseraft's AntiThrash
	maxKeptTail = 20_000
	tailPercent = 25 // of the room for messages: the newest messages that stay
)

// Compact returns the compaction that the input asks for. The error is Conflict if there is nothing to compact, or if it would save too
// little.
func Compact(in Input) (Result, error) {
	v := ViewOf(in.Path)
	before := in.size(in.Path)
	var best Result
	found := false
	for _, f := range in.forms(&v, before) {
		r := in.result(&v, f, before)
		if f.strategy == core.CompactBlanking && in.LimitTokens == 0 && !in.enough(r.After) {
			continue
		}
		if !found || r.After.Tokens < best.After.Tokens && !in.within(best.After, roomPercent) {
			best, found = r, true
		}
		if in.within(r.After, aimPercent) {
			best = r
			break
		}
	}
	if !found {
		return Result{}, core.E(core.Conflict, "nothing to compact: the context has %d messages", before.Messages)
	}
	if best.form.strategy == core.CompactLLM {
		best.Request = in.request(&v, best.form)
		return best, nil
	}
	return best.settled(&v)
}

// settled completes the best form that was found.
func (r Result) settled(v *View) (Result, error) {
	if saved := r.Before.Tokens - r.After.Tokens; !r.useful(saved) {
		return Result{}, core.E(core.Conflict, "nothing to compact: it would save %d of %d tokens", max(saved, 0), r.Before.Tokens)
	}
	r.Fits = r.in.within(r.After, 100)
	if !r.Fits {
		r.Excess = r.in.excess(v)
	}
	return r, nil
}

// useful reports whether a compaction saves enough to be worth the details that it loses. What the user requests, and what is needed to
// fit a window, needs only to be smaller; fewer messages are what a trigger by messages or turns asks for.
func (r *Result) useful(savedTokens int64) bool {
	switch r.in.Why {
	case core.WhyRequested, core.WhyOverflow:
		return savedTokens > 0
	case core.WhyMessages, core.WhyTurns:
		return r.After.Messages < r.Before.Messages
	default:
		return savedTokens*100 >= r.Before.Tokens*minSaving
	}
}

// size returns the size of the context of a path.
func (in *Input) size(path []core.Message) Size { return SizeOf(in.Sent(path)).Plus(in.Fixed) }

// limit returns the largest context in tokens; 0: none is known.
func (in *Input) limit() int64 {
	switch {
	case in.LimitTokens > 0:
		return in.LimitTokens
	case in.WindowTokens > 0:
		return windowLimit(cmp.Or(in.Plan.TriggerPercent, DefaultPercent), in.WindowTokens, in.Fixed)
	default:
		return in.Plan.TriggerTokens
	}
}

// share returns a part of the room that the limit leaves for messages, in hundredths.
func (in *Input) share(percent int64) int64 {
	return max(in.limit()-in.Fixed.Tokens, 0) * percent / 100
}

// within reports whether a size takes at most so many hundredths of the room for messages, and has no more messages than the plan allows.
func (in *Input) within(s Size, percent int64) bool {
	if in.limit() > 0 && s.Tokens-in.Fixed.Tokens > in.share(percent) {
		return false
	}
	return in.Plan.TriggerMessages == 0 || s.Messages <= in.Plan.TriggerMessages
}

// enough reports whether blanking alone makes a summary unnecessary.
func (in *Input) enough(s Size) bool {
	limit := in.Plan.TriggerBytes
	return in.within(s, aimPercent) && (limit == 0 || s.Bytes <= limit*aimPercent/100)
}

// forms returns the ways to compact a view, from the one that keeps most.
func (in *Input) forms(v *View, before Size) []form {
	allowed := cuts(v.Messages)
	var forms []form
	if in.Why == core.WhyBytes || in.Why == core.WhyTokens || in.Why == core.WhyWindow || in.Why == core.WhyOverflow {
		if at, saves := in.blankable(v, allowed, before); saves {
			forms = append(forms, form{strategy: core.CompactBlanking, blankedBefore: at})
		}
	}
	strategy := in.Plan.Strategy
	if strategy == "" || strategy == core.CompactNone { // the user has asked for one all the same
		strategy = core.CompactCodeAware
	}
	first := in.preferred(v, allowed)
	if first == 0 {
		return forms
	}
	last := allowed[len(allowed)-1]
	forms = append(forms, form{strategy: strategy, cut: first})
	if in.limit() == 0 {
		return forms
	}
	for tail := SizeOf(v.Messages[first:]).Tokens / 2; tail > 0; tail /= 2 {
		cut := firstFrom(allowed, max(tailStart(v.Messages, tail), first))
		if cut != forms[len(forms)-1].cut {
			forms = append(forms, form{strategy: strategy, cut: cut})
		}
		if cut == last {
			break
		}
	}
	for i, chars := 0, int64(maxMessageChars); i <= shrinkTries+1; i, chars = i+1, chars*8/10 {
		if i > shrinkTries {
			chars = minShrunkChars
		}
		forms = append(forms, form{strategy: strategy, cut: last, maxOutputChars: chars})
	}
	return forms
}

// The constants by which fuseraft shortens messages.
const (
	maxMessageChars = 8000
	shrinkTries     = 4 // by a fifth each
	minShrunkChars  = 200
	truncatedMark   = " [TRUNCATED — %d chars total]"
)

// preferred returns the cut that keeps what the plan wants to keep; 0 if there is nothing to replace. Where a limit demands it, less
// than that is kept.
func (in *Input) preferred(v *View, allowed []int) int {
	n, p, cut := len(v.Messages), &in.Plan, 0
	if p.KeepMessages > 0 && int64(n) > p.KeepMessages {
		cut = max(cut, firstFrom(allowed, n-int(p.KeepMessages)))
	}
	if p.KeepTurns > 0 {
		cut = max(cut, turnStart(v.Messages, p.KeepTurns))
	}
	if in.limit() > 0 && SizeOf(v.Messages).Tokens > in.share(aimPercent) {
		cut = max(cut, in.tailCut(v, allowed, min(maxKeptTail, in.share(tailPercent))))
	}
	if cut == 0 && (in.Why == core.WhyRequested || in.Why == core.WhyOverflow) {
		if cut = turnStart(v.Messages, 1); cut == 0 {
			cut = firstFrom(allowed, n/2)
		}
		if in.Why == core.WhyRequested && cut <= v.Kept { // the last compaction has left no more than this
			return 0
		}
	}
	if cut == 0 {
		return 0
	}
	return firstFrom(allowed, cut)
}

// tailCut returns the cut that keeps so many tokens: at the beginning of a turn if one begins there.
func (in *Input) tailCut(v *View, allowed []int, tokens int64) int {
	start := tailStart(v.Messages, tokens)
	if start == 0 {
		return 0
	}
	for i := start; i < len(v.Messages); i++ {
		if v.Messages[i].IsPrompt() {
			return i
		}
	}
	return firstFrom(allowed, start)
}

// The outputs of tools that are never blanked are those of the newest keptOutputTokens; blanking starts when it frees freedTokens. Smaller
// windows have smaller ones.
const (
	keptOutputTokens = 40_000
	freedTokens      = 20_000
	keptOutputShare  = 4 // of the limit, one in so many parts
	freedShare       = 8
)

// blankable returns before which message the outputs of tools can be removed, and whether that frees enough.
func (in *Input) blankable(v *View, allowed []int, before Size) (at int, saves bool) {
	keep, free := int64(keptOutputTokens), int64(freedTokens)
	limit := in.limit()
	if limit == 0 {
		limit = in.Plan.TriggerBytes / charsPerToken
	}
	if limit > 0 {
		keep, free = min(keep, limit/keptOutputShare), min(free, limit/freedShare)
	}
	at = tailStart(v.Messages, keep)
	if in.Plan.KeepMessages > 0 {
		at = min(at, max(len(v.Messages)-int(in.Plan.KeepMessages), 0))
	}
	if at == 0 || len(allowed) == 0 {
		return 0, false
	}
	if at = firstFrom(allowed, at); at == 0 {
		return 0, false
	}
	after := in.size(append(in.Path[:len(in.Path):len(in.Path)], in.message(v, form{strategy: core.CompactBlanking, blankedBefore: at}, before)))
	return at, before.Tokens-after.Tokens > free
}

// result returns the compaction of a form, with its size.
func (in *Input) result(v *View, f form, before Size) Result {
	r := Result{in: *in, form: f, Before: before}
	r.Message = in.message(v, f, before)
	r.After = in.size(append(in.Path[:len(in.Path):len(in.Path)], r.Message))
	r.stamp()
	return r
}

// stamp writes the sizes into the message.
func (r *Result) stamp() {
	if c, ok := r.Message.Compaction(); ok {
		c.MessagesAfter, c.TokensAfter = r.After.Messages, r.After.Tokens
		r.Message.Meta = c.Meta()
	}
}

// excess names the largest part of a context that does not fit.
func (in *Input) excess(v *View) string {
	allowed := cuts(v.Messages)
	newest := v.Messages
	if len(allowed) > 0 {
		newest = newest[allowed[len(allowed)-1]:]
	}
	return Excess(in.Fixed, in.Sent(newest), in.limit())
}

// Excess describes why a context cannot be made to fit a limit: the sizes of what cannot be removed.
func Excess(fixed Size, newest []core.Message, limitTokens int64) string {
	last := SizeOf(newest).Tokens
	what := "the newest turn"
	if fixed.Tokens > last {
		what = "the system prompt with the tools"
	}
	text := fmt.Sprintf("%s is too large: the system prompt and the tools have about %d tokens, the newest turn %d", what, fixed.Tokens, last)
	if limitTokens > 0 {
		text += fmt.Sprintf("; %d are available", limitTokens)
	}
	return text
}
