package claudecode

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

func edit(id, file string) fieldsOf {
	return fieldsOf{"type": "tool_use", "id": id, "name": "Edit", "input": fieldsOf{"file_path": file, "old_string": "a", "new_string": "b"}}
}

// edits appends a turn with two edits, the first of which fails.
func (s *script) edits() {
	s.user("q", "", "mend the fence")
	s.reply("a1", "q", "m1", fieldsOf{"type": "text", "text": "I will"})
	s.reply("a2", "a1", "m1", edit("t1", "/garden/failed.md"))
	s.reply("a3", "a2", "m1", edit("t2", "/garden/fence.md"))
	s.record("r1", "a3", fieldsOf{"type": "user", "message": fieldsOf{"role": "user", "content": []any{
		fieldsOf{"type": "tool_result", "tool_use_id": "t1", "content": "String to replace not found in file.", "is_error": true},
	}}})
	s.record("r2", "r1", fieldsOf{"type": "user", "message": fieldsOf{"role": "user", "content": []any{
		fieldsOf{"type": "tool_result", "tool_use_id": "t2", "content": "updated"},
	}}})
	s.says("a4", "r2", "done")
	s.record("e", "a4", fieldsOf{"type": "assistant", "isApiErrorMessage": true, "message": fieldsOf{
		"id": "e", "model": "<synthetic>", "content": []any{fieldsOf{"type": "text", "text": "API Error: 529 overloaded"}}, "usage": fieldsOf{"input_tokens": 7, "output_tokens": 7},
	}})
}

// TestFailedEditGrows imports a session line by line: the file of the failed edit is not among the changed ones, and everything
// else equals the result of one import.
func TestFailedEditGrows(t *testing.T) {
	s := &script{}
	s.edits()
	var lines []int
	for i, c := range s.lines {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	importertest.Grow(t, Format(), scriptSession+".jsonl", s.lines, lines)
	if r := importertest.One(t, Format(), scriptSession+".jsonl", s.lines); len(r.FilesModified) != 1 {
		t.Errorf("files %v", r.FilesModified)
	}
}

// TestToolsWords checks that a message that Claude Code writes in the model's name is not a model call, and is shown as a notice if it is
// an error.
func TestToolsWords(t *testing.T) {
	s := &script{}
	s.edits()
	all := importertest.One(t, Format(), scriptSession+".jsonl", s.lines).Messages
	m := all[len(all)-1]
	if m.IsCall() || m.Usage != nil || m.Model != "" || m.Notice() != "API Error: 529 overloaded" {
		t.Errorf("%+v", m.Message)
	}
	if m.Role != core.RoleAssistant || m.FinishReason != "error" {
		t.Errorf("%s, %s", m.Role, m.FinishReason)
	}
}

// TestFinished checks that a merged answer begins with its first record and ends with its last one.
func TestFinished(t *testing.T) {
	s := &script{}
	s.edits()
	m := importertest.One(t, Format(), scriptSession+".jsonl", s.lines).Messages[1]
	if m.UID != "a1" || m.FinishedAtMs-m.CreatedAtMs != 2000 {
		t.Errorf("%s from %d to %d", m.UID, m.CreatedAtMs, m.FinishedAtMs)
	}
}

// TestSubagentFirst imports the file of a subagent before that of its session exists: then both equal the result of importing them
// in one run.
func TestSubagentFirst(t *testing.T) {
	s := &script{}
	s.user("q", "", "mend the fence")
	s.reply("a1", "q", "m1", fieldsOf{"type": "tool_use", "id": "t1", "name": "Task", "input": fieldsOf{"description": "look around", "prompt": "find the gap", "subagent_type": "explorer"}})
	s.record("r1", "a1", fieldsOf{"type": "user", "toolUseResult": fieldsOf{"agentId": "7"}, "message": fieldsOf{"role": "user", "content": []any{
		fieldsOf{"type": "tool_result", "tool_use_id": "t1", "content": "a gap"},
	}}})
	agent := &script{seconds: 10}
	agent.record("s1", "", fieldsOf{"isSidechain": true, "agentId": "7", "type": "user", "message": fieldsOf{"role": "user", "content": "find the gap"}})
	folder := t.TempDir()
	main, child := filepath.Join(folder, scriptSession+".jsonl"), filepath.Join(folder, scriptSession, "subagents", "agent-7.jsonl")
	put := func(path string, data []byte) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	put(child, agent.lines)
	late := importertest.Open(t)
	importertest.Import(t, late, Format(), child)
	put(main, s.lines)
	importertest.Import(t, late, Format(), main)
	whole := importertest.Open(t)
	importertest.Import(t, whole, Format(), main, child)
	if got, want := importertest.Dump(t, late), importertest.Dump(t, whole); got != want {
		t.Errorf("child first:\n%s\nat once:\n%s", got, want)
	}
}
