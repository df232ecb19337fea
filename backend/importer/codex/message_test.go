package codex

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
	"coppice/backend/pages"
)

// TestWhatRecordsBecome checks the result for each kind of record.
func TestWhatRecordsBecome(t *testing.T) {
	const picture = "data:image/png;base64,iVBORw0KGgo="
	for _, test := range []struct {
		name  string
		write func(s *script)
		want  string
	}{
		{"a turn", func(s *script) { s.turn(1, "1") }, `user text "q1"
assistant reasoning "t1" tool_call "exec_command {\"cmd\":\"ls\"}"
tool tool_result "out 1" {"command":["ls"],"exit_code":0}
assistant text "a1"`},
		{"equal words twice", func(s *script) { s.prompt("again"); s.reply("ok"); s.prompt("again"); s.reply("ok") }, `user text "again"
assistant text "ok"
user text "again"
assistant text "ok"`},
		{"parallel calls", func(s *script) {
			s.prompt("q")
			s.calls("c1")
			s.calls("c2")
			s.answers("c2", "two")
			s.answers("c1", "one")
			s.reply("a")
		}, `user text "q"
assistant tool_call "exec_command {\"cmd\":\"ls\"}" tool_call "exec_command {\"cmd\":\"ls\"}"
tool tool_result "two" {"command":["ls"],"exit_code":0} tool_result "one" {"command":["ls"],"exit_code":0}
assistant text "a"`},
		{"for the screen only", func(s *script) {
			s.starts(1)
			s.event(object{"type": "user_message", "message": "q", "images": []string{picture}})
			s.event(object{"type": "agent_reasoning", "text": "hm"})
			s.event(object{"type": "agent_message", "message": "a"})
		}, `user text "q" media [image/png  8]
assistant reasoning "hm" text "a"`},
		{"pictures without a word", func(s *script) {
			s.starts(1)
			s.event(object{"type": "item_completed", "item": object{"type": "UserMessage", "id": "1", "content": []object{{"type": "image", "image_url": picture}}}})
			s.event(object{"type": "item_completed", "item": object{"type": "AgentMessage", "id": "2", "content": []object{{"type": "Text", "text": "a leaf"}}}})
			s.event(object{"type": "user_message", "message": "", "images": []string{picture}})
			s.says("assistant", "output_text", "the same")
			s.ends(1)
		}, `user media [image/png  8]
assistant text "a leaf"
user media [image/png  8]
assistant text "the same"`},
		{"pictures without a word, said twice", func(s *script) {
			s.event(object{"type": "user_message", "message": "", "images": []string{picture}})
			s.item(object{"type": "message", "role": "user", "content": []object{{"type": "input_text", "text": "<image>"}, {"type": "input_image", "image_url": picture}, {"type": "input_text", "text": "</image>"}}})
			s.reply("a leaf")
			s.ends(1)
		}, `user media [image/png  8]
assistant text "a leaf"`},
		{"with an editor's context", func(s *script) {
			s.says("user", "input_text", "# Context from my IDE setup:\n\n## My request for Codex:\nmend it")
			s.event(object{"type": "user_message", "message": "mend it"})
		}, `user text "# Context from my IDE setup:\n\n## My request for Codex:\nmend it"`},
		{"paginated", func(s *script) {
			s.says("user", "input_text", "q")
			s.event(object{"type": "item_completed", "item": object{"type": "UserMessage", "id": "1", "content": []object{{"type": "text", "text": "q"}}}})
			s.item(object{"type": "custom_tool_call", "name": "exec", "input": "run()", "call_id": "c"})
			s.event(object{"type": "item_completed", "item": object{"type": "CommandExecution", "id": "exec-1", "command": []string{"ls"}, "aggregated_output": "a.txt", "exit_code": 2, "status": "failed"}})
			s.event(object{"type": "item_completed", "item": object{"type": "FileChange", "id": "exec-2", "changes": object{"/g/a.go": object{"type": "add"}}, "status": "completed", "stdout": "done"}})
			s.item(object{"type": "custom_tool_call_output", "call_id": "c", "output": []object{{"type": "input_text", "text": "ran"}}})
			s.event(object{"type": "item_completed", "item": object{"type": "Reasoning", "id": "r", "summary_text": []string{"hm"}}})
			s.item(object{"type": "reasoning", "summary": []object{{"type": "summary_text", "text": "hm"}}})
			s.says("assistant", "output_text", "a")
			s.event(object{"type": "item_completed", "item": object{"type": "AgentMessage", "id": "m", "content": []object{{"type": "Text", "text": "a"}}}})
			s.ends(1)
		}, `user text "q"
assistant tool_call "exec run()" tool_call "exec_command {\"command\":[\"ls\"]}" tool_call "apply_patch {\"/g/a.go\":{\"type\":\"add\"}}"
tool tool_result "a.txt" failed {"command":["ls"],"exit_code":2,"status":"failed"} tool_result "done" {"changes":{"/g/a.go":{"type":"add"}},"status":"completed"} tool_result "ran"
assistant reasoning "hm" text "a"`},
		{"what Codex puts in", func(s *script) {
			s.says("developer", "input_text", "be kind")
			s.says("user", "input_text", "# AGENTS.md instructions for /g")
			s.says("user", "input_text", "<environment_context>\n  <cwd>/g</cwd>")
			s.says("user", "input_text", "<user_shell_command>ls</user_shell_command>")
			s.says("user", "input_text", "<b>bold</b> words")
		}, `system/meta text "be kind"
user/meta text "# AGENTS.md instructions for /g"
user/meta text "<environment_context>\n  <cwd>/g</cwd>"
user/command text "<user_shell_command>ls</user_shell_command>"
user text "<b>bold</b> words"`},
		{"pictures", func(s *script) {
			s.item(object{"type": "message", "role": "user", "content": []object{
				{"type": "input_text", "text": "<image name=[Image #1]>"},
				{"type": "input_image", "image_url": picture},
				{"type": "input_text", "text": "</image>"},
				{"type": "input_text", "text": "look"},
				{"type": "input_image", "image_url": "https://e.invalid/a.png"},
			}})
			s.event(object{"type": "user_message", "message": "look", "images": []string{picture}})
			s.item(object{"type": "image_generation_call", "id": "ig", "status": "completed", "revised_prompt": "a fox", "result": "iVBORw0KGgo="})
		}, `user media [image/png  8] text "look" media [image/* https://e.invalid/a.png 0]
assistant tool_call "image_generation {\"prompt\":\"a fox\"}" server tool_result server [image/png  8]`},
		{"tools of all kinds", func(s *script) {
			s.item(object{"type": "local_shell_call", "call_id": "c1", "action": object{"type": "exec", "command": []string{"ls"}}})
			s.item(object{"type": "function_call_output", "call_id": "c1", "output": `{"output":"a.txt","metadata":{"exit_code":0}}`})
			s.item(object{"type": "web_search_call", "status": "completed", "action": object{"type": "search", "query": "go"}})
			s.event(object{"type": "web_search_end", "call_id": "ws_1", "query": "go"})
			s.item(object{"type": "function_call", "name": "old", "arguments": "not json", "call_id": "c2"})
			s.item(object{"type": "function_call_output", "call_id": "c2", "output": object{"content": "no", "success": false}})
			s.item(object{"type": "local_shell_call", "id": "sh1", "action": object{"type": "exec", "command": []string{"rm"}}})
			s.item(object{"type": "function_call_output", "call_id": "sh1", "output": `{"output":"denied","metadata":{"exit_code":1}}`})
			s.item(object{"type": "tool_call", "function": object{"name": "f"}, "arguments": object{"a": 1}})
			s.item(object{"type": "tool_result", "name": "f", "result": object{"stdout": "x", "stderr": "y", "exitCode": 1}})
		}, `assistant tool_call "local_shell {\"command\":[\"ls\"],\"type\":\"exec\"}"
tool tool_result "a.txt" {"exit_code":0}
assistant tool_call "web_search {\"query\":\"go\",\"type\":\"search\"}" server tool_call "old not json"
tool tool_result "no"
assistant tool_call "local_shell {\"command\":[\"rm\"],\"type\":\"exec\"}"
tool tool_result "denied" failed {"exit_code":1}
assistant tool_call "f {\"a\":1}"
tool tool_result "x\ny" failed {"exitCode":1,"stderr":"y","stdout":"x"}`},
		{"compaction", func(s *script) {
			s.turn(1, "1")
			s.record("compacted", object{"message": "so far so good", "replacement_history": []object{{"type": "message", "role": "user"}}})
			s.record("compacted", object{"message": "", "replacement_history": []object{
				{"type": "message", "role": "user", "content": []object{{"type": "input_text", "text": "Another language model started to solve this problem: x"}}},
			}})
			s.item(object{"type": "compaction", "encrypted_content": "sealed"})
		}, `user text "q1"
assistant reasoning "t1" tool_call "exec_command {\"cmd\":\"ls\"}"
tool tool_result "out 1" {"command":["ls"],"exit_code":0}
assistant text "a1"
user/compaction summary "so far so good"
user/compaction summary "Another language model started to solve this problem: x"
user/compaction other`},
		{"agents", func(s *script) {
			s.item(object{"type": "agent_message", "author": "/root", "recipient": "/root/a", "content": []object{{"type": "input_text", "text": "go on"}}})
			s.record("inter_agent_communication", object{"author": "/root/b", "content": "done", "trigger_turn": true})
		}, `user/meta text "go on"
user/meta text "done"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin(scriptThread, nil)
			test.write(s)
			s.ends(9)
			r := read(t, s)
			if got := r.Parts(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			for _, rec := range r.Records {
				t.Errorf("left over: %s", rec.Type)
			}
		})
	}
}

// TestResult checks what an outcome for the screen adds to a result, and that its name is the call's.
func TestResult(t *testing.T) {
	s := begin(scriptThread, nil)
	s.turn(1, "1")
	p := read(t, s).Messages[2].Parts[0]
	if p.ID != "call_1" || p.Name != "exec_command" || p.DurationMs != 1005 || string(p.Structured) != `{"command":["ls"],"exit_code":0}` {
		t.Errorf("%+v %s", p, p.Structured)
	}
}

// TestUsage counts tokens once, whatever is repeated, and continues when counting restarts.
func TestUsage(t *testing.T) {
	s := begin(scriptThread, nil)
	s.turn(1, "1")
	s.event(object{"type": "token_count", "info": nil})
	s.input, s.output = 0, 0
	s.turn(2, "2")
	s.spends(50, 5) // after the reply, such as a compaction: it counts with the last message
	var got []string
	for _, m := range read(t, s).Messages {
		if u := m.Usage; u != nil {
			got = append(got, fmt.Sprint(u.InputTokens, u.CacheReadTokens, u.OutputTokens, u.ReasoningTokens)+" "+m.Model)
		}
	}
	want := []string{"100 50 10 5 gpt-5-codex", "200 100 20 10 gpt-5-codex", "100 50 10 5 gpt-5-codex", "250 125 25 12 gpt-5-codex"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestSessionFacts checks what is recorded of the session as a whole.
func TestSessionFacts(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "sessions", "2026", "03", "04", "rollout-2026-03-04T05-00-00-"+scriptThread+".jsonl")
	putAs(t, filepath.Join(home, "session_index.jsonl"), []byte(`{"id":"`+scriptThread+`","thread_name":"old"}`+"\n"+`{"id":"`+scriptThread+`","thread_name":"garden"}`+"\n"))
	s := begin(scriptThread, nil)
	s.says("user", "input_text", "<environment_context>x</environment_context>")
	s.prompt("# Context from my IDE setup:\n\n## My request for Codex:\nmend  the\nfence")
	s.item(object{"type": "custom_tool_call", "name": "apply_patch", "call_id": "c", "input": "*** Begin Patch\n*** Update File: a.go\n*** Add File: b.go\n*** End Patch"})
	read := func() importertest.Session { return importertest.One(t, Format(), path, s.lines) }
	r := read()
	if r.Title != "garden" || r.Task != "mend  the\nfence" || r.WorkspacePath != "/home/ada/garden" || r.SourceID != scriptThread || r.CreatedAtMs != 1772600400000 {
		t.Errorf("%+v", r.Session)
	}
	if !slices.Equal(r.FilesModified, []string{"a.go", "b.go"}) {
		t.Errorf("files %v", r.FilesModified)
	}
	s.event(object{"type": "patch_apply_end", "call_id": "c", "success": true, "changes": object{"/g/a.go": object{}}})
	s.event(object{"type": "patch_apply_end", "call_id": "d", "success": false, "changes": object{"/g/refused.go": object{}}})
	s.event(object{"type": "thread_name_updated", "thread_name": "the fence"})
	r = read()
	if r.Title != "the fence" || !slices.Equal(r.FilesModified, []string{"/g/a.go"}) {
		t.Errorf("%q, files %v", r.Title, r.FilesModified)
	}
	var meta map[string]any
	if err := json.Unmarshal(r.Meta, &meta); err != nil || meta["version"] != "0.153.4" {
		t.Errorf("meta %s", r.Meta)
	}
	os.Remove(filepath.Join(home, "session_index.jsonl"))
	s.lines = s.lines[:len(s.lines)/2]
	if all, _ := importertest.Read(t, Format(), path, s.lines); all[0].Title != "mend the fence" {
		t.Errorf("title %q", all[0].Title)
	}
}

// TestForms reads the same conversation in every form that Codex wrote.
func TestForms(t *testing.T) {
	s := begin(scriptThread, nil)
	s.turn(1, "1")
	want := read(t, s).Parts()
	z := importertest.One(t, Format(), scriptPath+".zst", compress(s.lines))
	if z.Parts() != want || z.SourceID != scriptThread || z.Cursor.OffsetBytes != 0 {
		t.Errorf("compressed: %s", z.Parts())
	}
	item := func(role, kind, text string) string {
		return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}`, role, kind, text)
	}
	meta := `{"id":"0198c5a4-0000-7000-8000-000000000003","timestamp":"2025-05-01T10:00:00Z","instructions":"be kind"}`
	bare := strings.Join([]string{meta, `{"record_type":"state"}`, item("user", "input_text", "q"), item("assistant", "output_text", "a")}, "\n") + "\n"
	whole := "{\n \"session\": " + meta + ",\n \"items\": [" + item("user", "input_text", "q") + ",\n" + item("assistant", "output_text", "a") + "]}"
	for name, data := range map[string]string{"x.jsonl": bare, "x.json": whole} {
		if !Format().Sniff(name, []byte(data)) {
			t.Errorf("%s is not recognised", name)
		}
		r := importertest.One(t, Format(), "/c/"+name, []byte(data))
		if r.Parts() != "user text \"q\"\nassistant text \"a\"" || r.SourceID != "0198c5a4-0000-7000-8000-000000000003" || r.CreatedAtMs == 0 {
			t.Errorf("%s: %s\n%s", name, r.SourceID, r.Parts())
		}
	}
}

