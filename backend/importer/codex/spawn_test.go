package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
	"coppice/backend/sqlite"
)

const childThread = "0198c5a4-0000-7000-8000-00000000000c"

// spawned returns the rollouts of a session and of the subagent that it started. The function writes the record by which the session receives the
// subagent's id.
func spawned(told func(s *script)) (parent, child *script) {
	parent = begin(scriptThread, nil)
	parent.starts(1)
	parent.prompt("mend the fence")
	parent.item(object{"type": "function_call", "name": "spawn_agent", "arguments": `{"message":"look around"}`, "call_id": "call_spawn"})
	told(parent)
	parent.reply("done")
	parent.ends(1)
	child = begin(childThread, object{"source": object{"subagent": object{"thread_spawn": object{"parent_thread_id": scriptThread, "depth": 1, "agent_role": "explorer"}}}})
	child.starts(2)
	child.prompt("look around")
	child.reply("a gap")
	child.ends(2)
	return parent, child
}

// TestSubagentInAnyOrder imports a session and its subagent in any order, in one run and in several, from one folder and from two: the
// subagent is a child of the message that started it.
func TestSubagentInAnyOrder(t *testing.T) {
	output := func(s *script, text string) {
		s.item(object{"type": "function_call_output", "call_id": "call_spawn", "output": text})
	}
	for name, told := range map[string]func(s *script){
		"by the output": func(s *script) { output(s, `{"agent_id":"`+childThread+`","nickname":"Ada"}`) },
		"by the event": func(s *script) {
			s.event(object{"type": "collab_agent_spawn_end", "call_id": "call_spawn", "sender_thread_id": scriptThread, "new_thread_id": childThread})
			output(s, "started")
		},
		"by the item": func(s *script) {
			s.event(object{"type": "item_completed", "item": object{"type": "CollabAgentToolCall", "id": "call_spawn", "receiver_thread_ids": []string{childThread}}})
			output(s, "started")
		},
		"by its activity": func(s *script) {
			s.event(object{"type": "sub_agent_activity", "event_id": "call_spawn", "agent_thread_id": childThread, "kind": "started"})
			output(s, `{"task_name":"/root/look"}`)
		},
	} {
		parent, child := spawned(told)
		for _, order := range []string{"parent, child", "child, parent", "child and parent at once", "child, parent elsewhere"} {
			t.Run(name+": "+order, func(t *testing.T) {
				folder, elsewhere := t.TempDir(), t.TempDir()
				put := func(folder, thread string, s *script) string {
					path := filepath.Join(folder, "rollout-2026-03-04T05-00-00-"+thread+".jsonl")
					if err := os.WriteFile(path, s.lines, 0o600); err != nil {
						t.Fatal(err)
					}
					return path
				}
				db := importertest.Open(t)
				switch order {
				case "parent, child":
					importertest.Import(t, db, Format(), put(folder, scriptThread, parent))
					importertest.Import(t, db, Format(), put(folder, childThread, child))
				case "child, parent":
					importertest.Import(t, db, Format(), put(folder, childThread, child))
					importertest.Import(t, db, Format(), put(folder, scriptThread, parent))
				case "child, parent elsewhere":
					importertest.Import(t, db, Format(), put(folder, childThread, child))
					importertest.Import(t, db, Format(), put(elsewhere, scriptThread, parent))
				default:
					importertest.Import(t, db, Format(), put(folder, childThread, child), put(folder, scriptThread, parent))
				}
				check(t, db)
			})
		}
	}
}

func check(t *testing.T, db *sqlite.DB) {
	t.Helper()
	p, err := db.Session(t.Context(), scriptThread)
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.Session(t.Context(), childThread)
	if err != nil {
		t.Fatal(err)
	}
	call := ""
	for m, err := range db.Messages(t.Context(), p.ID) {
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range m.Parts {
			if part.Type == core.PartToolCall {
				call = m.UID
			}
		}
	}
	if c.ParentID != p.ID || c.Relation != core.RelationSubagent || c.ParentUID != call || call == "" {
		t.Errorf("child of %q at %q as %q, want %q at %q", c.ParentID, c.ParentUID, c.Relation, p.ID, call)
	}
}

