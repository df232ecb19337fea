// Package chatgpt reads the data export of ChatGPT, of 2023 to 2026, the slim form too; docs/formats/chatgpt.md describes it.
package chatgpt

import (
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/chatexport"
)

// version is raised when the same file would be read differently.
const version = 2

// Format reads ChatGPT's exports. The zero value is ready.
type Format struct{}

// Name returns "chatgpt".
func (Format) Name() core.Source { return core.SourceChatGPT }

// Version returns the version of the reader.
func (Format) Version() int64 { return version }

// Extensions returns the endings of exports: as they are downloaded, and unpacked.
func (Format) Extensions() []string { return []string{".json", ".zip"} }

// Sniff looks for a mapping of nodes in the first conversation.
func (Format) Sniff(path string, head []byte) bool {
	h, ok := chatexport.First(path, head, "mapping")
	if !ok || !h.Head.Get("mapping").IsObject() {
		return false
	}
	return h.Has("current_node") || h.Has("conversation_id") || h.Has("create_time") || h.Cut
}

// Read yields the sessions of an export, one per conversation.
func (Format) Read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return chatexport.Read(ctx, file, func(c *chatexport.Conversation, v gjson.Result) (core.Incoming, bool) {
		t := newTree(c, v)
		if len(t.order.Places) == 0 {
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
