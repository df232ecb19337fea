package script

import (
	"context"
	"iter"
	"sync"

	"coppice/backend/core"
)

// Protocol is the Origin.Protocol of scripted answers.
const Protocol = "script"

// Model plays a script. It may be used concurrently.
type Model struct {
	script *Script

	mutex  sync.Mutex
	asked  map[string]int   // how often a prompt was answered, by the key of its position
	failed map[string]int64 // how often a step failed, by the key of its position and its ID
}

// New returns a model that plays a script from its beginning.
func New(s *Script) *Model {
	return &Model{script: s, asked: map[string]int{}, failed: map[string]int64{}}
}

// Info describes the script as a model.
func (m *Model) Info(id string) core.ModelInfo {
	free := int64(0)
	return core.ModelInfo{
		Provider: "script", ID: id, Name: m.script.Name, ContextTokens: m.script.ContextTokens,
		Images: true, Tools: true, Reasoning: true, Local: true, InputNanoUSD: &free, OutputNanoUSD: &free,
	}
}

// Stream plays the next step of the conversation. A prompt without a matching turn, or without a next step, is an
// Invalid error.
func (m *Model) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		p := &player{ctx: ctx, yield: yield, tokensPerSecond: m.script.TokensPerSecond}
		planned, err := m.plan(r)
		if err != nil {
			p.abort(err)
			return
		}
		p.play(planned)
	}
}

// plan is a step that is ready to be played.
type plan struct {
	delayMs int64
	parts   []core.Part
	fault   error // the failure after the parts; nil if the step succeeds
	limit   int64 // how many bytes precede the failure; -1: all
	done    core.Message
}

func (m *Model) plan(r core.Request) (plan, error) {
	if limit, length := m.script.ContextTokens, size(r); limit > 0 && length > limit {
		return plan{}, core.E(core.ContextOverflow, "the conversation has about %d tokens, but the script %s accepts %d", length, m.script.Name, limit)
	}
	where := locate(r.Messages)
	turn := m.script.turn(where)
	if turn < 0 {
		return plan{}, core.E(core.Invalid, "the script %s has no answer to %q", m.script.Name, line(where.prompt)).
			WithHint("Add a turn without match for prompts that no other turn matches")
	}
	alternative := m.alternative(where, turn)
	steps := m.script.Turns[turn].Alternatives[alternative]
	found, ok := stepAt(steps, where.step)
	if !ok {
		return plan{}, core.E(core.Invalid, "the script %s ends after step %d of turns[%d].alternatives[%d]", m.script.Name, len(steps), turn, alternative).
			WithHint("%s", hint)
	}
	id := answerID(turn, alternative, where.step)
	ready := prepare(found, where, r)
	ready.done.Origin = &core.Origin{Protocol: Protocol, Provider: "script", RequestModel: r.Model, ResponseModel: m.script.Name, ResponseID: id}
	if !m.fails(found, where.key+id) {
		ready.fault, ready.limit = nil, -1
		m.answered(where)
	}
	return ready, nil
}

// alternative returns the alternative of the last answer, or, before the first answer, the next one.
func (m *Model) alternative(p position, turn int) int {
	count := len(m.script.Turns[turn].Alternatives)
	if a, ok := alternativeOf(p.answer, turn, count); ok {
		return a
	}
	if p.step > 0 {
		return 0
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.asked[p.key] % count
}

// answered counts an answer, so that the same prompt gets the next alternative. A failed step is not counted, because
// it is tried again.
func (m *Model) answered(p position) {
	if p.step > 0 {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.asked[p.key]++
}

// fails reports whether a step fails this time, and counts it.
func (m *Model) fails(s step, key string) bool {
	times := int64(0)
	switch {
	case s.Error != nil && s.Error.Times != 0:
		times = s.Error.Times
	case s.Error != nil || s.CutAfterBytes != nil:
		times = 1
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if times >= 0 && m.failed[key] >= times {
		return false
	}
	m.failed[key]++
	return true
}

// prepare builds a step's parts, without its calls if the request has no tools.
func prepare(s step, where position, r core.Request) plan {
	fill, fillJSON := filler(where), inJSON(where)
	ready := plan{delayMs: s.DelayMs, limit: -1}
	if s.Reasoning != "" {
		ready.parts = append(ready.parts, core.Part{Type: core.PartReasoning, Text: fill.Replace(s.Reasoning)})
	}
	if s.Text != "" {
		ready.parts = append(ready.parts, core.Part{Type: core.PartText, Text: fill.Replace(s.Text)})
	}
	finish := core.FinishStop
	if len(r.Tools) > 0 && r.ToolChoice != core.ToolChoiceNone {
		for _, c := range s.ToolCalls {
			ready.parts = append(ready.parts, call(newCallID(), c.Name, fillJSON.Replace(c.raw())))
			finish = core.FinishToolCall
		}
	}
	if s.FinishReason != "" {
		finish = s.FinishReason
	}
	if s.CutAfterBytes != nil {
		ready.limit = *s.CutAfterBytes
		ready.fault = core.E(core.TruncatedStream, "the script's answer ended early")
	}
	if s.Error != nil {
		ready.fault = &core.Error{Code: s.Error.Code, Message: s.Error.message(), RetryAfterMs: s.Error.RetryAfterMs}
	}
	ready.done = core.Message{
		Role: core.RoleAssistant, Kind: core.KindMessage, Parts: parts(ready.parts), Usage: s.counted(size(r), ready.parts),
		CostNanoUSD: s.CostNanoUSD, FinishReason: finish, FinishRaw: finish,
	}
	return ready
}

func (f *fault) message() string {
	if f.Message != "" {
		return f.Message
	}
	return "the script says " + string(f.Code)
}

// counted returns the usage of the script, or an estimate by length.
func (s *step) counted(input int64, said []core.Part) *core.Usage {
	if u := s.Usage; u != nil {
		return &core.Usage{
			InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CacheReadTokens: u.CacheReadTokens,
			CacheWriteTokens: u.CacheWriteTokens, ReasoningTokens: u.ReasoningTokens,
		}
	}
	reckoned := &core.Usage{InputTokens: input}
	for _, p := range said {
		n := tokens(len(written(p)))
		reckoned.OutputTokens += n
		if p.Type == core.PartReasoning {
			reckoned.ReasoningTokens += n
		}
	}
	return reckoned
}

// parts returns the parts as a message requires them: never nil.
func parts(p []core.Part) []core.Part {
	return append([]core.Part{}, p...)
}
