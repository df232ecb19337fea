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

// Usage counts the tokens of one model call. Cached tokens are part of the input, reasoning
// tokens part of the output, for every provider.
type Usage struct {
	InputTokens      int64           `json:"inputTokens"`
	OutputTokens     int64           `json:"outputTokens"`
	CacheReadTokens  int64           `json:"cacheReadTokens,omitempty"`
	CacheWriteTokens int64           `json:"cacheWriteTokens,omitempty"`
	ReasoningTokens  int64           `json:"reasoningTokens,omitempty"`
	Native           json.RawMessage `json:"native,omitempty"` // as the provider reported it
	// Extra holds the fields that this version does not know, so that they survive every round trip.
	Extra map[string]json.RawMessage `json:"-"`
}

// estimatedField of a usage's Extra marks a usage that Coppice estimated.
const estimatedField = "estimated"

// EstimatedUsage returns a usage that no provider counted: that of an answer that broke off before its provider reported one.
func EstimatedUsage(inputTokens, outputTokens int64) *Usage {
	return &Usage{InputTokens: inputTokens, OutputTokens: outputTokens, Extra: map[string]json.RawMessage{estimatedField: json.RawMessage("true")}}
}

// IsEstimated reports whether Coppice estimated the usage, see EstimatedUsage.
func (u *Usage) IsEstimated() bool { return u != nil && string(u.Extra[estimatedField]) == "true" }

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

// IsCall reports whether the message is the answer to a model call. A message that a tool writes in the model's name is
// not.
func (m *Message) IsCall() bool { return m.Role == RoleAssistant && m.Kind != KindMeta }

// Position returns where the message is in the tree.
func (m *Message) Position() Position { return Position{Branch: m.Branch, Depth: m.Depth} }

// EndMs returns when the message was finished.
func (m *Message) EndMs() int64 { return max(m.CreatedAtMs, m.FinishedAtMs) }

// PartType is the type of a part.
type PartType string

// The part types. A part of any other type is stored verbatim and shown as unknown.
const (
	PartText       PartType = "text"
	PartReasoning  PartType = "reasoning"
	PartToolCall   PartType = "tool_call"
	PartToolResult PartType = "tool_result"
	PartMedia      PartType = "media"
	PartSummary    PartType = "summary"
	PartOther      PartType = "other"
)

// Part is a piece of a message. Which fields are set depends on Type:
//
//	text, summary  Text, Truncated, Injected
//	reasoning      Text, Redacted, Native
//	tool_call      ID, Name, Arguments (an object) or Text (what the model wrote, where it is no object), Server
//	tool_result    ID, Name, IsError, Result (text and media parts), Structured, DurationMs
//	media          Media
//	other          Native
//
// A tool_call and its tool_result carry the same ID.
type Part struct {
	Type       PartType        `json:"type"`
	Text       string          `json:"text,omitempty"`
	Truncated  *Truncated      `json:"truncated,omitempty"` // Text is only the beginning
	Injected   bool            `json:"injected,omitempty"`  // added by a tool to the user's words
	Redacted   bool            `json:"redacted,omitempty"`
	ID         string          `json:"id,omitempty"`
	Name       string          `json:"name,omitempty"`
	Arguments  json.RawMessage `json:"arguments,omitempty"`
	Server     bool            `json:"server,omitempty"` // run by the provider
	IsError    bool            `json:"isError,omitempty"`
	Result     []Part          `json:"result,omitempty"`
	Structured json.RawMessage `json:"structured,omitempty"` // the result as data, any JSON
	DurationMs int64           `json:"durationMs,omitempty"`
	Media      *Media          `json:"media,omitempty"`
	Native     json.RawMessage `json:"native,omitempty"` // the provider's block, stored verbatim for faithful replay
	// StructuredBlob is the hash of the blob that holds Structured if that is too large to be stored inline.
	StructuredBlob string `json:"structuredBlob,omitempty"`
	// Extra holds the fields that this version does not know, so that they survive every round trip.
	Extra map[string]json.RawMessage `json:"-"`
}

// Truncated refers to the whole of a text that was cut.
type Truncated struct {
	SizeBytes int64  `json:"sizeBytes"` // of the whole text
	LineCount int64  `json:"lineCount"` // of the whole text
	Blob      string `json:"blob"`      // the hash of the blob that holds it
	// Shown means that Text is all that the model received, such as the beginning and the end of a long output.
	// Otherwise the store cut Text, and the model received the whole.
	Shown bool `json:"shown,omitempty"`
}

// Media is an image, a sound or a file in a message. Its bytes are in a blob, or at a URI that Coppice fetches only
// when asked to.
type Media struct {
	MimeType  string `json:"mimeType"`
	Blob      string `json:"blob,omitempty"`
	URI       string `json:"uri,omitempty"`
	Name      string `json:"name,omitempty"`
	SizeBytes int64  `json:"sizeBytes,omitempty"`
	Width     int64  `json:"w,omitempty"`
	Height    int64  `json:"h,omitempty"`
	// Data holds the bytes of media on its way into the store, which moves them to a blob, or to a model. Of the
	// store's results, only a conversation for a model has it.
	Data []byte `json:"-"`
	// Extra holds the fields that this version does not know, so that they survive every round trip.
	Extra map[string]json.RawMessage `json:"-"`
}

// IsImage reports whether it is a picture of any format. A nil Media is not.
func (m *Media) IsImage() bool { return m != nil && strings.HasPrefix(m.MimeType, "image/") }
