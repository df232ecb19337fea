// Package agentbase reads the session files of agent-base, which was called agent-template, versions up to
// 0.3.2; docs/formats/agent-base.md describes them.
package agentbase

import (
	"context"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// The paths of the messages in the forms of a thread.
const (
	frameworkPath = "thread.chat_message_store_state.messages"
	fallbackPath  = "thread.messages"
)

// Format returns the format of agent-base's files. Times in the files name no zone: they are of location.
func Format(location *time.Location) importer.Format {
	f := &format{zone: location}
	return importer.Format{
		Name: core.SourceAgentBase, Version: 1, Extensions: []string{".json"}, Sniff: sniff, Read: f.read,
	}
}

// format reads the files.
type format struct {
	zone *time.Location // of the times in the files, which name none
}

// Folder returns the folder of the sessions of agent-base and its successor agent-harness.
func Folder(home string) string { return filepath.Join(home, ".agent", "sessions") }

// sniff looks for a thread beside a name.
func sniff(_ string, head []byte) bool {
	h, ok := transcript.Sniff(head, frameworkPath, fallbackPath)
	return ok && h.Has("name", "thread") && h.Has("created_at")
}

// read yields the session of a file.
func (f *format) read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		outliner, doc, err := transcript.Open(ctx, file, file.Data, file.SizeBytes, frameworkPath, fallbackPath)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		elements := doc.Lists[frameworkPath]
		if len(elements) == 0 {
			elements = doc.Lists[fallbackPath]
		}
		if len(elements) == 0 {
			f.nothing(file, doc)
			return
		}
		t := transcript.Transcript{
			File: file, Outliner: outliner, Elements: elements, Build: build, Session: f.session(file, doc.Head),
			EndedMs: f.millis(doc.Head.Get("updated_at")),
		}
		t.StartedMs = t.Session.CreatedAtMs
		t.Finish = nameResults(&t)
		yield(t.Incoming(ctx), nil)
	}
}

// nothing reports why a file holds no conversation.
func (f *format) nothing(file core.SourceFile, doc *jsondoc.Outline) {
	if id := jsonl.Text(doc.Head.Get("thread.service_thread_id")); id != "" {
		file.Problem(0, "the conversation is kept by the model's service, as thread "+id+"; the file holds no message of it")
	}
}

func (f *format) session(file core.SourceFile, head gjson.Result) core.Session {
	s := core.Session{
		Source: core.SourceAgentBase, SourceID: jsonl.Text(head.Get("name")), SourcePath: file.Path, CreatedAtMs: f.created(head),
		Meta: transcript.Rest(head, "name", "created_at", "updated_at", "message_count", "first_message"),
	}
	if s.SourceID == "" {
		s.SourceID = strings.TrimSuffix(filepath.Base(file.Path), ".json")
	}
	if said := jsonl.Text(head.Get("description")); said != "" && said != "Auto-saved session" {
		s.Title = jsonl.Headline(said) // the user gave it
	} else if _, err := time.Parse(automatic, s.SourceID); err != nil {
		s.Title = s.SourceID // a name that the user gave
	}
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = file.ModifiedMs
	}
	return s
}

// automatic is the form of the names that agent-base gives.
const automatic = "2006-01-02-15-04-05"

// created returns when the session began. created_at is overwritten at each save, but a name that agent-base gave
// contains the time.
func (f *format) created(head gjson.Result) int64 {
	if t, err := time.ParseInLocation(automatic, jsonl.Text(head.Get("name")), f.zone); err == nil {
		return t.UnixMilli()
	}
	return f.millis(head.Get("created_at"))
}

// millis reads a time of Python's isoformat; 0 for anything else.
func (f *format) millis(v gjson.Result) int64 {
	text := jsonl.Text(v)
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.UnixMilli()
	}
	if t, err := time.ParseInLocation("2006-01-02T15:04:05.999999999", text, f.zone); err == nil {
		return t.UnixMilli()
	}
	return 0
}
