// Package architect reads the session files of architect (architect-ai-cli), version 1.1;
// docs/formats/architect.md describes them.
package architect

import (
	"context"
	"encoding/json"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// Format returns the format of architect's files.
func Format() importer.Format {
	return importer.Format{
		Name: core.SourceArchitect, Version: 1, Extensions: []string{".json"}, Sniff: sniff, Read: sessions,
	}
}

// Folder returns the folder of architect's sessions of a workspace.
func Folder(workspace string) string { return filepath.Join(workspace, ".architect", "sessions") }

// sniff looks for the members that a session begins with.
func sniff(_ string, head []byte) bool {
	h, ok := transcript.Sniff(head, "messages")
	return ok && h.Has("session_id", "task") && (h.Has("steps_completed") || h.Cut && !h.Has("messages"))
}

// sessions yields the session of a file.
func sessions(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		outliner, doc, err := transcript.Open(ctx, file, file.Data, file.SizeBytes, "messages")
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		if len(doc.Lists["messages"]) == 0 {
			return
		}
		t := transcript.Transcript{
			File: file, Outliner: outliner, Elements: doc.Lists["messages"], Build: build,
			StartedMs: transcript.Seconds(doc.Head.Get("started_at")), EndedMs: transcript.Seconds(doc.Head.Get("updated_at")),
		}
		if t.StartedMs == 0 {
			t.StartedMs = file.ModifiedMs
		}
		if cost := transcript.NanoUSD(doc.Head.Get("total_cost")); cost != nil && *cost > 0 { // else nothing was counted
			t.CostNanoUSD = cost
		}
		t.Cut = startsLate(file, outliner, doc)
		t.Session = session(file, doc.Head, t.Cut)
		yield(t.Incoming(ctx), nil)
	}
}

func session(file core.SourceFile, head gjson.Result, cut bool) core.Session {
	s := core.Session{
		Source: core.SourceArchitect, SourceID: jsonl.Text(head.Get("session_id")), SourcePath: file.Path,
		Task: jsonl.Task(task(jsonl.Text(head.Get("task")))), Agent: jsonl.Text(head.Get("agent")), Model: jsonl.Text(head.Get("model")),
		Status: status(jsonl.Text(head.Get("status"))), StopReason: jsonl.Text(head.Get("stop_reason")),
		FilesModified: files(head.Get("files_modified")), WorkspacePath: workspace(file.Path),
		CreatedAtMs: transcript.Seconds(head.Get("started_at")),
	}
	if s.SourceID == "" {
		s.SourceID = strings.TrimSuffix(filepath.Base(file.Path), ".json")
	}
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = file.ModifiedMs
	}
	var meta jsonl.Fields
	transcript.AddRest(&meta, head, "session_id", "task", "agent", "model", "stop_reason", "files_modified", "messages", "started_at", "updated_at")
	if cut {
		meta.Set("incompleteStart", json.RawMessage("true"))
	}
	s.Meta = meta.JSON()
	return s
}

// status converts architect's status. A file with the status running is what an interrupted run leaves: architect does
// not save on Ctrl+C and on errors.
func status(word string) core.Status {
	if s := core.Status(word); s != core.StatusRunning && slices.Contains(core.Statuses(), s) {
		return s
	}
	return core.StatusInterrupted
}

// The prompts of a resumed run, instead of a task.
const (
	resumed  = "You are resuming an interrupted session.\nOriginal task: "
	resumed2 = "\nSteps completed: "
)

// task finds the user's first request. Each resume puts the task of the previous run into a prompt.
func task(prompt string) string {
	for strings.HasPrefix(prompt, resumed) {
		inner := strings.TrimPrefix(prompt, resumed)
		if end := strings.LastIndex(inner, resumed2); end >= 0 {
			inner = inner[:end]
		}
		prompt = inner
	}
	return prompt
}

func files(list gjson.Result) []string {
	var names []string
	for _, v := range list.Array() {
		if name := jsonl.Text(v); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// workspace returns the folder that holds .architect/sessions.
func workspace(path string) string {
	sessions := filepath.Dir(path)
	tool := filepath.Dir(sessions)
	if filepath.Base(sessions) != "sessions" || filepath.Base(tool) != ".architect" {
		return ""
	}
	return filepath.Dir(tool)
}
