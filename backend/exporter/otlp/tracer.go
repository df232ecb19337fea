package otlp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

// tracer turns the messages of a session into spans.
type tracer struct {
	session core.Session
	parents []core.Turn // the turns of the session, by number
	emit    func(s *span, first bool) error
	emitted bool
	turns   []*turn         // in the order of their first messages
	byTurn  map[int64]*turn // by number
	calls   map[string]call // without a result yet, by id
	input   []chatMessage   // what was added to inputOf since its last answer
	inputOf int64
}

// turn is the span of a turn, which is written last.
type turn struct {
	number         int64
	startMs, endMs int64
	beforeMs       int64 // the end of what came before the last message; 0: nothing did
	agent, model   string
	failure        string
	prompt         []chatMessage
	inputTokens    int64
	outputTokens   int64
	costNanoUSD    int64
}

// call is a call of a tool.
type call struct {
	turn      *turn
	parentID  string // of the span of the answer
	part      core.Part
	startedMs int64
}

// add writes the spans that a message completes.
func (t *tracer) add(m *core.Message) error {
	at := t.turn(m)
	if t.inputOf != m.Turn {
		t.input, t.inputOf = nil, m.Turn
	}
	if m.IsCall() {
		err := t.answer(at, m)
		t.input = nil
		return err
	}
	converted := messageOf(m)
	if m.IsPrompt() && at.prompt == nil {
		at.prompt = []chatMessage{converted}
	}
	if len(converted.Parts) > 0 {
		t.input = append(t.input, converted)
	}
	return t.results(m)
}

// turn returns the turn of a message, which it extends.
func (t *tracer) turn(m *core.Message) *turn {
	at := t.byTurn[m.Turn]
	if at == nil {
		at = &turn{number: m.Turn, startMs: m.CreatedAtMs}
		t.byTurn[m.Turn] = at
		t.turns = append(t.turns, at)
	}
	at.beforeMs, at.endMs = at.endMs, max(at.endMs, m.EndMs())
	return at
}

// answer writes the span of an answer and remembers its calls.
func (t *tracer) answer(at *turn, m *core.Message) error {
	at.agent, at.model = cmp.Or(at.agent, m.Agent), cmp.Or(m.Model, at.model)
	s := t.span(at, "chat "+m.UID, kindClient)
	s.Name, s.ParentSpanID = named("chat", m.Model), t.spanID(at.key())
	startMs := m.CreatedAtMs
	if m.FinishedAtMs == 0 && at.beforeMs > 0 { // many tools record only when an answer ended
		startMs = min(startMs, at.beforeMs)
	}
	s.StartTimeUnixNano, s.EndTimeUnixNano = nanos(startMs), nanos(m.EndMs())
	s.Attributes = s.Attributes.text("gen_ai.operation.name", "chat").
		text("gen_ai.provider.name", exporter.Provider(m)).
		text("gen_ai.response.model", m.Model).
		text("gen_ai.agent.name", m.Agent).
		list("gen_ai.response.finish_reasons", m.FinishReason).
		text("gen_ai.input.messages", encode(t.input)).
		text("gen_ai.output.messages", encode([]chatMessage{outputOf(m)})).
		text("coppice.message.uid", m.UID)
	if m.Origin != nil {
		s.Attributes = s.Attributes.text("gen_ai.request.model", m.Origin.RequestModel).text("gen_ai.response.id", m.Origin.ResponseID)
	}
	at.count(m)
	s.Attributes = usage(s.Attributes, m)
	if m.Error != "" {
		at.failure, s.Status = m.Error, &status{statusError, m.Error}
	}
	if err := t.write(&s); err != nil {
		return err
	}
	for _, p := range m.Parts {
		if p.Type != core.PartToolCall {
			continue
		}
		if err := t.begin(call{turn: at, parentID: s.SpanID, part: p, startedMs: m.EndMs()}); err != nil {
			return err
		}
	}
	return nil
}

// begin remembers a call until its result comes. A call that has the id of another, such as that of another branch, ends that one.
func (t *tracer) begin(c call) error {
	before, open := t.calls[c.part.ID]
	t.calls[c.part.ID] = c
	if !open || before.parentID == c.parentID {
		return nil
	}
	return t.tool(before, nil, before.startedMs)
}

// count adds what an answer took to its turn.
func (at *turn) count(m *core.Message) {
	if m.Usage != nil {
		at.inputTokens += m.Usage.InputTokens
		if !m.HasPlaceholderOutput() {
			at.outputTokens += m.Usage.OutputTokens
		}
	}
	if m.CostNanoUSD != nil {
		at.costNanoUSD += *m.CostNanoUSD
	}
}

