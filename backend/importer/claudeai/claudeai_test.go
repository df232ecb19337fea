package claudeai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const (
	source  = "/home/ada/export/conversations.json"
	noUUID  = "00000000-0000-4000-8000-000000000000"
	startMs = 1_767_225_600_000 // 2026-01-01
)

type object = map[string]any

// script writes a conversation as the export does.
type script struct {
	messages []object
	seconds  int
	linear   bool // without parents, as older exports
	fields   object
}

func at(seconds int) string {
	return time.Date(2026, 1, 1, 0, 0, seconds, 123_000_000, time.UTC).Format("2006-01-02T15:04:05.000000Z")
}

func (s *script) add(uuid, parent, sender string, content []object, fields object) string {
	s.seconds++
	m := object{
		"uuid": uuid, "text": "", "content": content, "sender": sender, "created_at": at(s.seconds), "updated_at": at(s.seconds), "attachments": []any{}, "files": []any{},
	}
	if !s.linear {
		m["parent_message_uuid"] = parent
	}
	for k, v := range fields {
		m[k] = v
	}
	s.messages = append(s.messages, m)
	return uuid
}

func text(words string) object {
	return object{"type": "text", "text": words, "start_timestamp": nil, "citations": []any{}}
}

func (s *script) asks(uuid, parent string) string {
	return s.add(uuid, parent, "human", []object{text("asks " + uuid)}, nil)
}

func (s *script) says(uuid, parent string) string {
	return s.add(uuid, parent, "assistant", []object{text("says " + uuid)}, nil)
}