// TestPlainWins reads a session once if it exists both plain and compressed.
func TestPlainWins(t *testing.T) {
	s := begin(scriptThread, nil)
	s.turn(1, "1")
	folder := t.TempDir()
	path := put(t, folder, scriptThread, s.lines)
	putAs(t, path+".zst", compress(s.lines[:len(s.lines)/2]))
	db := importertest.Open(t)
	if report := importertest.Import(t, db, Format(), folder); report.Imported != 1 || report.Skipped != 1 || len(report.Problems) != 0 {
		t.Errorf("%+v", report)
	}
}

// TestDamage checks that damage is reported, and the rest is read.
func TestDamage(t *testing.T) {
	s := begin(scriptThread, nil)
	s.starts(1)
	s.lines = append(s.lines, "{\"type\":\"resp\n[]\n"...)
	s.prompt("q")
	s.record("invented", object{"a": 1})
	s.event(object{"type": "invented"})
	s.reply("a")
	s.lines = append(s.lines, `{"type":"response_item","payl`...)
	all, problems := importertest.Read(t, Format(), scriptPath, s.lines)
	if len(problems) != 2 || problems[0].Line != 4 || problems[1].Line != 5 {
		t.Errorf("problems %v", problems)
	}
	if len(all) != 1 || all[0].Parts() != "user text \"q\"\nassistant text \"a\"" || len(all[0].Records) != 2 || all[0].Records[0].Known || all[0].Records[0].Line != 8 {
		t.Errorf("%s, records %+v", all[0].Parts(), all[0].Records)
	}
	short := compress(s.lines)
	_, problems = importertest.Read(t, Format(), scriptPath+".zst", short[:len(short)-9])
	if len(problems) == 0 || problems[0].Line != 0 {
		t.Errorf("problems of a compressed file that is cut: %v", problems)
	}
}

