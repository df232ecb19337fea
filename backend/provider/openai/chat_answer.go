package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// Fields that servers add to the protocol's messages, and require back unchanged.
const (
	fieldReasoningContent = "reasoning_content" // DeepSeek, llama.cpp, vLLM, Moonshot, Qwen …
	fieldReasoning        = "reasoning"         // OpenRouter, Groq, newer vLLM, LM Studio
	fieldDetails          = "reasoning_details" // OpenRouter: signed or encrypted
	fieldExtra            = "extra_content"     // Gemini: the signature of its thoughts
)

// piece is a part of the message that is being received.
type piece struct {
	index    int
	kind     core.PartType
	text     strings.Builder // of a tool call: its arguments
	id, name string
	fields   fields // that are not part of the protocol
	inner    fields // the same, of the function of a tool call
}

// chatAnswer builds the message from the chunks of chat completions.
type chatAnswer struct {
	call    failure.Call
	quirks  quirks
	origin  core.Origin
	pieces  []*piece
	spoken  *piece // the text
	thought *piece // the reasoning
	field   string // the field that held the reasoning
	details details
	calls   map[int64]*piece // by the server's index
	latest  *piece           // the call that was written last
	refused bool
	finish  string // as the server sent it; empty if it has not arrived
	usage   *core.Usage
	cost    *int64
	done    bool
}

// Ended reports whether nothing can follow.
func (a *chatAnswer) Ended() bool { return a.done }

// Whole reports whether a finish reason has arrived.
func (a *chatAnswer) Whole() bool { return a.finish != "" }

// Take adds a chunk.
func (a *chatAnswer) Take(e wire.Event) ([]core.StreamEvent, error) {
	if bytes.HasPrefix(e.Data, []byte("[DONE]")) {
		a.done = true
		if !a.Whole() {
			return nil, errNoFinish
		}
		return nil, nil
	}
	if e.Name == "error" {
		return nil, a.call.Event(e.Data, a.origin.RequestID)
	}
	var chunk fields
	if err := json.Unmarshal(e.Data, &chunk); err != nil {
		return nil, err
	}
	if chunk.given("error") {
		return nil, a.call.Event(e.Data, a.origin.RequestID)
	}
	a.origin.ResponseID = first(a.origin.ResponseID, chunk.text("id"))
	a.origin.ResponseModel = first(a.origin.ResponseModel, chunk.text("model"))
	a.count(chunk["usage"])
	choices := chunk.list("choices")
	if len(choices) == 0 {
		a.done = a.Whole() && chunk.object("usage") != nil // the usage arrives last
		return nil, nil
	}
	return a.choice(choices[0])
}

func (a *chatAnswer) choice(choice fields) ([]core.StreamEvent, error) {
	pieces := a.delta(choice.object("delta"))
	a.finish = first(choice.text("finish_reason"), a.finish)
	a.count(choice["usage"]) // Moonshot puts it here
	switch a.finish {
	case "error", "insufficient_system_resource": // OpenRouter, DeepSeek
		a.finish = ""
		return pieces, a.call.Event([]byte(`{"error":{"message":"the model stopped half-way","type":"overloaded"}}`), a.origin.RequestID)
	}
	return pieces, nil
}

var (
	errNoFinish = errors.New("no finish_reason received")
	errHalfItem = errors.New("an item was not finished")
)

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// delta adds what a chunk holds to the message.
func (a *chatAnswer) delta(d fields) []core.StreamEvent {
	var events []core.StreamEvent
	if text := a.reasoning(d); text != "" {
		events = append(events, a.say(&a.thought, core.PartReasoning, text))
	}
	thought, said := contentOf(d)
	if thought != "" {
		events = append(events, a.say(&a.thought, core.PartReasoning, thought))
	}
	refusal := d.text("refusal")
	for _, text := range []string{said, refusal} {
		if text != "" {
			events = append(events, a.say(&a.spoken, core.PartText, text))
		}
	}
	a.refused = a.refused || refusal != ""
	if d.given(fieldExtra) {
		a.open(&a.spoken, core.PartText).fields[fieldExtra] = d[fieldExtra]
	}
	for _, call := range d.list("tool_calls") {
		events = append(events, a.toolCall(call))
	}
	return events
}

