// Package agentharness reads the session files of agent-harness, the successor of agent-base, as of January
// 2026; docs/formats/agent-harness.md describes them.
package agentharness

import (
	"context"
	"iter"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
	"coppice/backend/jsontext"
)

// kept is the number of messages that agent-harness keeps.
const kept = 100

// Format returns the format of agent-harness's files.
func Format() importer.Format {
	return importer.Format{
		Name: core.SourceAgentHarness, Version: 1, Extensions: []string{".json"}, Sniff: sniff, Read: sessions,
	}
}

// sniff looks for metadata with a time beside messages.
func sniff(_ string, head []byte) bool {
	h, ok := transcript.Sniff(head, "messages")
	return ok && h.Has("metadata") && (h.Has("messages") || h.Cut) &&
		h.Head.Get("metadata.createdAt").Exists() && h.Head.Get("metadata.lastActivityAt").Exists()
}

// sessions yields the session of a file.
func sessions(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		outliner, doc, err := transcript.Open(ctx, file, file.Data, file.SizeBytes, "messages")
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		elements := doc.Lists["messages"]
		if len(elements) == 0 {
			return
		}
		t := transcript.Transcript{
			File: file, Outliner: outliner, Elements: elements, Session: session(file, doc.Head), Cut: len(elements) == kept,
			EndedMs: jsonl.Millis(doc.Head.Get("metadata.lastActivityAt")),
		}
		t.StartedMs = t.Session.CreatedAtMs
		model := t.Session.Model
		ids := map[string]bool{}
		t.Build = func(v gjson.Result) (core.Message, bool) { return build(v, model) }
		t.See = func(_ int, m *core.Message) {
			if ids[m.UID] {
				m.UID = "" // it gets one of its own
			}
			ids[m.UID] = true
		}
		yield(t.Incoming(ctx), nil)
	}
}

func session(file core.SourceFile, head gjson.Result) core.Session {
	m := head.Get("metadata")
	s := core.Session{
		Source: core.SourceAgentHarness, SourceID: jsonl.Text(m.Get("id")), SourcePath: file.Path, CreatedAtMs: jsonl.Millis(m.Get("createdAt")),
	}
	if s.SourceID == "" {
		s.SourceID = strings.TrimSuffix(filepath.Base(file.Path), ".json")
	}
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = file.ModifiedMs
	}
	if model := jsonl.Text(m.Get("model")); model != "unknown" {
		s.Model = model
	}
	if said := jsonl.Text(m.Get("description")); said != "" {
		s.Title, s.TitleOrigin = jsonl.Headline(said), core.TitleDerived
	} else if name := jsonl.Text(m.Get("name")); name != s.SourceID {
		s.Title = jsonl.Title(name)
	}
	var meta jsonl.Fields
	transcript.AddRest(&meta, head, "metadata", "messages")
	transcript.AddRest(&meta, m, "id", "name", "description", "createdAt", "lastActivityAt", "messageCount", "firstMessage", "model")
	s.Meta = meta.JSON()
	return s
}

// build builds a message. agent-harness stores no calls, only their results.
func build(v gjson.Result, model string) (core.Message, bool) {
	m := core.Message{
		UID: jsonl.Text(v.Get("id")), Role: core.Role(jsonl.Text(v.Get("role"))), Kind: core.KindMessage, CreatedAtMs: jsonl.Millis(v.Get("timestamp")),
		Meta: transcript.Rest(v, "id", "role", "content", "timestamp", "name", "toolCallId"),
	}
	switch m.Role {
	case core.RoleSystem, core.RoleUser:
		m.Parts, m.Name = texts(v.Get("content")), jsonl.Text(v.Get("name"))
	case core.RoleAssistant:
		m.Parts, m.Model, m.Name = texts(v.Get("content")), model, jsonl.Text(v.Get("name"))
	case core.RoleTool:
		m.Parts = []core.Part{{
			Type: core.PartToolResult, ID: jsonl.Text(v.Get("toolCallId")), Name: jsonl.Text(v.Get("name")), Result: texts(v.Get("content")),
		}}
		if said, ok := structured(v.Get("content")); ok {
			m.Parts[0].IsError = said.Get("success").Type == gjson.False
		}
	default:
		return core.Message{}, false
	}
	return m, true
}

// structured reads a result that is an object in a string.
func structured(content gjson.Result) (gjson.Result, bool) {
	if text := content.Str; strings.HasPrefix(text, "{") && jsontext.Check([]byte(text)) == "" {
		return gjson.Parse(text), true
	}
	return gjson.Result{}, false
}

func texts(content gjson.Result) []core.Part {
	switch {
	case content.Type == gjson.String && content.Str == "", content.Type != gjson.String && jsonl.Empty(content):
		return nil
	case content.Type == gjson.String:
		return []core.Part{{Type: core.PartText, Text: content.Str}}
	default:
		return []core.Part{{Type: core.PartOther, Native: jsonl.Raw(content)}}
	}
}
