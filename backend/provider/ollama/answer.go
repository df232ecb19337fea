package ollama

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// answer builds a message from the lines of a stream.
type answer struct {
	request failure.Call
	origin  core.Origin
	created string // when it began, as the server wrote it
	parts   []core.Part
	last    *line // the line that ends the answer
	usage   json.RawMessage
}

func newAnswer(request failure.Call) *answer {
	return &answer{
		request: request,
		origin:  core.Origin{Protocol: string(endpoint.OllamaChat), Provider: request.Endpoint.Provider, RequestModel: request.Model},
		parts:   []core.Part{},
	}
}

// line is one line of an answer.
type line struct {
	Model     string          `json:"model"`
	CreatedAt string          `json:"created_at"`
	Error     json.RawMessage `json:"error"`
	Message   struct {
		Content   string `json:"content"`
		Thinking  string `json:"thinking"`
		ToolCalls []call `json:"tool_calls"`
	} `json:"message"`
	Done       bool   `json:"done"`
	DoneReason string `json:"done_reason"`
	Prompt     int64  `json:"prompt_eval_count"` // missing if an old server had all of it in its cache
	Output     int64  `json:"eval_count"`
}

// Ended reports whether the last line has arrived.
func (a *answer) Ended() bool { return a.last != nil }

// Whole reports whether the last line has arrived.
func (a *answer) Whole() bool { return a.last != nil }

// Take adds the next line and returns the pieces that it adds to the answer.
func (a *answer) Take(e wire.Event) ([]core.StreamEvent, error) {
	var l line
	if err := json.Unmarshal(e.Data, &l); err != nil {
		return nil, fmt.Errorf("decode a line: %w", err)
	}
	if len(l.Error) > 0 && string(l.Error) != "null" {
		return nil, hinted(a.request.Event(e.Data, ""), a.request.Model)
	}
	if a.created == "" {
		a.created, a.origin.ResponseModel = l.CreatedAt, l.Model
	}
	var events []core.StreamEvent
	if l.Message.Thinking != "" {
		events = append(events, a.grow(core.PartReasoning, core.StreamReasoning, l.Message.Thinking))
	}
	if l.Message.Content != "" {
		events = append(events, a.grow(core.PartText, core.StreamText, l.Message.Content))
	}
	for _, c := range l.Message.ToolCalls {
		events = append(events, a.call(c))
	}
	if l.Done {
		a.last, a.usage = &l, counts(e.Data)
	}
	return events, nil
}

// grow adds a piece of text to the last part if that is of the same type, else as a new part.
func (a *answer) grow(part core.PartType, event core.StreamEventType, piece string) core.StreamEvent {
	if n := len(a.parts); n == 0 || a.parts[n-1].Type != part {
		a.parts = append(a.parts, core.Part{Type: part})
	}
	i := len(a.parts) - 1
	a.parts[i].Text += piece
	return core.StreamEvent{Type: event, Index: i, Text: piece}
}

// call adds a call. Its arguments are complete, because the protocol does not send them in pieces.
func (a *answer) call(c call) core.StreamEvent {
	p := core.Part{Type: core.PartToolCall, ID: c.ID, Name: c.Function.Name}
	if p.ID == "" {
		p.ID = a.id(len(a.parts), c)
	}
	var object map[string]json.RawMessage
	switch written := c.Function.Arguments; {
	case len(written) == 0 || string(written) == "null":
		p.Arguments = json.RawMessage(`{}`)
	case json.Unmarshal(written, &object) != nil:
		p.Text = string(written)
	default:
		p.Arguments = written
	}
	a.parts = append(a.parts, p)
	return core.StreamEvent{Type: core.StreamToolCall, Index: len(a.parts) - 1, ID: p.ID, Name: p.Name, Text: string(p.Arguments) + p.Text}
}

// id returns an id for a call without one: always the same for the same answer, and unique within a session.
func (a *answer) id(index int, c call) string {
	sum := sha256.Sum256([]byte(a.created + "\n" + strconv.Itoa(index) + "\n" + c.Function.Name + "\n" + string(c.Function.Arguments)))
	return "call_" + hex.EncodeToString(sum[:12])
}

// Message returns the message of a complete answer.
func (a *answer) Message() *core.Message {
	m := a.message()
	m.Parts, m.FinishRaw = a.parts, a.last.DoneReason
	m.FinishReason = core.FinishStop
	switch a.last.DoneReason {
	case "length":
		m.FinishReason = core.FinishLength
	case "load", "unload":
		m.FinishReason = core.FinishError
		m.Error = "the server loaded the model and said nothing: the conversation had no text"
	default:
		for i := range a.parts {
			if a.parts[i].Type == core.PartToolCall {
				m.FinishReason = core.FinishToolCall
			}
		}
	}
	return m
}

// Partial returns the text and the reasoning of an answer that broke off.
func (a *answer) Partial() *core.Message {
	m := a.message()
	for _, p := range a.parts {
		if p.Type == core.PartText || p.Type == core.PartReasoning {
			m.Parts = append(m.Parts, p)
		}
	}
	return m
}

func (a *answer) message() *core.Message {
	origin := a.origin
	m := &core.Message{Role: core.RoleAssistant, Parts: []core.Part{}, Origin: &origin}
	if a.last != nil {
		m.Usage = &core.Usage{InputTokens: a.last.Prompt, OutputTokens: a.last.Output, Native: a.usage}
	}
	return m
}

// counts returns the counts of the last line, unchanged.
func counts(data []byte) json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(data, &all) != nil {
		return nil
	}
	for name := range all {
		if !strings.HasSuffix(name, "_count") && !strings.HasSuffix(name, "_duration") {
			delete(all, name)
		}
	}
	native, err := json.Marshal(all)
	if err != nil {
		return nil
	}
	return native
}
