// Package exporter prepares the path of a session for the writers below it, which write it as a new session of another
// tool, so that the tool continues from the end of the path.
//
// The writers hold one message at a time: they write to a stream what they read from one.
package exporter

import (
	"cmp"
	"encoding/base64"
	"iter"
	"strings"
	"time"

	"coppice/backend/core"
)

// Conversation is what a session of another tool is written from.
type Conversation struct {
	ID        string // of the new session in the tool
	Title     string // empty: unknown
	Folder    string // the workspace, an absolute path
	Note      string // where the conversation comes from, for the user and the model
	WrittenMs int64  // now, in Unix milliseconds
	// Native means that the path comes from the tool itself: calls of tools and their results are written as they are. Otherwise
	// Messages are those of Plain.
	Native bool
	// Verbatim means that no text was changed, so that signatures of reasoning hold, and that messages may keep their ids.
	Verbatim bool
	// Messages are those of Paired or Plain: every call is followed by its results.
	Messages iter.Seq2[core.Message, error]
}

// Time returns the time of a message as the tools write it; that of the whole conversation for one without a time.
func (c *Conversation) Time(m *core.Message) string { return Timestamp(c.TimeMs(m)) }

// TimeMs returns the time of a message in Unix milliseconds.
func (c *Conversation) TimeMs(m *core.Message) int64 { return cmp.Or(m.CreatedAtMs, c.WrittenMs) }

// NewID returns the id of a message in the new session, a UUID.
func (c *Conversation) NewID(m *core.Message) string { return core.DerivedID(c.TimeMs(m), c.ID, m.UID) }

// CopyID returns the id of a message for a tool whose copies of sessions have the ids of their source: the library recognises the
// messages by them, and what the tool adds becomes a branch of the source.
func (c *Conversation) CopyID(m *core.Message) string {
	if c.Verbatim && core.IsUUID(m.UID) {
		return m.UID
	}
	return c.NewID(m)
}

// Timestamp returns a time as RFC 3339 in UTC with milliseconds.
func Timestamp(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

// Provider returns the provider of the model that wrote an answer: what is recorded, else what the name of the model indicates.
func Provider(m *core.Message) string {
	if m.Origin != nil && m.Origin.Provider != "" {
		return m.Origin.Provider
	}
	switch model := strings.ToLower(m.Model); {
	case strings.HasPrefix(model, "claude"):
		return "anthropic"
	case strings.HasPrefix(model, "gpt"), strings.HasPrefix(model, "o1"), strings.HasPrefix(model, "o3"), strings.HasPrefix(model, "o4"):
		return "openai"
	case strings.HasPrefix(model, "gemini"):
		return "google"
	default:
		return "unknown"
	}
}

// Model returns the model that wrote an answer; the tools want a name even if it is unknown.
func Model(m *core.Message) string { return cmp.Or(m.Model, "unknown") }

// DataURL returns the address of media: its bytes, or the URI it is at; empty if it has neither.
func DataURL(m *core.Media) string {
	if m == nil {
		return ""
	}
	if len(m.Data) == 0 {
		return m.URI
	}
	return "data:" + m.MimeType + ";base64," + base64.StdEncoding.EncodeToString(m.Data)
}

// MediaName returns a text in place of media that a format cannot hold.
func MediaName(m *core.Media) string {
	if m == nil {
		return "[a file]"
	}
	return "[" + cmp.Or(m.Name, m.URI, m.MimeType, "a file") + "]"
}