// TestSniff distinguishes Codex's files from others.
func TestSniff(t *testing.T) {
	s := begin(scriptThread, nil)
	s.turn(1, "1")
	for data, want := range map[string]bool{
		string(s.lines): true, string(compress(s.lines)): true, "broken\n" + string(s.lines): true, `{"timestamp":"x","type":"session_meta","payload":{"id":"a","base_instructions":"cut`: true,
		`{"type":"user","uuid":"a","message":{"role":"user"},"sessionId":"s","timestamp":"2026-01-01T00:00:00Z"}`: false,
		`{"type":"session","version":3,"id":"a","timestamp":"2026-01-01T00:00:00Z","cwd":"/g"}`:                   false,
		`{"role":"user","content":"hello"}`: false, `[]`: false, "": false, string(magic): false,
	} {
		if got := Format().Sniff("x", []byte(data)); got != want {
			t.Errorf("%v for %.80q", got, data)
		}
	}
}

// TestSkeletonIsSmall checks that the first pass does not hold the text of a file in memory, and keeps less than 100 bytes per
// record.
func TestSkeletonIsSmall(t *testing.T) {
	s := begin(scriptThread, nil)
	const turns, records = 600, 600 * 14
	for i := range turns {
		s.turn(i+1, fmt.Sprint(i, strings.Repeat(" words", 500)))
	}
	before := heap()
	skeleton := scanned(t, s)
	if held := heap() - before; held > records*100 {
		t.Errorf("the skeleton of %d records holds %d bytes of %d", records, held, len(s.lines))
	}
	runtime.KeepAlive(skeleton)
}

