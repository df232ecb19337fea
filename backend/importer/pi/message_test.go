package pi

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

// TestWhatEntriesBecome checks the result for each kind of entry.
func TestWhatEntriesBecome(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(s *script)
		want  string
	}{
		{"a turn", func(s *script) { s.prompt("q"); s.works("a") }, `user text "q"
assistant tool_call "edit {\"path\":\"/g/0.md\"}" tool_call "edit {\"path\":\"/g/1.md\"}" 157+10 $250000000
tool tool_result "out a0" {"diff":"+a"} tool_result "out a1" failed {"diff":"+a"}`},
		{"plain words and a picture", func(s *script) {
			s.message("1", object{"role": "user", "content": "hello"})
			s.message("2", object{"role": "user", "content": []object{{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}, {"type": "image", "data": "?"}}})
			s.message("3", object{"role": "user", "content": "look", "attachments": []object{{"type": "document", "fileName": "a.txt", "mimeType": "text/plain", "content": "AAAA"}}})
		}, `user text "hello"
user media [image/png  8] other
user text "look" media [text/plain a.txt 3]`},
		{"thoughts", func(s *script) {
			s.message("1", object{"role": "assistant", "content": []object{{"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"}, {"type": "thinking", "thinking": "", "redacted": true}, {"type": "invented"}}, "usage": object{"input": 0, "cost": object{"total": 0}}})
		}, `assistant reasoning "hm" reasoning redacted other`},
		{"a command", func(s *script) {
			s.message("1", object{"role": "bashExecution", "command": "ls", "output": "a.md", "exitCode": 0})
		}, `user/command text "$ ls" text "a.md"`},
		{"what extensions put in", func(s *script) {
			s.message("1", object{"role": "custom", "customType": "todo", "content": "one"})
			s.message("2", object{"role": "hookMessage", "customType": "todo", "content": []object{{"type": "text", "text": "two"}}})
			s.entry("3", "custom_message", object{"customType": "todo", "content": "three", "display": false})
		}, `user/meta text "one"
user/meta text "two"
user/meta text "three"`},
		{"summaries", func(s *script) {
			s.entry("1", "compaction", object{"summary": "one", "usage": spent(), "details": object{"modifiedFiles": []string{"/g/c.md"}}})
			s.entry("2", "branch_summary", object{"summary": "two", "fromId": "1"})
			s.message("3", object{"role": "compactionSummary", "summary": "three"})
			s.message("4", object{"role": "branchSummary", "summary": "four"})
		}, `user/compaction summary "one" 157+10 $250000000
user/branch_summary summary "two"
user/compaction summary "three"
user/branch_summary summary "four"`},
		{"tools that call models", func(s *script) {
			for _, id := range []string{"1", "2"} {
				s.message(id, object{"role": "toolResult", "toolCallId": id, "toolName": "task", "content": "ok", "usage": spent()})
			}
		}, `tool tool_result "ok" tool_result "ok" 314+20 $500000000`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin(3)
			test.write(s)
			r := read(t, s)
			if got := r.PartsAndSpending(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			for _, rec := range r.Records {
				t.Errorf("left over: %s", rec.Type)
			}
		})
	}
}

// TestAnswer checks what is recorded of an answer beside its parts.
func TestAnswer(t *testing.T) {
	s := begin(3)
	s.message("1", object{"role": "assistant", "content": []object{}, "api": "openai-responses", "provider": "openai", "model": "gpt-5", "stopReason": "aborted", "errorMessage": "stopped", "responseId": "r", "novel": 1})
	s.reply("a")
	r := read(t, s)
	m := r.Messages[0]
	if m.FinishReason != core.FinishAborted || m.Error != "stopped" || m.Model != "gpt-5" || m.Origin.Provider != "openai" || m.Origin.Protocol != "openai-responses" || m.Origin.ResponseID != "r" || string(m.Meta) != `{"novel":1}` {
		t.Errorf("%+v %s", m, m.Meta)
	}
	if u := r.Messages[1].Usage; u.CacheReadTokens != 50 || u.CacheWriteTokens != 7 || r.Messages[1].FinishReason != core.FinishStop {
		t.Errorf("%+v", r.Messages[1])
	}
}