// contentOf returns the content of a delta. Mistral sends a list of pieces if its model reasons.
func contentOf(d fields) (thought, text string) {
	if !bytes.HasPrefix(d["content"], []byte("[")) {
		return "", d.text("content")
	}
	var pieces []struct {
		Text     string
		Thinking []struct{ Text string }
	}
	if json.Unmarshal(d["content"], &pieces) != nil {
		return "", ""
	}
	for _, p := range pieces {
		text += p.Text
		for _, t := range p.Thinking {
			thought += t.Text
		}
	}
	return thought, text
}

// reasoning returns the reasoning in a delta. Some servers send it twice, under an old and a new name.
func (a *chatAnswer) reasoning(d fields) string {
	if d.given(fieldDetails) {
		a.open(&a.thought, core.PartReasoning)
		text := a.details.add(d[fieldDetails])
		if a.field == "" && !d.given(fieldReasoning) {
			return text
		}
	}
	for _, name := range []string{fieldReasoningContent, fieldReasoning} {
		if text := d.text(name); text != "" && (a.field == "" || a.field == name) {
			a.field = name
			return text
		}
	}
	return ""
}

// open returns the piece, and begins it if it is the first of its kind.
func (a *chatAnswer) open(p **piece, kind core.PartType) *piece {
	if *p == nil {
		*p = &piece{index: len(a.pieces), kind: kind, fields: fields{}}
		a.pieces = append(a.pieces, *p)
	}
	return *p
}

func (a *chatAnswer) say(p **piece, kind core.PartType, text string) core.StreamEvent {
	open := a.open(p, kind)
	open.text.WriteString(text)
	e := core.StreamEvent{Type: core.StreamText, Index: open.index, Text: text}
	if kind == core.PartReasoning {
		e.Type = core.StreamReasoning
	}
	return e
}

// toolCall adds a piece of a call.
func (a *chatAnswer) toolCall(d fields) core.StreamEvent {
	function := d.object("function")
	p, fresh := a.callOf(d, function.text("name"))
	a.latest = p
	text := callText(function)
	p.text.WriteString(text)
	keep(p.fields, d, "index", "id", "function", "type")
	keep(p.inner, function, "arguments", "name")
	e := core.StreamEvent{Type: core.StreamToolCall, Index: p.index, Text: text}
	if fresh {
		e.ID, e.Name = p.id, p.name
	}
	return e
}

// callOf returns the call that a delta belongs to. Some servers send no index, or the same index for all calls, each
// with its own id and name.
func (a *chatAnswer) callOf(d fields, name string) (p *piece, fresh bool) {
	index, indexed := d.count("index")
	id := d.text("id")
	p = a.latest
	if indexed {
		p = a.calls[index]
	}
	if p != nil && p.continues(id, name, indexed) {
		if name != p.name {
			p.name += name
		}
		return p, false
	}
	p = nil
	p = a.open(&p, core.PartToolCall)
	p.id, p.name, p.inner = a.freshID(id), name, fields{}
	if indexed {
		a.calls[index] = p
	}
	return p, true
}

// continues reports whether a delta with this id and name continues the call.
func (p *piece) continues(id, name string, indexed bool) bool {
	switch {
	case name == "" || id == p.id: // a call begins with a name; some servers send a new id with each delta
		return true
	case id == "":
		return indexed
	}
	return false
}

// freshID returns the id of a call, or a new one if the server sent none or repeats one.
func (a *chatAnswer) freshID(id string) string {
	taken := id == ""
	for _, p := range a.pieces {
		taken = taken || p.kind == core.PartToolCall && p.id == id
	}
	if !taken {
		return id
	}
	return newCallID()
}