// TestNotices checks that errors of the tool are in the conversation, once, and open no turn.
func TestNotices(t *testing.T) {
	failure := object{"message": "usage limit reached", "codex_error_info": "usage_limit_exceeded"}
	for _, test := range []struct {
		name  string
		write func(s *script)
		want  string
	}{
		{"a turn that ends with an error", func(s *script) {
			s.prompt("q")
			s.event(object{"type": "error", "message": "usage limit reached"})
			s.event(object{"type": "task_complete", "turn_id": turnID(1), "last_agent_message": nil, "error": failure})
		}, "q | The tool reported an error: usage limit…"},
		{"a turn that is aborted", func(s *script) {
			s.prompt("q")
			s.event(object{"type": "turn_aborted", "turn_id": turnID(1), "reason": "interrupted"})
			s.starts(2)
			s.prompt("q2")
			s.reply("a2")
		}, "q | The turn was aborted: interrupted | q2 | a2"},
		{"an error within a turn", func(s *script) {
			s.prompt("q")
			s.calls("c")
			s.event(object{"type": "error", "message": "no network"})
			s.answers("c", "out")
			s.reply("a")
			s.ends(1)
		}, "q | exec_command {\"cmd\":\"ls\"} | The tool reported an error: no network | out | a"},
		{"a stream that broke off", func(s *script) {
			s.prompt("q")
			s.event(object{"type": "stream_error", "message": "stream disconnected before completion"})
			s.reply("a")
			s.ends(1)
		}, "q | The tool reported an error: stream disc… | a"},
		{"a turn without an error", func(s *script) { s.prompt("q"); s.reply("a"); s.ends(1) }, "q | a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin(scriptThread, nil)
			s.starts(1)
			test.write(s)
			r := read(t, s)
			if got := r.Shape(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			for _, m := range r.Messages {
				if m.Error != "" && (m.Role != core.RoleSystem || m.Notice() == "" || m.IsPrompt()) {
					t.Errorf("notice %+v", m.Message)
				}
			}
			var lines []int
			for i, c := range s.lines {
				if c == '\n' {
					lines = append(lines, i+1)
				}
			}
			importertest.Grow(t, Format(), fmt.Sprintf("rollout-2026-03-04T05-00-00-%s.jsonl", scriptThread), s.lines, lines)
		})
	}
}

// TestFinished checks that a merged answer records when it began and when it ended.
func TestFinished(t *testing.T) {
	s := begin(scriptThread, nil)
	s.starts(1)
	s.prompt("q")
	s.thinks("hm")
	s.reply("a")
	m := read(t, s).Messages[1]
	if m.CreatedAtMs == 0 || m.FinishedAtMs <= m.CreatedAtMs {
		t.Errorf("from %d to %d", m.CreatedAtMs, m.FinishedAtMs)
	}
}

// TestFailedPatchGrows imports a session with a patch that fails line by line: its file is not among the changed ones.
func TestFailedPatchGrows(t *testing.T) {
	s := begin(scriptThread, nil)
	s.starts(1)
	s.prompt("q")
	s.item(object{"type": "custom_tool_call", "name": "apply_patch", "call_id": "c", "input": "*** Begin Patch\n*** Update File: failed.md\n*** End Patch"})
	s.event(object{"type": "patch_apply_end", "call_id": "c", "success": false, "changes": object{"/garden/failed.md": object{"type": "update"}}})
	s.item(object{"type": "custom_tool_call_output", "call_id": "c", "output": "failed"})
	s.reply("a")
	s.ends(1)
	var lines []int
	for i, c := range s.lines {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	importertest.Grow(t, Format(), "rollout-2026-03-04T05-00-00-"+scriptThread+".jsonl", s.lines, lines)
	if r := read(t, s); len(r.FilesModified) != 0 {
		t.Errorf("files %v", r.FilesModified)
	}
}