// TestSessionFacts checks what is recorded of the session as a whole.
func TestSessionFacts(t *testing.T) {
	s := begin(3)
	s.prompt("mend the fence")
	s.works("a")
	s.entry("c", "compaction", object{"summary": "s", "details": object{"modifiedFiles": []string{"/g/c.md"}}})
	r := read(t, s)
	if r.Title != "mend the fence" || r.Task != "mend the fence" || !slices.Equal(r.FilesModified, []string{"/g/0.md", "/g/c.md"}) || r.Model != "claude-opus-4-5" {
		t.Errorf("%+v", r.Session)
	}
	s.entry("i", "session_info", object{"name": "the fence"})
	if r = read(t, s); r.Title != "the fence" {
		t.Error(r.Title)
	}
	s.lines = s.lines[strings.IndexByte(string(s.lines), '\n')+1:]
	if r = read(t, s); r.SourceID != scriptSession {
		t.Errorf("without a head: %s", r.SourceID)
	}
}

// TestKept checks what is stored beside the messages.
func TestKept(t *testing.T) {
	s := begin(4)
	s.prompt("q")
	s.entry("c", "custom", object{"customType": "state", "data": object{"a": 1}})
	s.entry("x", "invented", object{"a": 1})
	s.raw(object{"kind": "record", "type": "operation_started", "id": "r", "lane": "main", "seq": 5})
	s.message("y", object{"role": "invented"})
	var got []string
	for _, r := range read(t, s).Records {
		got = append(got, fmt.Sprint(r.Line, r.Type, r.Known))
	}
	if want := "3customtrue 4inventedfalse 5record/operation_startedtrue 6messagefalse"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestDamage checks that damage is reported, and the rest is read.
func TestDamage(t *testing.T) {
	s := begin(3)
	s.prompt("q")
	s.lines = append(s.lines, "{\"type\":\"mess\n[]\n"...)
	s.reply("a")
	s.lines = append(s.lines, `{"type":"message","id":"h`...)
	all, problems := importertest.Read(t, Format(), scriptPath, s.lines)
	if len(problems) != 2 || problems[0].Line != 3 || problems[1].Line != 4 {
		t.Errorf("problems %v", problems)
	}
	if len(all) != 1 || shape(all[0]) != "q | a" {
		t.Errorf("%+v", all)
	}
}

// TestSniff distinguishes pi's files from others.
func TestSniff(t *testing.T) {
	for _, version := range []int{1, 2, 3, 4} {
		if !Format().Sniff("x", begin(version).lines) {
			t.Errorf("version %d is not recognised", version)
		}
	}
	for _, data := range []string{
		`{"timestamp":"x","type":"session_meta","payload":{"id":"a"}}`, `{"sessionId":"a","projectHash":"b"}`, `{"type":"session","id":"a"}`, `{"type":"session"`, `[]`, "",
	} {
		if Format().Sniff("x", []byte(data)) {
			t.Errorf("%.80q is recognised", data)
		}
	}
}

// TestFolders checks where sessions are looked for.
func TestFolders(t *testing.T) {
	omp := filepath.Join("/home/ada", ".omp", "agent", "sessions")
	if got := Folders(func(string) string { return "" }, "/home/ada"); !slices.Equal(got, []string{filepath.Join("/home/ada", ".pi", "agent", "sessions"), omp}) {
		t.Error(got)
	}
	if got := Folders(func(string) string { return "/else" }, "/home/ada"); !slices.Equal(got, []string{filepath.Join("/else", "sessions"), omp}) {
		t.Error(got)
	}
}

// TestSkeletonIsSmall checks that the first pass does not hold the text of a file in memory.
func TestSkeletonIsSmall(t *testing.T) {
	s := begin(3)
	const turns = 100
	for i := range turns {
		s.entry(fmt.Sprintf("%08x", i), "message", object{"message": object{"role": "user", "content": strings.Repeat("words ", 3000)}})
	}
	file := core.SourceFile{Path: scriptPath, SizeBytes: int64(len(s.lines)), Data: strings.NewReader(string(s.lines)), Problem: func(int64, string) {}}
	before := heap()
	skeleton, err := scan(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if held := heap() - before; held > turns*1000 {
		t.Errorf("the skeleton of %d entries holds %d bytes of %d", turns, held, len(s.lines))
	}
	runtime.KeepAlive(skeleton)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far below
}
