package core

import (
	"encoding/json"
	"strings"
)

// Role is the author of a message.
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Kind is the purpose of a message.
type Kind string

// The kinds.
const (
	KindMessage       Kind = "message"        // written by the user, a model or a tool
	KindMeta          Kind = "meta"           // put into the context by the tool, not by the user
	KindCommand       Kind = "command"        // a local command of the tool and its output
	KindCompaction    Kind = "compaction"     // a summary that replaced what came before it in the context
	KindBranchSummary Kind = "branch_summary" // a summary of a branch that was left
)

// Origin identifies the model call that produced an assistant message.
type Origin struct {
	Protocol      string `json:"protocol,omitempty"`
	Provider      string `json:"provider,omitempty"`
	RequestModel  string `json:"requestModel,omitempty"`
	ResponseModel string `json:"responseModel,omitempty"`
	ResponseID    string `json:"responseId,omitempty"`
	RequestID     string `json:"requestId,omitempty"`
	// Extra holds the fields that this version does not know, so that they survive every round trip.
	Extra map[string]json.RawMessage `json:"-"`
}

// Message is one node of a session's tree; it is immutable once finished.
//
// The store assigns the position in the tree (Seq, Turn, Branch, Depth).
type Message struct {
	UID          string `json:"uid"`          // UUIDv7, or the source's own id; unique in its session
	Seq          int64  `json:"seq"`          // m<Seq>: the order of creation in the session
	Turn         int64  `json:"turn"`         // n<Turn>: the turn it belongs to
	Branch       int64  `json:"branch"`       // the number of its branch in the session
	Depth        int64  `json:"depth"`        // 0 for a root
	ParentUID    string `json:"parentUid"`    // empty for a root
	Siblings     int64  `json:"siblings"`     // the number of its parent's children, itself included
	SiblingIndex int64  `json:"siblingIndex"` // its number among them, from 1, in the order of creation

	Role         Role            `json:"role"`
	Kind         Kind            `json:"kind"`
	Name         string          `json:"name,omitempty"` // the participant, if there are several of one role
	Agent        string          `json:"agent"`
	Model        string          `json:"model"`
	Parts        []Part          `json:"parts"` // never nil
	Usage        *Usage          `json:"usage"` // nil: not a model's message, or unknown
	CostNanoUSD  *int64          `json:"costNanoUsd"`
	Estimate     Estimate        `json:"-"`                   // of a call whose CostNanoUSD is unknown
	FinishReason string          `json:"finishReason"`        // stop length content_filter tool_call error, or empty
	FinishRaw    string          `json:"finishRaw,omitempty"` // as the provider reported it
	Error        string          `json:"error,omitempty"`     // why it ended, if it failed
	Origin       *Origin         `json:"origin,omitempty"`
	CreatedAtMs  int64           `json:"createdAtMs"`            // when it began
	FinishedAtMs int64           `json:"finishedAtMs,omitempty"` // when its last piece was written; 0: unknown, or immediately
	Meta         json.RawMessage `json:"meta,omitempty"`         // what the source records that has no field, a JSON object
	// Extra holds the fields that this version does not know, so that they survive every round trip.
	Extra map[string]json.RawMessage `json:"-"`
}

// IsPrompt reports whether the message opens a turn: whether it is the user's input to the model.
func (m *Message) IsPrompt() bool {
	return m.Role == RoleUser && m.Kind == KindMessage
}

// OwnWords returns the texts of a message of the user that no tool has added; empty for any other message.
func (m *Message) OwnWords() string {
	if m.Role != RoleUser {
		return ""
	}
	var words []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == PartText && !p.Injected {
			words = append(words, p.Text)
		}
	}
	return strings.Join(words, "\n")
}

// IsCall reports whether the message is the answer to a model call. A message that a tool writes in the model's name is
// not.
func (m *Message) IsCall() bool { return m.Role == RoleAssistant && m.Kind != KindMeta }

// ToolCalls returns the calls of tools of an answer.
func (m *Message) ToolCalls() []Part {
	var calls []Part
	for i := range m.Parts {
		if m.Parts[i].Type == PartToolCall && m.Role == RoleAssistant {
			calls = append(calls, m.Parts[i])
		}
	}
	return calls
}

// Position returns where the message is in the tree.
func (m *Message) Position() Position { return Position{Branch: m.Branch, Depth: m.Depth} }

// EndMs returns when the message was finished.
func (m *Message) EndMs() int64 { return max(m.CreatedAtMs, m.FinishedAtMs) }
