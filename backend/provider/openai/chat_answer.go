package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
)

// The fields that servers add to the messages of the protocol, and want back as they came.
const (
	fieldReasoningContent = "reasoning_content" // DeepSeek, llama.cpp, vLLM, Moonshot, Qwen …
	fieldReasoning        = "reasoning"         // OpenRouter, Groq, newer vLLM, LM Studio
	fieldDetails          = "reasoning_details" // OpenRouter: with signatures, or encrypted
	fieldExtra            = "extra_content"     // Gemini: with the signature of its thoughts
)

// piece is a part of the message to be.
type piece struct {
	index    int
	kind     core.PartType
	text     strings.Builder // what a tool call has: its arguments
	id, name string
	fields   map[string]json.RawMessage // that the protocol does not know
	inner    map[string]json.RawMessage // the same, of the function of a tool call
}

// chatAnswer puts the message together from the chunks of chat completions.
type chatAnswer struct {
	call    failure.Call
	quirks  quirks
	origin  core.Origin
	pieces  []*piece
	spoken  *piece // the text
	thought *piece // the reasoning
	field   string // where the reasoning stood
	details details
	calls   map[int64]*piece // by the index the server gives them
	latest  *piece           // the call that was written at last
	refused bool
	finish  string // as the server said it; empty: it has not
	usage   *core.Usage
	cost    *int64
	done    bool
}

func (a *chatAnswer) ended() bool { return a.done }
func (a *chatAnswer) whole() bool { return a.finish != "" }

// take takes a chunk.
func (a *chatAnswer) take(e event) ([]core.StreamEvent, error) {
	if bytes.HasPrefix(e.data, []byte("[DONE]")) {
		a.done = true
		if !a.whole() {
			return nil, errNoFinish
		}
		return nil, nil
	}
	var chunk sdk.ChatCompletionChunk
	if e.name == "error" {
		return nil, a.call.Event(e.data, a.origin.RequestID)
	}
	if err := json.Unmarshal(e.data, &chunk); err != nil {
		return nil, err
	}
	if given(chunk.JSON.ExtraFields["error"]) {
		return nil, a.call.Event(e.data, a.origin.RequestID)
	}
	a.origin.ResponseID = first(a.origin.ResponseID, chunk.ID)
	a.origin.ResponseModel = first(a.origin.ResponseModel, chunk.Model)
	a.count(chunk.Usage)
	if len(chunk.Choices) == 0 {
		a.done = a.whole() && chunk.JSON.Usage.Valid() // the usage is the last to come
		return nil, nil
	}
	choice := chunk.Choices[0]
	pieces := a.delta(choice.Delta)
	if choice.FinishReason != "" {
		a.finish = choice.FinishReason
	}
	if usage := choice.JSON.ExtraFields["usage"]; given(usage) { // Moonshot has it here
		var u sdk.CompletionUsage
		if json.Unmarshal([]byte(usage.Raw()), &u) == nil {
			a.count(u)
		}
	}
	switch a.finish {
	case "error", "insufficient_system_resource": // OpenRouter, DeepSeek
		a.finish = ""
		return pieces, a.call.Event([]byte(`{"error":{"message":"the model stopped half-way","type":"overloaded"}}`), a.origin.RequestID)
	}
	return pieces, nil
}

var (
	errNoFinish = errors.New("no finish_reason came")
	errHalfItem = errors.New("an item of it was never finished")
)

// given says whether a field that the SDK does not know is there, and not null.
func given(f respjson.Field) bool { return f.Raw() != "" && f.Raw() != "null" }

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// delta takes what a chunk adds to the message.
func (a *chatAnswer) delta(d sdk.ChatCompletionChunkChoiceDelta) []core.StreamEvent {
	var events []core.StreamEvent
	if text := a.reasoning(d); text != "" {
		events = append(events, a.say(&a.thought, core.PartReasoning, text))
	}
	thought, said := contentOf(d)
	if thought != "" {
		events = append(events, a.say(&a.thought, core.PartReasoning, thought))
	}
	for _, text := range []string{said, d.Refusal} {
		if text != "" {
			events = append(events, a.say(&a.spoken, core.PartText, text))
		}
	}
	a.refused = a.refused || d.Refusal != ""
	if extra := d.JSON.ExtraFields[fieldExtra]; given(extra) {
		a.open(&a.spoken, core.PartText).fields[fieldExtra] = json.RawMessage(extra.Raw())
	}
	for i := range d.ToolCalls {
		events = append(events, a.toolCall(&d.ToolCalls[i]))
	}
	return events
}

