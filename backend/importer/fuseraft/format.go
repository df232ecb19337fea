// Package fuseraft reads the checkpoints and the REPL sessions of fuseraft, from the early versions that count money to
// those of 2026 that count tokens; docs/formats/fuseraft.md describes them.
package fuseraft

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
	"coppice/backend/lazyregexp"
)

// Format returns the format of fuseraft's files.
func Format() importer.Format {
	return importer.Format{
		Name: core.SourceFuseraft, Version: 1, Extensions: []string{".json"}, Sniff: sniff, Read: sessions,
	}
}

// Folders returns where fuseraft keeps its checkpoints and its REPL sessions: below the home folder, or in a store that a project has
// of its own.
func Folders(home string) []string {
	return []string{filepath.Join(home, ".fuseraft", "sessions"), filepath.Join(home, ".fuseraft", "repl-sessions")}
}

// sniff looks for the id of a session beside messages or a history.
func sniff(_ string, head []byte) bool {
	h, ok := transcript.Sniff(head, "Messages", "History")
	if !ok || !h.Has("SessionId") {
		return false
	}
	checkpoint := h.Has("Task") && (h.Has("Messages") || h.Cut)
	repl := h.Has("ModelId") && (h.Has("History") || h.Cut)
	return checkpoint || repl
}

// sessions yields the session of a file.
func sessions(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		outliner, doc, err := transcript.Open(ctx, file, file.Data, file.SizeBytes, "Messages", "History")
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		t := transcript.Transcript{File: file, Outliner: outliner, EndedMs: jsonl.Millis(doc.Head.Get("LastUpdatedAt"))}
		if history, is := doc.Lists["History"]; is {
			t.Elements, t.Build, t.Session = history, replMessage, repl(file, doc.Head)
			names := map[string]string{}
			t.See = func(_ int, m *core.Message) { rememberCalls(names, m) }
			t.Finish = func(_ int, m *core.Message, _ func(int) string) { nameResults(names, m) }
		} else {
			t.Elements, t.Build, t.Session = doc.Lists["Messages"], checkpointMessage, checkpoint(file, doc.Head)
			t.Finish = func(_ int, m *core.Message, _ func(int) string) { nameCalls(m) }
		}
		t.StartedMs = t.Session.CreatedAtMs
		if len(t.Elements) > 0 {
			yield(t.Incoming(ctx), nil)
		}
	}
}

func checkpoint(file core.SourceFile, head gjson.Result) core.Session {
	s := session(file, head, "SessionId", "Task", "WorkingDirectory", "Messages", "StartedAt", "LastUpdatedAt", "IsComplete")
	s.Task = jsonl.Task(jsonl.Text(head.Get("Task")))
	s.WorkspacePath = jsonl.Text(head.Get("WorkingDirectory"))
	s.Status = core.StatusInterrupted // it can be resumed
	if head.Get("IsComplete").Bool() {
		s.Status = core.StatusSuccess
	}
	if s.WorkspacePath == "" { // the configuration is mostly in the workspace
		if folder, _, ok := strings.Cut(filepath.ToSlash(jsonl.Text(head.Get("ConfigPath"))), "/.fuseraft/"); ok {
			s.WorkspacePath = folder
		}
	}
	return s
}

func repl(file core.SourceFile, head gjson.Result) core.Session {
	s := session(file, head, "SessionId", "ModelId", "Cwd", "History", "StartedAt", "LastUpdatedAt")
	s.SourceID = "repl-" + s.SourceID // a checkpoint may have the same
	s.Model = jsonl.Text(head.Get("ModelId"))
	s.WorkspacePath = jsonl.Text(head.Get("Cwd"))
	s.Status = core.StatusIdle
	return s
}

var idInName = lazyregexp.New(`^(?:repl-)?(.+)\.json$`)

func session(file core.SourceFile, head gjson.Result, known ...string) core.Session {
	s := core.Session{
		Source: core.SourceFuseraft, SourceID: jsonl.Text(head.Get("SessionId")), SourcePath: file.Path,
		CreatedAtMs: jsonl.Millis(head.Get("StartedAt")), Meta: transcript.Rest(head, known...),
	}
	if match := idInName.FindStringSubmatch(filepath.Base(file.Path)); s.SourceID == "" && match != nil {
		s.SourceID = match[1]
	}
	if s.SourceID == "" {
		s.SourceID = filepath.Base(file.Path)
	}
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = file.ModifiedMs
	}
	return s
}
