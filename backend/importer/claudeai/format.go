// Package claudeai reads the data export of Claude.ai, of 2023 to 2026; docs/formats/claude-ai.md describes it.
package claudeai

import (
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/chatexport"
)

// Format returns the format of Claude.
func Format() importer.Format {
	return importer.Format{
		Name: core.SourceClaudeAI, Version: 1, Extensions: []string{".json", ".zip"}, Sniff: sniff, Read: sessions,
	}
}

// sniff looks for the messages of the first conversation.
func sniff(path string, head []byte) bool {
	h, ok := chatexport.First(path, head, "chat_messages")
	return ok && h.Has("chat_messages") && (h.Has("uuid") || h.Cut) && h.Head.Get("chat_messages").IsArray()
}

// sessions yields the sessions of an export, one per conversation.
func sessions(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return chatexport.Read(ctx, file, func(c *chatexport.Conversation, v gjson.Result) (core.Incoming, bool) {
		t := newTree(c, v)
		if len(t.order.Positions) == 0 {
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
