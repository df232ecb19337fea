package geminicli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/backend/importer/importertest"
)

// TestWhatMessagesBecome checks the result for each kind of message, in the new form and in the old one.
func TestWhatMessagesBecome(t *testing.T) {
	response := func(response any) object {
		return object{"functionResponse": object{"name": "f", "response": response}}
	}
	for _, test := range []struct {
		name    string
		kind    string
		content any
		more    object
		want    string
	}{
		{"a prompt", "user", "hello", nil, `user text "hello"`},
		{
			"a prompt in parts", "user",
			[]any{object{"text": "look"}, object{"inlineData": object{"mimeType": "image/png", "data": "iVBORw0KGgo="}}, "and", object{"fileData": object{"mimeType": "image/gif", "fileUri": "gs://a"}}},
			nil,
			`user text "look" media [image/png  8] text "and" media [image/gif gs://a 0]`,
		},
		{"what is put in", "user", []object{{"text": "<session_context>\nToday is"}}, nil, `user/meta text "<session_context>\nToday is"`},
		{"an answer", "gemini", "hi", object{"thoughts": []object{{"subject": "Greeting", "description": "a friend"}, {"description": "well"}}}, `assistant reasoning "**Greeting**\n\na friend" reasoning "well" text "hi"`},
		{"a call that waits", "gemini", "", object{"toolCalls": []object{{"id": "c", "name": "ls", "args": object{"a": 1}, "status": "executing"}}}, `assistant tool_call "ls {\"a\":1}"`},
		{"calls", "gemini", "", object{"toolCalls": []object{
			{"id": "c", "name": "f", "status": "success", "result": []object{response(object{"output": "ok"})}, "resultDisplay": object{"fileDiff": "+a"}},
			{"id": "d", "name": "f", "status": "error", "result": []object{response(object{"error": "no"})}},
			{"name": "f", "status": "cancelled", "resultDisplay": "stopped"},
			{"name": "f", "status": "success", "result": []object{response(object{"n": 5}), {"text": "more"}}},
			{"name": "f", "status": "success", "result": "words"},
		}}, `assistant tool_call "f" tool_call "f" tool_call "f" tool_call "f" tool_call "f"
tool tool_result "ok" {"fileDiff":"+a"} tool_result "no" failed tool_result "stopped" failed tool_result "more" {"n":5} tool_result "words"`},
		{
			"a picture from a tool", "gemini", "",
			object{"toolCalls": []object{{"id": "c", "name": "f", "status": "success", "result": []object{{"functionResponse": object{"response": object{"output": "see"}, "parts": []object{{"inlineData": object{"mimeType": "image/png", "data": "AAAA"}}}}}}}}},
			"assistant tool_call \"f\"\ntool tool_result \"see\" [image/png  3]",
		},
		{"a notice", "warning", "careful", nil, `system/meta text "careful"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin()
			m := s.message("m", test.kind, test.content, test.more)
			s.raw(m)
			if got := read(t, s).Parts(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if got := importertest.One(t, Format(), "/g/session-a.json", old(m)).Parts(); got != test.want {
				t.Errorf("old form: got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestPairs checks that a result carries its call's id and name, even if the call has none.
func TestPairs(t *testing.T) {
	c, d := call("c", "one"), call("", "two")
	s := begin()
	s.raw(s.message("m", "gemini", "", object{"toolCalls": []object{c, d}}))
	r := read(t, s)
	for i, id := range []string{"c", "m/1"} {
		said, did := r.Messages[0].Parts[i], r.Messages[1].Parts[i]
		if said.ID != id || did.ID != id || did.Name != "write_file" {
			t.Errorf("call %q, result %q of %q", said.ID, did.ID, did.Name)
		}
	}
	if r.Messages[1].CreatedAtMs != 1772604000000 {
		t.Errorf("the result came at %d", r.Messages[1].CreatedAtMs)
	}
}

// TestUsage counts the tokens of a message once, however often it is written.
func TestUsage(t *testing.T) {
	s := begin()
	s.prompt("q")
	s.works("a")
	m := read(t, s).Messages[1]
	if u := m.Usage; u == nil || u.InputTokens != 102 || u.OutputTokens != 13 || u.CacheReadTokens != 50 || u.ReasoningTokens != 3 || m.Model != "gemini-3-pro" {
		t.Errorf("%+v", m.Usage)
	}
}

// TestSessionFacts checks what is recorded of the session as a whole.
func TestSessionFacts(t *testing.T) {
	home := t.TempDir()
	chats := filepath.Join(home, ".gemini", "tmp", "garden", "chats")
	path := filepath.Join(chats, "session-a.jsonl")
	s := begin()
	s.raw(s.message("i", "user", "<session_context>", nil))
	s.prompt("mend the fence")
	s.works("a")
	read := func() importertest.Session { return importertest.One(t, Format(), path, s.lines) }
	r := read()
	if r.Title != "mend the fence" || r.Task != "mend the fence" || r.Model != "gemini-3-pro" || r.SourceID != scriptSession || r.CreatedAtMs != 1772600400000 || r.WorkspacePath != "" {
		t.Errorf("%+v", r.Session)
	}
	if !slices.Equal(r.FilesModified, []string{"a.md"}) {
		t.Errorf("files %v", r.FilesModified)
	}
	s.raw(object{"$set": object{"summary": "the fence", "directories": []string{"/home/ada/shed"}, "novel": 1}})
	if r = read(); r.Title != "the fence" || r.WorkspacePath != "/home/ada/shed" || !strings.Contains(string(r.Meta), `"novel":1`) {
		t.Errorf("%q in %q, %s", r.Title, r.WorkspacePath, r.Meta)
	}
	put(t, filepath.Join(home, ".gemini", "projects.json"), []byte(`{"projects":{"/home/ada/barn":"barn","/home/ada/listed":"garden"}}`))
	if r = read(); r.WorkspacePath != "/home/ada/listed" {
		t.Errorf("listed: %q", r.WorkspacePath)
	}
	put(t, filepath.Join(home, ".gemini", "tmp", "garden", ".project_root"), []byte("/home/ada/garden\n"))
	if r = read(); r.WorkspacePath != "/home/ada/garden" {
		t.Errorf("by the folder: %q", r.WorkspacePath)
	}
}

// TestCheckpoint reads a conversation that the user saved: the API's own messages, without ids or times.
func TestCheckpoint(t *testing.T) {
	const data = `{"history":[{"role":"user","parts":[{"text":"This is the Gemini CLI. Today is Monday."}]},{"role":"user","parts":[{"text":"q"}]},
{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"c","name":"ls","args":{"p":"."}}}]},
{"role":"user","parts":[{"functionResponse":{"id":"c","name":"ls","response":{"output":"a.md"}}}]},{"role":"model","parts":[{"text":"a"}]}]}`
	if !Format().Sniff("checkpoint-a.json", []byte(data)) {
		t.Error("not recognised")
	}
	r := importertest.One(t, Format(), "/g/tmp/garden/checkpoint-a.json", []byte(data))
	want := "user/meta text \"This is the Gemini CLI. Today is Monday.\"\nuser text \"q\"\nassistant reasoning \"hm\" tool_call \"ls {\\\"p\\\":\\\".\\\"}\"\ntool tool_result \"a.md\"\nassistant text \"a\""
	if got := r.Parts(); got != want || r.SourceID != "garden/checkpoint-a" {
		t.Errorf("%s\n%s", r.SourceID, got)
	}
}

// TestDamage checks that damage is reported, and the rest is read.
func TestDamage(t *testing.T) {
	s := begin()
	s.lines = append(s.lines, "{\"id\":\"x\n[]\n"...)
	s.prompt("q")
	s.raw(object{"type": "invented", "a": 1})
	s.raw(object{"$set": object{"messages": []any{s.message("q", "user", "q", nil), object{"type": "odd"}}}})
	s.lines = append(s.lines, `{"id":"half","ty`...)
	all, problems := importertest.Read(t, Format(), scriptPath, s.lines)
	if len(problems) != 2 || problems[0].Line != 2 || problems[1].Line != 3 {
		t.Errorf("problems %v", problems)
	}
	if len(all) != 1 || all[0].Parts() != `user text "q"` || len(all[0].Records) != 2 || all[0].Records[0].Line != 5 || string(all[0].Records[1].Body) != `{"type":"odd"}` {
		t.Errorf("%+v", all)
	}
	half := old(s.message("a", "user", "a", nil), s.message("b", "user", "b", nil))
	all, problems = importertest.Read(t, Format(), "/g/session-a.json", half[:len(half)-20])
	if len(problems) != 1 || len(all) != 1 || all[0].Parts() != `user text "a"` {
		t.Errorf("half a file: %v, %+v", problems, all)
	}
}

