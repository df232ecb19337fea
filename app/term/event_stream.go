package term

import (
	"encoding/json"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// eventStreamVersion is the version of the lines of --json-stream. It grows when a line changes or loses a field, not when one is added.
const eventStreamVersion = 1

// streamedEvent is a line of --json-stream. Each type has the fields that docs/json-stream.md lists for it.
type streamedEvent struct {
	Type    string `json:"type"`
	Version int    `json:"version,omitempty"`
	AtMs    int64  `json:"atMs"`

	SessionID     string    `json:"sessionId,omitempty"`
	RunID         string    `json:"runId,omitempty"`
	Agent         string    `json:"agent,omitempty"`
	Model         string    `json:"model,omitempty"`
	Mode          core.Mode `json:"mode,omitempty"`
	WorkspacePath string    `json:"workspacePath,omitempty"`

	Text    string        `json:"text,omitempty"`
	Error   string        `json:"error,omitempty"`
	Message *core.Message `json:"message,omitempty"`

	CallID    string          `json:"callId,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	Title     string          `json:"title,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	State     core.ExecState  `json:"state,omitempty"`
	IsError   *bool           `json:"isError,omitempty"`
	Output    *string         `json:"output,omitempty"`
	Files     []string        `json:"files,omitempty"`

	*usageSoFar
	Result *RunOutcome `json:"result,omitempty"`
}

// usageSoFar is what a run has used, as far as it is known.
type usageSoFar struct {
	Steps         int64  `json:"steps"`
	InputTokens   int64  `json:"inputTokens"`
	OutputTokens  int64  `json:"outputTokens"`
	CostNanoUSD   *int64 `json:"costNanoUsd"`             // null: some of the cost is unknown
	ContextTokens int64  `json:"contextTokens,omitempty"` // of the newest request
	WindowTokens  int64  `json:"windowTokens,omitempty"`  // of the model; 0: unknown
}

// eventStream writes the events of a run as lines of JSON.
type eventStream struct {
	Terminal
	calls map[string]json.RawMessage // the arguments of the calls of the last answer, by id
	err   error                      // of the first line that could not be written
}

func (s *eventStream) write(e streamedEvent) {
	e.AtMs = s.Now().UnixMilli()
	if s.err == nil {
		s.err = s.PrintJSON(e)
	}
}

// observe writes the lines of an event.
func (s *eventStream) observe(e engine.Event) {
	switch e.Type {
	case engine.EventStarted:
		run := e.Run
		s.write(streamedEvent{
			Type: "start", Version: eventStreamVersion, SessionID: e.SessionID, RunID: e.RunID, Agent: run.Agent, Model: run.Model, Mode: run.Mode,
			WorkspacePath: run.WorkspacePath,
		})
	case engine.EventDelta:
		s.delta(e.Delta)
	case engine.EventRetry:
		s.write(streamedEvent{Type: "retry", Error: e.Err.Error(), Text: e.Text})
	case engine.EventMessage:
		s.keepCalls(e.Message)
		s.write(streamedEvent{Type: "message", Message: e.Message})
	case engine.EventToolBegins:
		s.write(streamedEvent{Type: "tool_start", CallID: e.Exec.CallID, Tool: e.Exec.Name, Arguments: s.calls[e.Exec.CallID]})
	case engine.EventToolEnds:
		s.ended(e.Exec)
	case engine.EventQuestion:
		title, _ := present.Question(e.Question)
		s.write(streamedEvent{Type: "question", CallID: e.Question.Call.ID, Tool: e.Question.Call.Name, Title: title})
	case engine.EventAnswered:
		s.write(streamedEvent{Type: "answered", CallID: e.Question.Call.ID})
	case engine.EventNotice:
		s.write(streamedEvent{Type: "notice", Text: e.Text})
	case engine.EventTurn:
		s.write(streamedEvent{Type: "turn", Agent: e.Run.Agent, Text: e.Text})
	case engine.EventTotals:
		s.write(streamedEvent{Type: "usage", usageSoFar: usageOf(&e)})
	case engine.EventEnded: // end follows, with the sums of the session
	}
}

func (s *eventStream) delta(d core.StreamEvent) {
	switch d.Type {
	case core.StreamText:
		s.write(streamedEvent{Type: "text", Text: d.Text})
	case core.StreamReasoning:
		s.write(streamedEvent{Type: "reasoning", Text: d.Text})
	case core.StreamToolCall, core.StreamDone, core.StreamAborted: // the message has them
	}
}

func (s *eventStream) keepCalls(m *core.Message) {
	if m.Role != core.RoleAssistant {
		return
	}
	s.calls = map[string]json.RawMessage{}
	for _, p := range m.Parts {
		if p.Type == core.PartToolCall {
			s.calls[p.ID] = p.Arguments
		}
	}
}

// ended writes how a call ended.
func (s *eventStream) ended(e *core.ToolExec) {
	line := streamedEvent{Type: "tool_end", CallID: e.CallID, Tool: e.Name, State: e.State}
	if e.Result != nil {
		line.IsError, line.Output = &e.Result.IsError, new(present.Text(e.Result.Result))
	}
	for _, change := range e.Changes {
		line.Files = append(line.Files, change.Path)
	}
	s.write(line)
}

func usageOf(e *engine.Event) *usageSoFar {
	u := &usageSoFar{
		Steps: e.Run.StepCount, InputTokens: e.Run.InputTokens, OutputTokens: e.Run.OutputTokens, ContextTokens: e.ContextTokens, WindowTokens: e.WindowTokens,
	}
	if e.Run.UnpricedSteps == 0 {
		u.CostNanoUSD = &e.Run.CostNanoUSD
	}
	return u
}

// end writes the last line, with what --json prints. The error is that of the first line that could not be written.
func (s *eventStream) end(outcome RunOutcome) error {
	s.write(streamedEvent{Type: "end", Result: &outcome})
	return s.err
}