// contentOf returns what a delta's content says. Mistral sends a list of pieces where its models reason.
func contentOf(d sdk.ChatCompletionChunkChoiceDelta) (thought, text string) {
	raw := d.JSON.Content.Raw()
	if !strings.HasPrefix(raw, "[") {
		return "", d.Content
	}
	var pieces []struct {
		Text     string
		Thinking []struct{ Text string }
	}
	if json.Unmarshal([]byte(raw), &pieces) != nil {
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

// reasoning returns the reasoning in a delta. Some servers send it twice, under an old name and a new one.
func (a *chatAnswer) reasoning(d sdk.ChatCompletionChunkChoiceDelta) string {
	if raw := d.JSON.ExtraFields[fieldDetails]; given(raw) {
		a.open(&a.thought, core.PartReasoning)
		text := a.details.add([]byte(raw.Raw()))
		if a.field == "" && !given(d.JSON.ExtraFields[fieldReasoning]) {
			return text
		}
	}
	for _, name := range []string{fieldReasoningContent, fieldReasoning} {
		var text string
		if f := d.JSON.ExtraFields[name]; given(f) && json.Unmarshal([]byte(f.Raw()), &text) == nil && text != "" && (a.field == "" || a.field == name) {
			a.field = name
			return text
		}
	}
	return ""
}

// open returns the piece, which it begins where it is the first of its kind.
func (a *chatAnswer) open(p **piece, kind core.PartType) *piece {
	if *p == nil {
		*p = &piece{index: len(a.pieces), kind: kind, fields: map[string]json.RawMessage{}}
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

// toolCall takes a piece of a call.
func (a *chatAnswer) toolCall(d *sdk.ChatCompletionChunkChoiceDeltaToolCall) core.StreamEvent {
	p, fresh := a.callOf(d)
	a.latest = p
	text := callText(d.Function.JSON.Arguments, d.Function.Arguments)
	p.text.WriteString(text)
	keep(p.fields, d.JSON.ExtraFields)
	keep(p.inner, d.Function.JSON.ExtraFields)
	e := core.StreamEvent{Type: core.StreamToolCall, Index: p.index, Text: text}
	if fresh {
		e.ID, e.Name = p.id, p.name
	}
	return e
}

// callOf returns the call that a delta belongs to. Some servers give no index, or the same one to all the calls,
// each with its own id and name.
func (a *chatAnswer) callOf(d *sdk.ChatCompletionChunkChoiceDeltaToolCall) (p *piece, fresh bool) {
	indexed := d.JSON.Index.Valid()
	p = a.latest
	if indexed {
		p = a.calls[d.Index]
	}
	if p != nil && p.continues(d.ID, d.Function.Name, indexed) {
		if d.Function.Name != p.name {
			p.name += d.Function.Name
		}
		return p, false
	}
	p = nil
	p = a.open(&p, core.PartToolCall)
	p.id, p.name, p.inner = a.freshID(d.ID), d.Function.Name, map[string]json.RawMessage{}
	if indexed {
		a.calls[d.Index] = p
	}
	return p, true
}

// continues says whether a delta with this id and name goes on with the call.
func (p *piece) continues(id, name string, indexed bool) bool {
	switch {
	case name == "" || id == p.id: // without a name no call begins; a server may make up another id for each delta
		return true
	case id == "":
		return indexed
	}
	return false
}

// freshID returns the id of a call, another one where the server gave none, or the same one twice.
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

// callText returns the arguments in a delta; some servers send an object, not its text.
func callText(f respjson.Field, text string) string {
	if raw := f.Raw(); text == "" && strings.HasPrefix(raw, "{") {
		return raw
	}
	return text
}

func keep(to map[string]json.RawMessage, fields map[string]respjson.Field) {
	for name, f := range fields {
		if given(f) {
			to[name] = json.RawMessage(f.Raw())
		}
	}
}

// count takes the usage; the last one told holds.
func (a *chatAnswer) count(u sdk.CompletionUsage) {
	if usage := chatUsage(u); usage != nil {
		a.usage = usage
		if a.quirks.cost {
			a.cost = chatCost(u)
		}
	}
}

func (a *chatAnswer) message() core.Message {
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

func (a *chatAnswer) partial() core.Message {
	m := a.assemble()
	for _, p := range a.pieces {
		if p.kind != core.PartToolCall && p.text.Len() > 0 {
			m.Parts = append(m.Parts, core.Part{Type: p.kind, Text: p.text.String()})
		}
	}
	m.FinishRaw = a.finish
	return m
}

func (a *chatAnswer) assemble() core.Message {
	origin := a.origin
	return core.Message{Role: core.RoleAssistant, Parts: []core.Part{}, Usage: a.usage, CostNanoUSD: a.cost, Origin: &origin}
}

// part returns a piece as it is kept; false where there is nothing in it.
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

// native returns a call as the server wrote it, with the fields that the protocol does not know.
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

// reason returns why the model stopped, in our words.
func (a *chatAnswer) reason(calls int) string {
	switch {
	case a.refused || a.finish == "content_filter":
		return core.FinishContentFilter
	case a.finish == "length" || a.finish == "max_tokens" || a.finish == "model_context_window_exceeded":
		return core.FinishLength
	case calls > 0: // some servers say stop
		return core.FinishToolCall
	}
	return core.FinishStop
}
