package claudecode

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
)

// TestTitle checks the titles of sessions.
func TestTitle(t *testing.T) {
	prompt := func(s *script) { s.turn("1", "") }
	custom := func(s *script) { s.raw(fieldsOf{"type": "custom-title", "customTitle": "mine", "sessionId": "s"}) }
	ai := func(s *script) { s.raw(fieldsOf{"type": "ai-title", "aiTitle": "its", "sessionId": "s"}) }
	summary := func(leaf string) func(*script) {
		return func(s *script) { s.raw(fieldsOf{"type": "summary", "summary": "all in all", "leafUuid": leaf}) }
	}
	for _, test := range []struct {
		name  string
		write []func(*script)
		want  string
	}{
		{"a person's", []func(*script){custom, prompt, ai, summary("a1")}, "mine"},
		{"Claude Code's", []func(*script){prompt, ai, summary("a1")}, "its"},
		{"a summary of this conversation", []func(*script){prompt, summary("a1")}, "all in all"},
		{"a summary of another one", []func(*script){summary("elsewhere"), prompt}, "prompt 1"},
		{"the first prompt", []func(*script){func(s *script) { s.metaUser("c", "", "meta"); s.user("q", "c", " two\nlines ") }}, "two lines"},
		{"a command", []func(*script){func(s *script) {
			s.user("c", "", "<command-message>init is running…</command-message>\n<command-name>/init</command-name>\n<command-args>now</command-args>")
		}}, "/init now"},
		{"a long prompt", []func(*script){func(s *script) { s.user("q", "", strings.Repeat("ä", 200)) }}, strings.Repeat("ä", 99) + "…"},
		{"nothing", []func(*script){func(s *script) { s.says("a", "", "hello") }}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s script
			for _, w := range test.write {
				w(&s)
			}
			if got := readOne(t, s.lines).Title; got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// TestSessionFacts checks what is recorded of the session as a whole.
func TestSessionFacts(t *testing.T) {
	var s script
	edit := func(uuid, parent, tool, name, field, file string, failed bool) string {
		s.reply(uuid, parent, "m"+uuid, fieldsOf{"type": "tool_use", "id": tool, "name": name, "input": fieldsOf{field: file}})
		return s.record("r"+uuid, uuid, fieldsOf{"type": "user", "message": fieldsOf{"role": "user", "content": []any{
			fieldsOf{"type": "tool_result", "tool_use_id": tool, "content": "x", "is_error": failed},
		}}})
	}
	last := edit("a1", s.user("q1", "", "please"), "t1", "Edit", "file_path", "/p/b.go", false)
	last = edit("a2", last, "t2", "Write", "file_path", "/p/a.go", false)
	last = edit("a3", last, "t3", "NotebookEdit", "notebook_path", "/p/n.ipynb", false)
	last = edit("a4", last, "t4", "Edit", "file_path", "/p/rejected.go", true)
	last = edit("a5", last, "t5", "MultiEdit", "file_path", "/p/b.go", true)
	edit("a6", last, "t6", "Read", "file_path", "/p/read.go", false)
	s.record("z", "ra6", fieldsOf{"type": "assistant", "message": fieldsOf{"id": "z", "model": "<synthetic>", "content": []any{}}})
	s.raw(fieldsOf{"type": "cost-state", "sessionId": "s", "totalCostUSD": 0.1})
	s.raw(fieldsOf{"type": "cost-state", "sessionId": "s", "totalCostUSD": 0.2})
	s.raw(fieldsOf{"type": "pr-link", "sessionId": "s", "prUrl": "https://example.invalid/1"})
	r := readOne(t, s.lines)
	if !slices.Equal(r.FilesModified, []string{"/p/a.go", "/p/b.go", "/p/n.ipynb"}) {
		t.Errorf("files %v", r.FilesModified)
	}
	if r.Model != "claude-opus-4-6" || r.WorkspacePath != "/home/ada/garden" || r.Task != "please" || r.Status != core.StatusIdle || r.CostNanoUSD != nil {
		t.Errorf("%+v", r.Session)
	}
	if r.SourceID != scriptSession || r.ID != core.DerivedID(r.CreatedAtMs, "claude_code", scriptSession) || r.CreatedAtMs == 0 {
		t.Errorf("ids %s %s at %d", r.SourceID, r.ID, r.CreatedAtMs)
	}
	if want := `"costState":{"sessionId":"s","totalCostUSD":0.2,"type":"cost-state"}`; !strings.Contains(string(r.Meta), want) {
		t.Errorf("meta %s", r.Meta)
	}
	if want := `"prLinks":["https://example.invalid/1"]`; !strings.Contains(string(r.Meta), want) {
		t.Errorf("meta %s", r.Meta)
	}
}

// TestRecords checks which records are stored beside the messages.
func TestRecords(t *testing.T) {
	var s script
	s.raw(fieldsOf{"type": "mode", "mode": "normal", "sessionId": "s"})
	s.turn("1", "")
	s.system("b1", "a1", "turn_duration", nil)
	s.system("b2", "a1", "compact_boundary", fieldsOf{"compactMetadata": fieldsOf{"preTokens": 5}})
	s.system("b3", "a1", "something_new", nil)
	s.attachment("x1", "a1", "total_tokens_reminder")
	s.attachment("x2", "a1", "file")
	s.attachment("x3", "a1", "something_new")
	s.progress("p1", "a1", "hook_progress")
	s.raw(fieldsOf{"type": "invented", "payload": []int{1, 2}})
	s.raw(fieldsOf{"silly": true})
	s.turn("2", "a1")
	s.raw(fieldsOf{"type": "summary", "summary": "x", "leafUuid": "a2"})
	r := readOne(t, s.lines)
	var got []string
	for _, rec := range r.records {
		mark := "?"
		if rec.Known {
			mark = "!"
		}
		got = append(got, rec.Type+mark+rec.AfterUID)
	}
	want := []string{"system/compact_boundary!a1", "system/something_new?a1", "attachment/file!a1", "attachment/something_new?a1", "invented?a1", "?a1", "summary!a2"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if string(r.records[4].Body) != `{"payload":[1,2],"type":"invented"}` || r.records[4].Line != 11 {
		t.Errorf("line %d: %s", r.records[4].Line, r.records[4].Body)
	}
}

// TestDamage checks that damage is reported with its line, and the rest is read.
func TestDamage(t *testing.T) {
	var s script
	s.turn("1", "")
	s.lines = append(s.lines, "{\"type\":\"user\",\"uuid\":\"torn\n\n[1,2]\n42\n"...)                                    // lines 3 to 6
	s.lines = append(s.lines, (strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n")...)                         // 7
	s.lines = append(s.lines, (`{"deep":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}\n")...)           // 8
	s.lines = append(s.lines, `{"type":"mode","sessionId":"s"}{"type":"invented"}`+"\n"...)                              // 9
	s.raw(fieldsOf{"type": "user", "uuid": "m", "message": "error"})                                                     // 10
	s.lines = append(s.lines, "{\"type\":\"invented\",\"text\":\"bad \xff utf-8 and a lone \\ud83d surrogate\"}\r\n"...) // 11
	s.turn("2", "a1")
	all, problems := readings(t, "/p/x.jsonl", s.lines, 0)
	var lines []int64
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	if !slices.Equal(lines, []int64{3, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("problems %v", problems)
	}
	if got := all[0].shape(); got != "q1 a1 q2 a2" {
		t.Error(got)
	}
	if len(all[0].records) != 3 {
		t.Errorf("records %v", all[0].records)
	}
	if _, problems := readings(t, "/p/x.jsonl", s.lines, int64(len(s.lines))-10); len(problems) != 0 {
		t.Errorf("problems of old lines told again: %v", problems)
	}
}

// TestRewrittenWhileRead checks that a file that changes between the passes gives no message mixed from both: what was kept is as it
// was read first, and nothing else is taken.
func TestRewrittenWhileRead(t *testing.T) {
	for name, test := range map[string]struct {
		sizeBytes int64
		from, to  string
		invalid   bool
	}{
		"a large file":            {keptBytes + 1, "prompt", "PROMPT", true},
		"a small file":            {0, "prompt", "PROMPT", false},
		"the end of a large file": {keptBytes + 1, "answer", "ANSWER", true},
		"the end of a small file": {0, "answer", "ANSWER", true},
	} {
		t.Run(name, func(t *testing.T) {
			var s script
			s.turn("1", "")
			if !bytes.Contains(s.lines, []byte(test.from)) {
				t.Fatalf("no %s in %s", test.from, s.lines)
			}
			for in, err := range Format().Read(t.Context(), core.SourceFile{
				Path: "/p/x.jsonl", SizeBytes: max(test.sizeBytes, int64(len(s.lines))), Data: bytes.NewReader(s.lines),
				Problem: func(int64, string) {}, Progress: func(int64) {},
			}) {
				if err != nil {
					t.Fatal(err)
				}
				copy(s.lines, bytes.ReplaceAll(s.lines, []byte(test.from), []byte(test.to)))
				var failed error
				for m, err := range in.Messages {
					if failed = err; err == nil && bytes.Contains([]byte(fmt.Sprintf("%+v", m.Parts)), []byte(test.to)) {
						t.Errorf("%s was read", test.to)
					}
				}
				if invalid := core.CodeOf(failed) == core.Invalid; invalid != test.invalid || failed != nil && !invalid {
					t.Errorf("error %v", failed)
				}
			}
		})
	}
}

// TestMessagesTwice checks that a second iteration over the messages, for which a small file keeps nothing, gives the same
// result.
func TestMessagesTwice(t *testing.T) {
	var s script
	s.turn("1", "")
	s.result("r", s.calls("c", "", "m", "t"), "t")
	for in, err := range Format().Read(t.Context(), core.SourceFile{
		Path: "/p/x.jsonl", SizeBytes: int64(len(s.lines)), Data: bytes.NewReader(s.lines), Problem: func(int64, string) {}, Progress: func(int64) {},
	}) {
		if err != nil {
			t.Fatal(err)
		}
		first, again := gather(t, in), gather(t, in)
		if len(first.messages) < 4 || !reflect.DeepEqual(first, again) {
			t.Errorf("first %+v\nagain %+v", first.messages, again.messages)
		}
	}
}

// TestTornTail checks that an unfinished last line is left for the next time.
func TestTornTail(t *testing.T) {
	var s script
	s.turn("1", "")
	whole := len(s.lines)
	s.user("q2", "a1", "more")
	for _, n := range []int{whole + 1, whole + 30, len(s.lines) - 2} {
		all, problems := readings(t, "/p/x.jsonl", s.lines[:n], 0)
		if len(problems) != 0 || all[0].shape() != "q1 a1" || all[0].cursor.OffsetBytes != int64(whole) {
			t.Errorf("at %d: %s, %v, offset %d", n, all[0].shape(), problems, all[0].cursor.OffsetBytes)
		}
	}
	all, _ := readings(t, "/p/x.jsonl", s.lines[:len(s.lines)-1], 0) // complete except for its newline
	if all[0].shape() != "q1 a1 q2" || all[0].cursor.OffsetBytes != int64(whole) {
		t.Errorf("%s, offset %d", all[0].shape(), all[0].cursor.OffsetBytes)
	}
}

// TestRecordsWithoutIDs reads the oldest and the simplest shapes, which have no uuid.
func TestRecordsWithoutIDs(t *testing.T) {
	var s script
	for range 2 {
		s.raw(fieldsOf{"type": "user", "timestamp": "2024-01-01T00:00:00Z", "message": fieldsOf{"content": "again"}, "cwd": "/p"})
		s.raw(fieldsOf{"type": "assistant", "timestamp": "2024-01-01T00:00:00Z", "message": fieldsOf{"content": []any{fieldsOf{"type": "text", "text": "yes"}}}})
	}
	r, again := readOne(t, s.lines), readOne(t, s.lines)
	if len(r.messages) != 4 || strings.Contains(r.shape(), "(") || r.shape() != again.shape() {
		t.Errorf("%s\n%s", r.shape(), again.shape())
	}
}

// TestInlineSubagents reads subagents in the session's own file: sidechain records of old versions, progress records of
// later ones.
func TestInlineSubagents(t *testing.T) {
	var s script
	task := func(uuid, parent, tool, prompt string) string {
		return s.reply(uuid, parent, "m"+uuid, fieldsOf{
			"type": "tool_use", "id": tool, "name": "Task",
			"input": fieldsOf{"description": "look at " + tool, "prompt": prompt, "subagent_type": "explorer"},
		})
	}
	side := fieldsOf{"isSidechain": true, "type": "user", "message": fieldsOf{"role": "user", "content": "search one"}}
	task("a1", s.user("q1", "", "go"), "t1", "search one")
	task("a2", "a1", "t2", "search two")
	s.record("s1", "", side)
	s.record("s2", "s1", fieldsOf{"isSidechain": true, "type": "assistant", "message": fieldsOf{"id": "ms", "model": "haiku", "content": []any{fieldsOf{"type": "text", "text": "one"}}}})
	progress := func(uuid, parent, inner, kind, text string) {
		s.record(uuid, parent, fieldsOf{"type": "progress", "parentToolUseID": "t2", "data": fieldsOf{"type": "agent_progress", "agentId": "ag2", "message": fieldsOf{
			"type": kind, "uuid": inner, "timestamp": "2026-03-04T06:00:00Z", "message": fieldsOf{"role": kind, "id": "x" + inner, "content": []any{fieldsOf{"type": "text", "text": text}}},
		}}})
	}
	progress("p1", "a2", "i1", "user", "search two")
	progress("p2", "p1", "i2", "assistant", "two")
	s.result("r1", "a1", "t1")
	s.says("a3", s.result("r2", "a2", "t2"), "done")
	all, problems := readings(t, "/p/"+scriptSession+".jsonl", s.lines, 0)
	if len(all) != 3 || len(problems) != 0 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	if got := all[0].shape(); got != "q1 a1 a2 r1 r2 a3" {
		t.Error(got)
	}
	for i, want := range []struct{ shape, sourceID, uid, title string }{
		{"s1 s2", scriptSession + "/s1", "a1", "look at t1"}, {"i1 i2", scriptSession + "/ag2", "a2", "look at t2"},
	} {
		c := all[i+1]
		if c.shape() != want.shape || c.SourceID != want.sourceID || c.ParentUID != want.uid || c.Title != want.title || c.Agent != "explorer" ||
			c.ParentID != all[0].ID || c.parentSourceID != all[0].SourceID || c.Relation != core.RelationSubagent {
			t.Errorf("%s: %+v", c.shape(), c.Session)
		}
	}
	if all[0].cursor != nil || all[1].cursor != nil || all[2].cursor == nil {
		t.Error("only the last session of a file carries the cursor")
	}
}

// TestSubagentSample reads a session with the file of its subagent beside it.
func TestSubagentSample(t *testing.T) {
	for _, main := range samples(t, "small-fixtures/subagent/*.jsonl") {
		parents, _ := readFile(t, main)
		children, problems := readFile(t, strings.TrimSuffix(main, ".jsonl")+"/subagents/agent-a0ad4f44468bdf20d.jsonl")
		if len(parents) != 1 || len(children) != 1 || len(problems) != 0 {
			t.Fatalf("%d and %d sessions, %v", len(parents), len(children), problems)
		}
		c := children[0]
		if c.ParentID != parents[0].ID || c.parentSourceID != parents[0].SourceID || c.Relation != core.RelationSubagent || c.Agent != "general-purpose" ||
			c.SourceID != parents[0].SourceID+"/a0ad4f44468bdf20d" || len(c.messages) != 3 {
			t.Errorf("%+v with %d messages", c.Session, len(c.messages))
		}
	}
}

// TestMisleadingNames reads a session in a file named like a subagent's, and the reverse.
func TestMisleadingNames(t *testing.T) {
	var s, side script
	s.turn("1", "")
	side.record("s1", "", fieldsOf{"type": "user", "isSidechain": true, "agentId": "7", "message": fieldsOf{"role": "user", "content": "search"}})
	for _, test := range []struct {
		path     string
		lines    []byte
		relation core.Relation
		sourceID string
	}{
		{"/p/agent-sessions.jsonl", s.lines, core.RelationNone, scriptSession},
		{"/p/agent-7.jsonl", side.lines, core.RelationSubagent, scriptSession + "/7"},
		{"/p/" + scriptSession + "/subagents/workflows/w/agent-7.jsonl", s.lines, core.RelationSubagent, scriptSession + "/7"},
		{"/p/" + scriptSession + ".jsonl", side.lines, core.RelationNone, scriptSession},
	} {
		all, problems := readings(t, test.path, test.lines, 0)
		if len(all) != 1 || len(problems) != 0 || len(all[0].messages) == 0 {
			t.Fatalf("%s: %d sessions, %v", test.path, len(all), problems)
		}
		if r := all[0]; r.Relation != test.relation || r.SourceID != test.sourceID {
			t.Errorf("%s: %q %q", test.path, r.Relation, r.SourceID)
		}
	}
}

// TestFixtures reads all other fixtures; readings checks what must hold.
func TestFixtures(t *testing.T) {
	for _, path := range samples(t, "small-fixtures/*.jsonl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			all, _ := readFile(t, path)
			if len(all) == 0 || len(all[0].messages) == 0 {
				t.Fatal("nothing read")
			}
		})
	}
}

// TestFolder checks the folder of Claude Code's sessions.
func TestFolder(t *testing.T) {
	none := func(string) string { return "" }
	if got := Folder(none, "/home/ada"); got != filepath.Join("/home/ada", ".claude", "projects") {
		t.Error(got)
	}
	if got := Folder(func(string) string { return "/cfg" }, "/home/ada"); got != filepath.Join("/cfg", "projects") {
		t.Error(got)
	}
}
