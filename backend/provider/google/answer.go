package google

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// answer builds a message from the responses of a stream.
type answer struct {
	call   failure.Call
	origin core.Origin
	salt   int // makes the calls of one answer differ from those of another if the server sends no ids
	parts  []core.Part
	usage  json.RawMessage // the latest one: each counts from the beginning
	finish string          // the finish reason as the server sent it
	reason string          // its explanation for users
	over   bool            // what followed the end cannot be parsed
}

func newAnswer(call failure.Call, r core.Request) *answer {
	return &answer{
		call:   call,
		origin: core.Origin{Protocol: string(endpoint.GoogleGenAI), Provider: call.Endpoint.Provider, RequestModel: r.Model},
		salt:   len(r.Messages),
		parts:  []core.Part{},
	}
}

// response is one piece of an answer.
type response struct {
	Candidates []struct {
		Content struct {
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		FinishReason  string `json:"finishReason"`
		FinishMessage string `json:"finishMessage"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason        string `json:"blockReason"`
		BlockReasonMessage string `json:"blockReasonMessage"`
	} `json:"promptFeedback"`
	Usage        json.RawMessage `json:"usageMetadata"`
	ModelVersion string          `json:"modelVersion"`
	ResponseID   string          `json:"responseId"`
	Error        json.RawMessage `json:"error"`
}

// Ended reports whether the rest of the stream is useless. The finish reason is not the end, because the usage may
// follow.
func (a *answer) Ended() bool { return a.over }

// Whole reports whether a finish reason has arrived.
func (a *answer) Whole() bool { return a.finish != "" }

// Take adds the next response and returns the pieces that it adds to the answer.
func (a *answer) Take(e wire.Event) ([]core.StreamEvent, error) {
	if len(e.Data) == 0 {
		return nil, nil
	}
	var r response
	err := json.Unmarshal(e.Data, &r)
	if err == nil && len(r.Error) > 0 && string(r.Error) != "null" {
		return nil, a.call.Event(e.Data, "")
	}
	var events []core.StreamEvent
	if err == nil {
		events, err = a.read(r)
	}
	if err != nil && a.Whole() {
		a.over = true
		return events, nil
	}
	if err != nil {
		return events, fmt.Errorf("decode a response: %w", err)
	}
	return events, nil
}

func (a *answer) read(r response) ([]core.StreamEvent, error) {
	if r.ResponseID != "" {
		a.origin.ResponseID = r.ResponseID
	}
	if r.ModelVersion != "" {
		a.origin.ResponseModel = r.ModelVersion
	}
	if len(r.Usage) > 0 {
		a.usage = r.Usage
	}
	if r.PromptFeedback.BlockReason != "" {
		a.finish, a.reason = r.PromptFeedback.BlockReason, r.PromptFeedback.BlockReasonMessage
	}
	if len(r.Candidates) == 0 {
		return nil, nil
	}
	candidate := r.Candidates[0]
	var events []core.StreamEvent
	for _, raw := range candidate.Content.Parts {
		piece, err := a.add(raw)
		if err != nil {
			return events, err
		}
		events = append(events, piece...)
	}
	if reason := candidate.FinishReason; reason != "" && reason != "FINISH_REASON_UNSPECIFIED" {
		a.finish, a.reason = reason, candidate.FinishMessage
	}
	return events, nil
}

// piece is a part that is being received.
type piece struct {
	Text         *string       `json:"text"`
	Thought      bool          `json:"thought"`
	Signature    string        `json:"thoughtSignature"`
	FunctionCall *functionCall `json:"functionCall"`
	InlineData   *blob         `json:"inlineData"`
}

// add adds a part of the stream to those of the message.
func (a *answer) add(raw json.RawMessage) ([]core.StreamEvent, error) {
	var p piece
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("decode a part: %w", err)
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, fmt.Errorf("decode a part: %w", err)
	}
	switch {
	case p.FunctionCall != nil:
		return a.addCall(raw, p, only(all, "functionCall")), nil
	case p.InlineData != nil:
		a.media(raw, p)
		return nil, nil
	case p.Text != nil && only(all, "text", "thought", "thoughtSignature"):
		return a.text(raw, p), nil
	case len(all) == 0: // an empty part, which the server does not accept back
		return nil, nil
	}
	a.parts = append(a.parts, core.Part{Type: core.PartOther, Native: raw})
	return nil, nil
}

// only reports whether an object has no other fields than these.
func only(all map[string]json.RawMessage, names ...string) bool {
	n := 0
	for _, name := range names {
		if _, ok := all[name]; ok {
			n++
		}
	}
	return n == len(all)
}

// text adds a piece of text. A piece with a signature stays a separate part, because its signature is sent back with
// it; a piece with only a signature is hidden reasoning.
func (a *answer) text(raw json.RawMessage, p piece) []core.StreamEvent {
	kind, event := core.PartText, core.StreamText
	if p.Thought {
		kind, event = core.PartReasoning, core.StreamReasoning
	}
	switch {
	case *p.Text == "" && p.Signature == "":
		return nil
	case *p.Text == "":
		a.parts = append(a.parts, core.Part{Type: core.PartReasoning, Redacted: true, Native: raw})
		return nil
	case p.Signature != "":
		a.parts = append(a.parts, core.Part{Type: kind, Text: *p.Text, Native: raw})
	default:
		if n := len(a.parts); n == 0 || a.parts[n-1].Type != kind || a.parts[n-1].Native != nil {
			a.parts = append(a.parts, core.Part{Type: kind})
		}
		a.parts[len(a.parts)-1].Text += *p.Text
	}
	return []core.StreamEvent{{Type: event, Index: len(a.parts) - 1, Text: *p.Text}}
}

// addCall adds a call, which the protocol sends in one piece. Its native form is stored if it holds more than the part
// does, or if the call has no id.
func (a *answer) addCall(raw json.RawMessage, p piece, plain bool) []core.StreamEvent {
	f := p.FunctionCall
	out := core.Part{Type: core.PartToolCall, ID: f.ID, Name: f.Name}
	if f.ID == "" || !plain {
		out.Native = raw
	}
	if f.ID == "" {
		out.ID = a.id(f)
	}
	var object map[string]json.RawMessage
	switch {
	case len(f.Args) == 0 || string(f.Args) == "null":
		out.Arguments = json.RawMessage(`{}`)
	case json.Unmarshal(f.Args, &object) != nil:
		out.Text, out.Native = string(f.Args), nil
	default:
		out.Arguments = f.Args
	}
	a.parts = append(a.parts, out)
	return []core.StreamEvent{{Type: core.StreamToolCall, Index: len(a.parts) - 1, ID: out.ID, Name: out.Name, Text: string(out.Arguments) + out.Text}}
}

// id returns an id for a call without one: always the same for the same answer, and unique within it.
func (a *answer) id(f *functionCall) string {
	text := strings.Join([]string{a.origin.ResponseID, strconv.Itoa(a.salt), strconv.Itoa(len(a.parts)), f.Name, string(f.Args)}, "\n")
	sum := sha256.Sum256([]byte(text))
	return "call_" + hex.EncodeToString(sum[:12])
}

// media adds an image or a sound that the model generated.
func (a *answer) media(raw json.RawMessage, p piece) {
	out := core.Part{Type: core.PartMedia, Media: &core.Media{
		MimeType: p.InlineData.MimeType, Data: p.InlineData.Data, SizeBytes: int64(len(p.InlineData.Data)),
	}}
	if p.Signature != "" {
		out.Native = raw
	}
	a.parts = append(a.parts, out)
}

// Message returns the message of a complete answer.
func (a *answer) Message() *core.Message {
	m := a.message()
	m.FinishRaw = a.finish
	called := false
	for _, p := range a.parts {
		called = called || p.Type == core.PartToolCall
		if p.Type == core.PartReasoning && p.Native == nil {
			p.Native = thought(p.Text)
		}
		m.Parts = append(m.Parts, p)
	}
	m.FinishReason = finish(a.finish, called)
	if m.FinishReason == core.FinishError || m.FinishReason == core.FinishContentFilter {
		m.Error = strings.TrimSpace(a.finish + ": " + a.reason)
		m.Error = strings.TrimSuffix(m.Error, ":")
	}
	return m
}

// thought returns reasoning in the protocol's form.
func thought(text string) json.RawMessage {
	data, _ := jsontext.Encode(struct {
		Text    string `json:"text"`
		Thought bool   `json:"thought"`
	}{text, true}) // a text has a JSON form
	return data
}

// Partial returns the text and the reasoning of an answer that broke off.
func (a *answer) Partial() *core.Message {
	m := a.message()
	for _, p := range a.parts {
		if p.Text != "" && (p.Type == core.PartText || p.Type == core.PartReasoning) {
			m.Parts = append(m.Parts, core.Part{Type: p.Type, Text: p.Text})
		}
	}
	return m
}

func (a *answer) message() *core.Message {
	origin := a.origin
	return &core.Message{Role: core.RoleAssistant, Parts: []core.Part{}, Usage: a.neutral(), Origin: &origin}
}

// neutral returns the usage as core.Usage: the protocol counts reasoning apart from the output. It is nil if nothing
// was counted.
func (a *answer) neutral() *core.Usage {
	var u struct {
		Prompt     int64 `json:"promptTokenCount"`
		ToolPrompt int64 `json:"toolUsePromptTokenCount"`
		Cached     int64 `json:"cachedContentTokenCount"`
		Candidates int64 `json:"candidatesTokenCount"`
		Thoughts   int64 `json:"thoughtsTokenCount"`
	}
	if len(a.usage) == 0 || json.Unmarshal(a.usage, &u) != nil {
		return nil
	}
	return &core.Usage{
		InputTokens: u.Prompt + u.ToolPrompt, OutputTokens: u.Candidates + u.Thoughts,
		CacheReadTokens: u.Cached, ReasoningTokens: u.Thoughts, Native: a.usage,
	}
}

// finish returns the core name of a finish reason, or of the reason why a prompt was blocked.
func finish(reason string, called bool) string {
	switch reason {
	case "MAX_TOKENS", "CONTINUATION":
		return core.FinishLength
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "NO_IMAGE", "IMAGE_OTHER", "MALFORMED_RESPONSE", "MISSING_THOUGHT_SIGNATURE":
		return core.FinishError
	case "SAFETY", "RECITATION", "LANGUAGE", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII",
		"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "JAILBREAK", "MODEL_ARMOR", "BLOCKED_REASON_UNSPECIFIED":
		return core.FinishContentFilter
	}
	if called {
		return core.FinishToolCall
	}
	return core.FinishStop
}
