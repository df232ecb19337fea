package core

import "encoding/json"

// Request is one call of a model.
type Request struct {
	Model string // as its provider names it
	// System is the system prompt; empty: none.
	System string
	// Messages are the conversation, oldest first: user, assistant and tool messages. Every tool_call has its
	// tool_result in the message after it. Media carry their Data, texts are whole. A part's Native is sent back
	// verbatim if the message's Origin is the provider and the model of this request, and never otherwise; a provider
	// drops reasoning that it cannot send.
	Messages        []Message
	Tools           []ToolSpec
	ToolChoice      ToolChoice
	MaxOutputTokens int64    // 0: the provider's default
	Temperature     *float64 // nil: the provider's default
	Effort          Effort   // how much to reason; empty: the provider's default
	// ContextTokens is the context window to request if a server sets it per call (Ollama); 0: its default.
	ContextTokens int64
	// OutputSchema is the JSON Schema of the answer that ends the work, an object; nil: the answer is text. Providers send it if their protocol
	// can, and if it leaves the model free to call the tools.
	OutputSchema json.RawMessage
	// CacheKey is the same for all calls of a session, for providers that find their prompt cache by it.
	CacheKey string
}

// AnswerEnds is the last text of an answer that broke off, in the messages of a Request.
const AnswerEnds = "[interrupted: the answer ends here]"

// BrokeOff reports whether a message of a Request is what an answer had said before it broke off.
func (m *Message) BrokeOff() bool {
	return m.Role == RoleAssistant && len(m.Parts) > 0 && m.Parts[len(m.Parts)-1].Text == AnswerEnds
}

// MayCall reports whether the model may answer with calls.
func (q *Request) MayCall() bool { return len(q.Tools) > 0 && q.ToolChoice != ToolChoiceNone }

// ToolSpec describes a tool to a model.
type ToolSpec struct {
	Name        string          `json:"name"` // letters, digits, _ and -, 64 at most
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON schema of type object
}

// ToolChoice is whether the model may call tools.
type ToolChoice string

// The choices; the empty one is auto.
const (
	ToolChoiceAuto     ToolChoice = "auto"
	ToolChoiceNone     ToolChoice = "none"     // the tools are described, but must not be called
	ToolChoiceRequired ToolChoice = "required" // at least one
)

// Effort is how much a model is to reason before it answers.
type Effort string

// The efforts. A provider uses the nearest it knows, and ignores them for a model that does not reason.
const (
	EffortNone   Effort = "none"
	EffortLow    Effort = "low"
	EffortMedium Effort = "medium"
	EffortHigh   Effort = "high"
)

// StreamEventType is the type of a StreamEvent.
type StreamEventType string

// The types of events.
const (
	StreamText      StreamEventType = "text"      // Text, a piece of the answer
	StreamReasoning StreamEventType = "reasoning" // Text, a piece of the reasoning
	StreamToolCall  StreamEventType = "tool_call" // ID and Name once, Text is a piece of the arguments' JSON
	StreamDone      StreamEventType = "done"      // Message is complete
	StreamAborted   StreamEventType = "aborted"   // Message holds what came before the error, which is returned beside this event
)

// StreamEvent is a piece of a streamed answer. The last one of a stream is StreamDone with no error, or StreamAborted
// with one; nothing follows.
//
// The message of StreamDone has Role, Parts, Usage, FinishReason, FinishRaw, Origin and, if the provider reports it, CostNanoUSD. Its
// tool calls are complete: Arguments is an object, or absent with the model's output in Text if that is not an object. The message of
// StreamAborted holds text and reasoning only: half a tool call is not a call.
type StreamEvent struct {
	Type    StreamEventType
	Index   int // of the part in the message to be
	Text    string
	ID      string
	Name    string
	Message *Message
}

// The finish reasons of Message.FinishReason, the same for all providers.
const (
	FinishStop          = "stop"
	FinishLength        = "length"
	FinishContentFilter = "content_filter"
	FinishToolCall      = "tool_call"
	FinishError         = "error"
	FinishAborted       = "aborted" // the user stopped it, or the program died; shown, never sent to a model
)

// ModelInfo describes an available model. Zero values mean: unknown.
type ModelInfo struct {
	Provider        string `json:"provider"`
	ID              string `json:"id"` // as its provider names it; users type PROVIDER/ID
	Name            string `json:"name"`
	ContextTokens   int64  `json:"contextTokens"`
	MaxOutputTokens int64  `json:"maxOutputTokens"`
	Images          bool   `json:"images"` // takes images
	Tools           bool   `json:"tools"`  // calls tools
	Reasoning       bool   `json:"reasoning"`
	Local           bool   `json:"local"` // runs on this machine: costs nothing
	// InputNanoUSD and OutputNanoUSD are the price of a million tokens; nil: unknown.
	InputNanoUSD  *int64 `json:"inputNanoUsdPerMillion"`
	OutputNanoUSD *int64 `json:"outputNanoUsdPerMillion"`
}
