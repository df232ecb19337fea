// Package claudeai reads the data export of Claude.ai, of 2023 to 2026; docs/formats/claude-ai.md describes it.
package claudeai

import (
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/chatexport"
)

// version is raised when the same file would be read differently.
const version = 1

// Format reads Claude.ai's exports. The zero value is ready.
type Format struct{}

// Name returns "claude_ai".
func (Format) Name() core.Source { return core.SourceClaudeAI }

// Version returns the version of the reader.
func (Format) Version() int64 { return version }

// Extensions returns the endings of exports: as they are downloaded, and unpacked.
func (Format) Extensions() []string { return []string{".json", ".zip"} }

// Sniff looks for the messages of the first conversation.
func (Format) Sniff(path string, head []byte) bool {
	h, ok := chatexport.First(path, head, "chat_messages")
	return ok && h.Has("chat_messages") && (h.Has("uuid") || h.Cut) && h.Head.Get("chat_messages").IsArray()
}

// Read yields the sessions of an export, one per conversation.
func (Format) Read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return chatexport.Read(ctx, file, func(c *chatexport.Conversation, v gjson.Result) (core.Incoming, bool) {
		t := newTree(c, v)
		if len(t.order.Places) == 0 {
			return core.Incoming{}, false
		}
		return core.Incoming{
			Header:   core.Header{Session: t.session(file.Path)},
			Messages: t.messages(ctx),
			Head:     t.head,
			Records:  t.records(),
		}, true
	})
}
