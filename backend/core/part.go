package core

import (
	"encoding/json"
	"strings"
)

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
	// Tail is the end of the whole, which a card shows; empty if Shown, or if an older version stored the text.
	Tail string `json:"tail,omitempty"`
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
