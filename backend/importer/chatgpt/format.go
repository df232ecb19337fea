// Package chatgpt reads the data export of ChatGPT, of 2023 to 2026, the slim form too; docs/formats/chatgpt.md describes it.
package chatgpt

import (
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/chatexport"
)

// Format returns the format of ChatGPT's exports.
func Format() importer.Format {
	return importer.Format{
		Name: core.SourceChatGPT, Version: 2, Extensions: []string{".json", ".zip"}, Sniff: sniff, Read: sessions,
	}
}

// sniff looks for a mapping of nodes in the first conversation.
func sniff(path string, head []byte) bool {
	h, ok := chatexport.First(path, head, "mapping")
	if !ok || !h.Head.Get("mapping").IsObject() {
		return false
	}
	return h.Has("current_node") || h.Has("conversation_id") || h.Has("create_time") || h.Cut
}

// sessions yields the sessions of an export, one per conversation.
func sessions(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return chatexport.Read(ctx, file, func(c *chatexport.Conversation, v gjson.Result) (core.Incoming, bool) {
		t := newTree(c, v)
		if len(t.order.Positions) == 0 {
			return core.Incoming{}, false
		}
		return core.Incoming{
			Header:   core.Header{Session: t.session(file.Path), Keep: t.lacksFiles()},
			Messages: t.messages(ctx),
			Head:     t.head,
			Records:  t.records(),
		}, true
	})
}