// callText returns the arguments in a delta; some servers send an object instead of a string.
func callText(function fields) string {
	raw := function["arguments"]
	if bytes.HasPrefix(raw, []byte("{")) {
		return string(raw)
	}
	return function.text("arguments")
}

// keep adds the fields that are not part of the protocol.
func keep(to, from fields, own ...string) {
	for name := range from {
		if from.given(name) && !slices.Contains(own, name) {
			to[name] = from[name]
		}
	}
}

// count takes the usage; the last one is valid.
func (a *chatAnswer) count(raw json.RawMessage) {
	if usage := chatUsage(raw); usage != nil {
		a.usage = usage
		if a.quirks.cost {
			a.cost = chatCost(raw)
		}
	}
}

// Message returns the whole message.
func (a *chatAnswer) Message() *core.Message {
	m := a.assemble()
	var calls int
	for _, p := range a.pieces {
		part, ok := a.part(p)
		if !ok {
			continue
		}
		if part.Type == core.PartToolCall {
			calls++
		}
		m.Parts = append(m.Parts, part)
	}
	m.FinishRaw = a.finish
	m.FinishReason = a.reason(calls)
	return m
}

// Partial returns the text and the reasoning of an answer that broke off.
func (a *chatAnswer) Partial() *core.Message {
	m := a.assemble()
	for _, p := range a.pieces {
		if p.kind != core.PartToolCall && p.text.Len() > 0 {
			m.Parts = append(m.Parts, core.Part{Type: p.kind, Text: p.text.String()})
		}
	}
	m.FinishRaw = a.finish
	return m
}

func (a *chatAnswer) assemble() *core.Message {
	origin := a.origin
	return &core.Message{Role: core.RoleAssistant, Parts: []core.Part{}, Usage: a.usage, CostNanoUSD: a.cost, Origin: &origin}
}

// part returns a piece as it is stored; false if it is empty.
func (a *chatAnswer) part(p *piece) (core.Part, bool) {
	part := core.Part{Type: p.kind, Text: p.text.String()}
	switch p.kind {
	case core.PartToolCall:
		return a.callPart(p), true
	case core.PartReasoning:
		part.Native = a.reasoningNative(part.Text)
	default:
		part.Native = nativeOf(p.fields)
	}
	return part, part.Text != "" || part.Native != nil
}

func (a *chatAnswer) callPart(p *piece) core.Part {
	text := p.text.String()
	part := core.Part{Type: core.PartToolCall, ID: p.id, Name: p.name}
	cut := p == a.latest && a.reason(1) != core.FinishToolCall
	if part.Arguments = object(text, cut); part.Arguments == nil {
		part.Text = text
		return part
	}
	if len(p.fields)+len(p.inner) > 0 {
		part.Native = p.native(string(part.Arguments))
	}
	return part
}

// native returns a call as the server wrote it, with the fields that are not part of the protocol.
func (p *piece) native(arguments string) json.RawMessage {
	function := p.inner
	for name, value := range map[string]string{"name": p.name, "arguments": arguments} {
		function[name] = quote(value)
	}
	call := p.fields
	call["id"], call["type"], call["function"] = quote(p.id), quote("function"), nativeOf(function)
	return nativeOf(call)
}

func (a *chatAnswer) reasoningNative(text string) json.RawMessage {
	if details := a.details.join(); details != nil {
		return nativeOf(map[string]json.RawMessage{fieldDetails: details})
	}
	if a.field == "" {
		return nil
	}
	return nativeOf(map[string]json.RawMessage{a.field: quote(text)})
}

// reason returns the core name of a finish reason.
func (a *chatAnswer) reason(calls int) string {
	switch {
	case a.refused || a.finish == "content_filter":
		return core.FinishContentFilter
	case a.finish == "length" || a.finish == "max_tokens" || a.finish == "model_context_window_exceeded":
		return core.FinishLength
	case calls > 0: // some servers send stop
		return core.FinishToolCall
	}
	return core.FinishStop
}
