package openai

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// item is an item of the output that is being received.
type item struct {
	kind    string // the protocol's type
	id      string // of a call
	told    bool   // of a call: id and name were yielded
	text    strings.Builder
	thought int64           // the index of the last written summary
	raw     json.RawMessage // the complete item; nil if it is not finished
}

// responseEvent holds the fields of an event that the message needs.
type responseEvent struct {
	Type         string          `json:"type"`
	OutputIndex  int64           `json:"output_index"`
	SummaryIndex int64           `json:"summary_index"`
	Delta        json.RawMessage `json:"delta"`
	Item         json.RawMessage `json:"item"`
	Response     json.RawMessage `json:"response"`
}

// itemHead holds the type and ids of an item.
type itemHead struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

// responseHead holds the fields of a response that the message needs.
type responseHead struct {
	ID         string `json:"id"`
	Model      string `json:"model"`
	Status     string `json:"status"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []json.RawMessage `json:"output"`
	Usage  json.RawMessage   `json:"usage"`
}

// itemBody is the content of an item.
type itemBody struct {
	itemHead
	Arguments string     `json:"arguments"`
	Content   []itemText `json:"content"`
	Summary   []itemText `json:"summary"`
}

type itemText struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

// responseAnswer builds the message from the events of responses.
type responseAnswer struct {
	call   failure.Call
	origin core.Origin
	items  map[int64]*item // by the server's index
	status string          // of the whole response; empty if its end has not arrived
	reason string          // why it is incomplete
	usage  *core.Usage
}

// Ended reports whether the last event has arrived.
func (a *responseAnswer) Ended() bool { return a.Whole() }

// Whole reports whether the last event has arrived.
func (a *responseAnswer) Whole() bool { return a.status != "" }

// Take adds an event.
func (a *responseAnswer) Take(e wire.Event) ([]core.StreamEvent, error) {
	var event responseEvent
	if e.Name == "error" {
		return nil, a.call.Event(e.Data, a.origin.RequestID)
	}
	if string(e.Data) == "[DONE]" { // some servers end like this; the protocol's own end must have arrived before
		return nil, errNoFinish
	}
	if err := json.Unmarshal(e.Data, &event); err != nil {
		return nil, err
	}
	switch event.Type {
	case "error", "response.failed":
		return nil, a.call.Event(e.Data, a.origin.RequestID)
	case "":
		var flaw struct {
			Error json.RawMessage `json:"error"`
		}
		if json.Unmarshal(e.Data, &flaw) == nil && len(flaw.Error) > 0 && string(flaw.Error) != "null" {
			return nil, a.call.Event(e.Data, a.origin.RequestID)
		}
	case "response.created", "response.in_progress":
		_, err := a.head(event.Response)
		return nil, err
	case "response.completed", "response.incomplete":
		return a.end(event.Response)
	case "response.output_item.added":
		return a.item(event.OutputIndex).introduce(int(event.OutputIndex), event.Item), nil
	case "response.output_item.done":
		return a.finish(event.OutputIndex, event.Item), nil
	case "response.output_text.delta", "response.refusal.delta":
		return a.delta(event, core.StreamText)
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return a.delta(event, core.StreamReasoning)
	case "response.function_call_arguments.delta":
		return a.delta(event, core.StreamToolCall)
	}
	return nil, nil
}

// head stores the response's id and model from an event.
func (a *responseAnswer) head(raw json.RawMessage) (responseHead, error) {
	var r responseHead
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, err
	}
	a.origin.ResponseID = first(r.ID, a.origin.ResponseID)
	a.origin.ResponseModel = first(r.Model, a.origin.ResponseModel)
	return r, nil
}

// end takes the last event. It repeats the items, because some servers send no events for them.
func (a *responseAnswer) end(raw json.RawMessage) ([]core.StreamEvent, error) {
	r, err := a.head(raw)
	if err != nil {
		return nil, err
	}
	var events []core.StreamEvent
	for i, output := range r.Output {
		if a.item(int64(i)).raw == nil {
			events = append(events, a.finish(int64(i), output)...)
		}
	}
	if r.Status == "completed" {
		for _, it := range a.items {
			if it.raw == nil {
				return events, errHalfItem
			}
		}
	}
	a.status, a.reason = r.Status, r.Incomplete.Reason
	a.usage = responseUsage(r.Usage)
	return events, nil
}

func (a *responseAnswer) item(index int64) *item {
	it := a.items[index]
	if it == nil {
		it = &item{}
		a.items[index] = it
	}
	return it
}

// finish takes a complete item, and yields what none of its pieces has yielded.
func (a *responseAnswer) finish(index int64, raw json.RawMessage) []core.StreamEvent {
	it := a.item(index)
	it.raw = slices.Clone(raw)
	events := it.introduce(int(index), raw)
	part, _ := it.part()
	text := part.Text
	if part.Arguments != nil {
		text = string(part.Arguments)
	}
	kind := map[core.PartType]core.StreamEventType{
		core.PartText: core.StreamText, core.PartReasoning: core.StreamReasoning, core.PartToolCall: core.StreamToolCall,
	}[part.Type]
	if it.text.Len() > 0 || text == "" || kind == "" {
		return events
	}
	return append(events, core.StreamEvent{Type: kind, Index: int(index), Text: text})
}

// introduce takes the head of an item. The head of a call is yielded at once.
func (it *item) introduce(index int, raw json.RawMessage) []core.StreamEvent {
	var head itemHead
	if json.Unmarshal(raw, &head) != nil {
		return nil
	}
	it.kind = head.Type
	it.id = first(head.CallID, first(it.id, head.ID))
	if it.kind != "function_call" || it.told {
		return nil
	}
	it.told = true
	if it.id == "" {
		it.id = newCallID()
	}
	return []core.StreamEvent{{Type: core.StreamToolCall, Index: index, ID: it.id, Name: head.Name}}
}

// delta adds a piece of an item.
func (a *responseAnswer) delta(e responseEvent, kind core.StreamEventType) ([]core.StreamEvent, error) {
	var text string
	if err := json.Unmarshal(e.Delta, &text); err != nil {
		return nil, err
	}
	it := a.item(e.OutputIndex)
	if it.kind == "" {
		it.kind = map[core.StreamEventType]string{core.StreamText: "message", core.StreamReasoning: "reasoning", core.StreamToolCall: "function_call"}[kind]
	}
	if e.SummaryIndex != it.thought && it.text.Len() > 0 {
		text = "\n\n" + text
	}
	it.thought = e.SummaryIndex
	it.text.WriteString(text)
	return []core.StreamEvent{{Type: kind, Index: int(e.OutputIndex), Text: text}}, nil
}

// Message returns the whole message.
func (a *responseAnswer) Message() *core.Message {
	m := a.assemble()
	calls, refused := 0, false
	for _, index := range slices.Sorted(maps.Keys(a.items)) {
		it := a.items[index]
		if it.raw == nil {
			m.Parts = append(m.Parts, it.broken()...)
			continue
		}
		part, refusal := it.part()
		refused = refused || refusal
		if part.Type == core.PartToolCall {
			calls++
		}
		m.Parts = append(m.Parts, part)
	}
	m.FinishRaw = first(a.reason, a.status)
	switch {
	case refused || a.reason == "content_filter":
		m.FinishReason = core.FinishContentFilter
	case a.status != "completed":
		m.FinishReason = core.FinishLength
	case calls > 0:
		m.FinishReason = core.FinishToolCall
	default:
		m.FinishReason = core.FinishStop
	}
	return m
}

// Partial returns the text and the reasoning of an answer that broke off.
func (a *responseAnswer) Partial() *core.Message {
	m := a.assemble()
	for _, index := range slices.Sorted(maps.Keys(a.items)) {
		m.Parts = append(m.Parts, a.items[index].broken()...)
	}
	return m
}

func (a *responseAnswer) assemble() *core.Message {
	origin := a.origin
	return &core.Message{Role: core.RoleAssistant, Parts: []core.Part{}, Usage: a.usage, Origin: &origin}
}

// broken returns the text of an unfinished item.
func (it *item) broken() []core.Part {
	kind := map[string]core.PartType{"message": core.PartText, "reasoning": core.PartReasoning}[it.kind]
	if kind == "" || it.text.Len() == 0 {
		return nil
	}
	return []core.Part{{Type: kind, Text: it.text.String()}}
}

// part returns an item as it is stored, and reports whether it is a refusal.
func (it *item) part() (part core.Part, refused bool) {
	var body itemBody
	part = core.Part{Type: core.PartOther, Native: it.raw}
	if json.Unmarshal(it.raw, &body) != nil {
		return part, false
	}
	switch it.kind {
	case "message":
		part.Type = core.PartText
		for _, c := range body.Content {
			part.Text += c.Text + c.Refusal
			refused = refused || c.Type == "refusal"
		}
	case "reasoning":
		part.Type, part.Text = core.PartReasoning, body.thoughts()
	case "function_call":
		part.Type, part.ID, part.Name = core.PartToolCall, it.id, body.Name
		if part.Arguments = object(body.Arguments, body.Status == "incomplete"); part.Arguments == nil {
			part.Text = body.Arguments
		}
		if part.Arguments == nil || body.CallID != it.id { // it could not be sent back unchanged
			part.Native = nil
		}
	}
	return part, refused
}

// thoughts returns the summary of reasoning, or the whole reasoning if it has no summary.
func (b *itemBody) thoughts() string {
	all := b.Summary
	if len(all) == 0 {
		all = b.Content
	}
	texts := make([]string, 0, len(all))
	for _, t := range all {
		texts = append(texts, t.Text)
	}
	return strings.Join(texts, "\n\n")
}