func export(all ...*script) []byte {
	list := []object{}
	for i, s := range all {
		c := object{
			"uuid": fmt.Sprintf("9f00000%d-0000-4000-8000-000000000000", i), "name": fmt.Sprint("Garden ", i), "summary": "", "created_at": at(0), "updated_at": at(s.seconds),
			"account": object{"uuid": "acc"}, "chat_messages": s.messages,
		}
		if s.messages == nil {
			c["chat_messages"] = []any{}
		}
		for k, v := range s.fields {
			c[k] = v
		}
		list = append(list, c)
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return b
}

func branching() *script {
	s := &script{}
	s.says("a1", s.asks("q1", noUUID))
	s.says("a2", s.asks("q2", "a1"))
	s.says("b2", "q2")
	s.says("c2", s.asks("e2", "a1"))
	s.asks("q0", noUUID) // the first prompt, edited
	return s
}

func TestBranches(t *testing.T) {
	s := branching()
	got := importertest.One(t, Format(), source, export(s))
	if shape := got.Shape(); shape != " (asks q1 | says a1 (asks q2 (says a2) (says b2)) (asks e2 | says c2)) (asks q0)" {
		t.Errorf("%q", shape)
	}
	if got.Head != "q0" || got.Title != "Garden 0" || got.Task != "asks q1" || got.CreatedAtMs != startMs+123 || got.SourceID != "9f000000-0000-4000-8000-000000000000" {
		t.Errorf("head %s, %+v", got.Head, got.Session)
	}
	s.fields = object{"current_leaf_message_uuid": "b2", "model": "claude-sonnet-4-5", "project": object{"name": "beds"}}
	got = importertest.One(t, Format(), source, export(s))
	if got.Head != "b2" || got.Model != "claude-sonnet-4-5" || !strings.Contains(string(got.Meta), `"project":{"name":"beds"}`) {
		t.Errorf("head %s, %+v", got.Head, got.Session)
	}
}

// Older exports record no parents and no content blocks.
func TestLinear(t *testing.T) {
	s := &script{linear: true}
	s.add("q", "", "human", nil, object{"text": "Hello"})
	s.add("a", "", "assistant", nil, object{"text": "Hi."})
	s.add("none", "", "assistant", []object{text(" ")}, nil)
	s.asks("q2", "")
	got := importertest.One(t, Format(), source, export(s))
	if got.Shape() != "Hello | Hi. | asks q2" || got.Head != "q2" {
		t.Error(got.Shape(), got.Head)
	}
}

func TestAnswerWithTools(t *testing.T) {
	s := &script{}
	s.asks("q", noUUID)
	s.add("a", "q", "assistant", []object{
		{"type": "thinking", "thinking": "It may rain.", "summaries": []any{object{"summary": "Rain"}}, "start_timestamp": at(5)},
		text("I look."),
		{"type": "tool_use", "name": "web_search", "input": object{"query": "rain"}, "id": nil, "message": "Searching", "integration_name": nil},
		{"type": "tool_use", "name": "clock", "input": object{}, "id": "toolu_7"},
		{"type": "tool_result", "name": "clock", "tool_use_id": "toolu_7", "content": "noon", "is_error": true},
		{"type": "tool_result", "name": "web_search", "is_error": false, "start_timestamp": at(9), "content": []object{
			{"type": "knowledge", "title": "Rain", "url": "https://rain.example", "text": "falls"},
			{"type": "text", "text": "done"},
			{"type": "image", "source": object{"type": "base64", "media_type": "image/png", "data": "aGk="}},
		}},
		{"type": "token_budget", "remaining": 5},
		{"type": "text", "text": "It rains.", "citations": []object{{"url": "https://rain.example"}}},
		{"type": "flag", "flag": "x"},
	}, object{"stop_reason": "max_tokens", "model": "claude-opus-4-6", "truncated": true})
	s.asks("q2", "a")
	got := importertest.One(t, Format(), source, export(s))
	if want := (importertest.Counts{Messages: 5, Calls: 2, Results: 2, Reasoning: 1, Branches: 1}); got.Count() != want {
		t.Fatalf("%+v", got.Count())
	}
	m := got.Messages
	if m[1].UID != "a" || m[2].UID != "a/1" || m[3].UID != "a/2" || m[4].ParentUID != "a/2" || m[2].Role != core.RoleTool || m[3].Role != core.RoleAssistant {
		t.Errorf("%+v", m)
	}
	calls, results := m[1].Parts[2:], m[2].Parts
	if calls[0].ID != "a.3" || results[1].ID != "a.3" || calls[1].ID != "toolu_7" || results[0].ID != "toolu_7" || string(calls[0].Arguments) != `{"query":"rain"}` {
		t.Errorf("%+v %+v", calls, results)
	}
	if !results[0].IsError || results[0].Result[0].Text != "noon" || results[0].Structured != nil {
		t.Errorf("%+v", results[0])
	}
	if r := results[1]; r.Result[0].Text != "[Rain](https://rain.example)\n\nfalls" || r.Result[1].Text != "done" || string(r.Result[2].Media.Data) != "hi" || r.Structured == nil {
		t.Errorf("%+v", r)
	}
	if string(calls[0].Extra["block"]) != `{"message":"Searching"}` || m[1].Parts[0].Extra["summaries"] == nil || m[3].Parts[0].Extra["citations"] == nil || m[3].Parts[1].Type != core.PartOther {
		t.Errorf("%+v, %+v", m[1].Parts, m[3].Parts)
	}
	if m[1].FinishReason != core.FinishToolCall || m[3].FinishReason != core.FinishLength || m[3].Model != "claude-opus-4-6" || got.Model != "claude-opus-4-6" ||
		string(m[1].Meta) != `{"truncated":true}` {
		t.Errorf("%+v", m)
	}
	for i := 1; i < len(m); i++ {
		if m[i].CreatedAtMs < m[i-1].CreatedAtMs {
			t.Errorf("message %d is older than the one above", i)
		}
	}
}

func TestFiles(t *testing.T) {
	s := &script{}
	s.add("q", noUUID, "human", []object{text("read this")}, object{
		"attachments": []object{{"file_name": "beds.md", "file_size": 9, "file_type": "txt", "extracted_content": "four ``` beds\n"}},
		"files":       []object{{"file_name": "shed.png", "file_uuid": "f1"}, {"file_uuid": "f2"}, {}},
	})
	s.add("only", "q", "human", nil, object{"attachments": []object{{"file_name": "", "extracted_content": "pasted"}}})
	s.add("voice", "only", "human", []object{{"type": "voice_note", "title": "Note", "text": "spoken"}}, nil)
	m := importertest.One(t, Format(), source, export(s)).Messages
	p := m[0].Parts
	if len(p) != 4 || p[1].Text != "beds.md\n\n````\nfour ``` beds\n````" || !strings.Contains(string(p[1].Extra["attachment"]), `"file_size":9`) {
		t.Errorf("%+v", p)
	}
	if p[2].Media.Name != "shed.png" || p[2].Media.MimeType != "image/png" || string(p[2].Media.Extra["fileUuid"]) != `"f1"` || p[3].Media.Name != "f2" {
		t.Errorf("%+v %+v", p[2].Media, p[3].Media)
	}
	if m[1].Parts[0].Text != "```\npasted\n```" || m[2].Parts[0].Text != "spoken" {
		t.Errorf("%+v", m[1:])
	}
}

// Impossible values are reported, and the rest is imported.
func TestOddities(t *testing.T) {
	s := branching()
	s.add("alien", "a1", "alien", []object{text("?")}, nil)
	s.asks("below", "alien")
	s.asks("q1", "a2")
	s.asks("a/1", "a2")
	s.asks("x", "y")
	s.asks("y", "x")
	all, problems := importertest.Read(t, Format(), source, export(&script{}, s))
	if len(all) != 1 || len(problems) != 3 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	if got := all[0]; len(got.Messages) != 11 || len(got.Records) != 1 || got.Records[0].AfterUID != "a1" || got.Records[0].Type != "alien" {
		t.Errorf("%s, %v", got.Shape(), got.Records)
	}
}

func TestSniff(t *testing.T) {
	long := &script{}
	for i := range 300 {
		long.add(fmt.Sprint(i), noUUID, "human", []object{text(strings.Repeat("x", 1000))}, nil)
	}
	for name, c := range map[string]struct {
		data string
		want bool
	}{
		"export": {string(export(branching())), true}, "long": {string(export(long)), true}, "empty conversation": {string(export(&script{})), true}, "empty": {`[]`, false},
		"chatgpt": {`[{"mapping":{},"create_time":1}]`, false}, "another": {`[{"uuid":"a","messages":[]}]`, false}, "one": {strings.Trim(string(export(branching())), "[]"), true},
	} {
		if got := Format().Sniff(source, []byte(c.data[:min(len(c.data), 64<<10)])); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestTrees builds any tree, shuffles its messages, and finds it again, however often it is read.
func TestTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &script{}
		uuids, parents := []string{noUUID}, map[string]string{}
		for i := range rapid.IntRange(1, 30).Draw(t, "messages") {
			parent, uuid := rapid.SampledFrom(uuids).Draw(t, "parent"), fmt.Sprint("m", i)
			sender := rapid.SampledFrom([]string{"human", "assistant"}).Draw(t, "sender")
			var content []object
			last := uuid
			if sender == "assistant" && rapid.Bool().Draw(t, "tool") {
				content = []object{{"type": "tool_use", "name": "t", "input": object{}}, {"type": "tool_result", "name": "t", "content": "r"}}
				last = uuid + "/1"
			}
			s.add(uuid, parent, sender, append(content, text("words")), nil)
			if len(content) > 0 {
				last = uuid + "/2"
			}
			if parents[uuid] = ""; parent != noUUID {
				parents[uuid] = parents["last "+parent]
			}
			parents["last "+uuid] = last
			uuids = append(uuids, uuid)
		}
		s.messages = rapid.Permutation(s.messages).Draw(t, "order")
		got := importertest.One(t, Format(), source, export(s))
		found := 0
		for _, m := range got.Messages {
			if slices.Contains(uuids, m.UID) {
				found++
				if m.ParentUID != parents[m.UID] {
					t.Fatalf("%s hangs on %q, not on %q", m.UID, m.ParentUID, parents[m.UID])
				}
			}
		}
		if found != len(uuids)-1 {
			t.Fatalf("%d messages of %d", found, len(uuids)-1)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(export(branching()))
	for _, block := range []string{
		`{"type":"tool_use","name":"a","input":{"b":1}},{"type":"tool_result","name":"a","content":[{"type":"text","text":"c"}]}`, `{"type":"thinking","thinking":"a"}`,
		`{"type":"tool_result","content":"x"},{"type":"image","source":{"data":"aGk="}}`,
	} {
		f.Add([]byte(`[{"uuid":"c","chat_messages":[{"uuid":"a","sender":"assistant","content":[` + block + `],"files":[{"file_name":"n"}]},{"uuid":"b","sender":"human","text":"t","parent_message_uuid":"b"}]}]`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Format().Sniff("/nowhere.json", data)
		importertest.Read(t, Format(), "/nowhere.json", data)
	})
}
