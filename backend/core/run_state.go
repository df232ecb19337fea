package core

import (
	"encoding/json"

	"coppice/backend/jsontext"
)

// RunState is everything but the messages that decides what the next step of a run does. It is stored once by its hash;
// each request refers to one. What a run has spent is not part of it, so that it stays the same from step to step.
type RunState struct {
	Agent         Agent      `json:"agent"`
	Model         string     `json:"model"`                   // PROVIDER/MODEL
	ContextTokens int64      `json:"contextTokens,omitempty"` // the model's context window; 0: unknown
	BaseURL       string     `json:"baseUrl,omitempty"`       // of the server that is called; empty: none
	Effort        Effort     `json:"effort,omitempty"`
	Mode          Mode       `json:"mode"`
	Limits        Budget     `json:"limits"`
	WorkspacePath string     `json:"workspacePath"`
	System        string     `json:"system"`            // the whole system prompt
	Tools         []ToolSpec `json:"tools"`             // as the model is offered them, in order; those of MCP servers are SERVER__TOOL
	Servers       []string   `json:"servers,omitempty"` // names of the MCP servers in use
	// Inactive are the tools that the session had in the tool it comes from, and that models are not offered.
	Inactive  []InactiveTool `json:"inactiveTools,omitempty"`
	Approvals []Approval     `json:"approvals,omitempty"` // in force, without those given for one call
	Context   ContextPlan    `json:"context"`             // when and how the context is compacted
	Form      RequestForm    `json:"form"`
	Team      *TeamRun       `json:"team,omitempty"` // nil: one agent works alone
	// OutputSchema is the JSON Schema of the answer that ends the work; nil: the answer is text.
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Imported     bool            `json:"-"` // an archive brought it, see Run.Imported; not part of what is stored
}

// InactiveTool is a tool of an imported session that models are not offered.
type InactiveTool struct {
	Name   string `json:"name"`
	Reason string `json:"reason"` // why it is inactive, for the user
}

// ContextForm is how much of the conversation a provider is sent.
type ContextForm string

// The forms. A run begins with the first one and falls back to the next when the provider refuses the conversation.
const (
	ContextVerbatim ContextForm = ""        // with the blocks that only the provider that made them understands
	ContextNeutral  ContextForm = "neutral" // without
	ContextSummary  ContextForm = "summary" // a summary of it
)

// RequestForm is how a request is made from the context.
type RequestForm struct {
	Context ContextForm `json:"context,omitempty"`
	// SummaryUpToUID is, in the form ContextSummary, the first message that is sent itself; those before it are summarized.
	SummaryUpToUID string `json:"summaryUpToUid,omitempty"`
	// Closing asks for a last answer without tools, as the instruction at the end of the path says.
	Closing bool `json:"closing,omitempty"`
	// Answer asks for the answer of RunState.OutputSchema without tools, because an earlier one did not satisfy it.
	Answer bool `json:"answer,omitempty"`
	// NoSchema leaves out the schema, which the provider refused.
	NoSchema bool `json:"noSchema,omitempty"`
}

// Encode returns the state as JSON, the same bytes for the same state, and their hash.
func (s *RunState) Encode() (data []byte, hash string, err error) {
	if data, err = jsontext.Encode(s); err != nil {
		return nil, "", Wrap(Invalid, err, "encode the run state")
	}
	return data, Hash(data), nil
}

// ResumedFrom is what a run continued a session with.
type ResumedFrom string

// What a run tries, in this order.
const (
	ResumedCheckpoint ResumedFrom = "checkpoint" // the messages and the run state
	ResumedMessages   ResumedFrom = "messages"   // the messages alone: the state is missing or damaged
	ResumedSummary    ResumedFrom = "summary"    // a summary: messages are damaged or were refused, or the user asked for it
)

// SentRequest records a request that a run sent to its model. It holds no messages: the request follows from the path to its
// parent and the run state.
type SentRequest struct {
	RunID       string   `json:"runId"`
	ParentUID   string   `json:"parentUid"`  // the last message of the path that was sent
	MessageUID  string   `json:"messageUid"` // the answer; empty: none was received
	State       RunState `json:"-"`
	StateHash   string   `json:"stateHash"`
	RequestHash string   `json:"requestHash"` // see Request.Hash
	SentAtMs    int64    `json:"sentAtMs"`
	// Redacted means that an export without secrets brought it: what it refers to may differ from what was sent.
	Redacted bool `json:"redacted,omitempty"`
}

// SampledRequest is a request of some session, for a check.
type SampledRequest struct {
	SessionID string
	Native    bool // no other tool wrote the session: no import changes its messages
	SentRequest
}