// usage adds the tokens and the cost of an answer. The conventions have no name for costs.
func usage(a attributes, m *core.Message) attributes {
	if u := m.Usage; u != nil {
		a = a.number("gen_ai.usage.input_tokens", u.InputTokens)
		if !m.HasPlaceholderOutput() {
			a = a.number("gen_ai.usage.output_tokens", u.OutputTokens)
		}
		a = a.number("gen_ai.usage.cache_read.input_tokens", u.CacheReadTokens).
			number("gen_ai.usage.cache_creation.input_tokens", u.CacheWriteTokens).
			number("gen_ai.usage.reasoning.output_tokens", u.ReasoningTokens).
			flag("coppice.usage.estimated", u.IsEstimated())
	}
	if m.CostNanoUSD != nil {
		return a.number("coppice.cost_nano_usd", *m.CostNanoUSD)
	}
	if m.Estimate.NanoUSD != nil {
		return a.number("coppice.list_price_nano_usd", *m.Estimate.NanoUSD)
	}
	return a
}

// results writes the spans of the calls whose results a message has.
func (t *tracer) results(m *core.Message) error {
	for i := range m.Parts {
		p := &m.Parts[i]
		c, ok := t.calls[p.ID]
		if p.Type != core.PartToolResult || !ok {
			continue
		}
		delete(t.calls, p.ID)
		if err := t.tool(c, p, m.CreatedAtMs); err != nil {
			return err
		}
	}
	return nil
}

// tool writes the span of a call; result is nil if it is missing.
func (t *tracer) tool(c call, result *core.Part, endMs int64) error {
	s := t.span(c.turn, "tool "+c.parentID+" "+c.part.ID, kindInternal)
	s.Name, s.ParentSpanID = named("execute_tool", c.part.Name), c.parentID
	startMs := c.startedMs
	if result != nil && result.DurationMs > 0 {
		startMs = endMs - result.DurationMs
	}
	s.StartTimeUnixNano, s.EndTimeUnixNano = nanos(startMs), nanos(max(startMs, endMs))
	s.Attributes = s.Attributes.text("gen_ai.operation.name", "execute_tool").
		text("gen_ai.tool.name", c.part.Name).
		text("gen_ai.tool.call.id", c.part.ID).
		text("gen_ai.tool.call.arguments", cmp.Or(string(c.part.Arguments), c.part.Text))
	if result == nil {
		s.Status = &status{statusError, "the call has no result"}
		return t.write(&s)
	}
	s.Attributes = s.Attributes.text("gen_ai.tool.call.result", textOf(result.Result))
	if result.IsError {
		s.Status = &status{Code: statusError}
	}
	return t.write(&s)
}

// finish writes the calls without a result, and the turns.
func (t *tracer) finish() error {
	for _, id := range slices.Sorted(maps.Keys(t.calls)) {
		c := t.calls[id]
		if err := t.tool(c, nil, c.startedMs); err != nil {
			return err
		}
	}
	for _, at := range t.turns {
		if err := t.write(t.turnSpan(at)); err != nil {
			return err
		}
	}
	return nil
}

// turnSpan returns the span of a turn, which links to the turn that it continues.
func (t *tracer) turnSpan(at *turn) *span {
	s := t.span(at, at.key(), kindInternal)
	s.Name = named("invoke_agent", cmp.Or(at.agent, string(t.session.Source)))
	s.StartTimeUnixNano, s.EndTimeUnixNano = nanos(at.startMs), nanos(at.endMs)
	s.Attributes = s.Attributes.text("gen_ai.operation.name", "invoke_agent").
		text("gen_ai.agent.name", at.agent).
		text("gen_ai.request.model", at.model).
		text("gen_ai.input.messages", encode(at.prompt)).
		number("gen_ai.usage.input_tokens", at.inputTokens).
		number("gen_ai.usage.output_tokens", at.outputTokens).
		number("coppice.cost_nano_usd", at.costNanoUSD)
	if at.failure != "" {
		s.Status = &status{statusError, at.failure}
	}
	if at.number < int64(len(t.parents)) {
		if parent := t.byTurn[t.parents[at.number].Parent]; parent != nil {
			s.Links = []spanLink{{TraceID: t.traceID(parent), SpanID: t.spanID(parent.key())}}
		}
	}
	return &s
}

// span returns a span of a turn with the attributes that all have.
func (t *tracer) span(at *turn, key string, kind int) span {
	return span{
		TraceID: t.traceID(at), SpanID: t.spanID(key), Kind: kind,
		Attributes: attributes{}.
			text("gen_ai.conversation.id", cmp.Or(t.session.SourceID, t.session.ID)).
			text("coppice.node", "n"+strconv.FormatInt(at.number, 10)),
	}
}

func (t *tracer) write(s *span) error {
	first := !t.emitted
	t.emitted = true
	return t.emit(s, first)
}

// key identifies the span of a turn in its session.
func (at *turn) key() string { return "turn " + strconv.FormatInt(at.number, 10) }

// traceID and spanID derive ids, so that every export of a session has the same.
func (t *tracer) traceID(at *turn) string { return t.hash("trace "+at.key(), 16) }

func (t *tracer) spanID(key string) string { return t.hash(key, 8) }

func (t *tracer) hash(key string, sizeBytes int) string {
	sum := sha256.Sum256([]byte(t.session.ID + "\x00" + key))
	return hex.EncodeToString(sum[:sizeBytes])
}

// named returns the name of a span: the operation and what it is applied to.
func named(operation, of string) string {
	if of == "" {
		return operation
	}
	return operation + " " + of
}