// TestPagesAreGivenBack checks that the second pass releases what it has read, and nothing that it still needs: what is shown of a tool may
// be far before its result.
func TestPagesAreGivenBack(t *testing.T) {
	s := begin(scriptThread, nil)
	s.starts(1)
	s.prompt("q")
	s.calls("late")
	s.event(object{"type": "exec_command_end", "call_id": "late", "stdout": "out", "exit_code": 1})
	for i := range 2 * pages.Size {
		s.prompt(fmt.Sprint("a", i))
	}
	s.item(object{"type": "function_call_output", "call_id": "late", "output": "out"})
	for i := range 2 * pages.Size {
		s.prompt(fmt.Sprint("b", i))
	}
	skeleton, failed := scanned(t, s), false
	for m, err := range skeleton.messages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		failed = failed || m.Role == core.RoleTool && m.Parts[0].IsError
	}
	if !failed {
		t.Error("the result has lost what was shown of it")
	}
	if all, held := int(skeleton.entries.Len()/pages.Size)+1, skeleton.entries.Held(); all < 8 || held > all/2 {
		t.Errorf("%d pages of %d are held", held, all)
	}
}

func scanned(t *testing.T, s *script) *skeleton {
	t.Helper()
	data := bytes.NewReader(s.lines)
	file := core.SourceFile{Path: scriptPath, SizeBytes: data.Size(), Data: data, Progress: func(int64) {}, Problem: func(int64, string) {}}
	skeleton, err := scan(t.Context(), file, &opened{ReaderAt: data, size: data.Size()})
	if err != nil {
		t.Fatal(err)
	}
	return skeleton
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far below
}