// TestSniff distinguishes Gemini CLI's files from others.
func TestSniff(t *testing.T) {
	s := begin()
	for data, want := range map[string]bool{
		string(s.lines): true, string(old()): true, `{"messages":[{"id":"a","timestamp":"x","type":"user","content":"q"}]}`: true,
		`{"type":"user","uuid":"a","message":{"role":"user"},"sessionId":"s","timestamp":"2026-01-01T00:00:00Z"}`: false,
		`{"messages":[{"role":"user","parts":[]}]}`:                                                               false, `{"type":"session","version":3,"id":"a"}`: false, `{"messages":[]}`: false, `[]`: false, "": false,
	} {
		if got := Format().Sniff("x", []byte(data)); got != want {
			t.Errorf("%v for %.80q", got, data)
		}
	}
	if Format().Sniff("/g/.tmp-session-a.json", old()) {
		t.Error("a file that is being written")
	}
}

// TestPlaces checks where sessions are looked for.
func TestPlaces(t *testing.T) {
	if got := Folder(func(string) string { return "" }, "/home/ada"); got != filepath.Join("/home/ada", ".gemini", "tmp") {
		t.Error(got)
	}
	if got := Folder(func(string) string { return "/else" }, "/home/ada"); got != filepath.Join("/else", ".gemini", "tmp") {
		t.Error(got)
	}
}
