package chatgpt

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const (
	path    = "/home/ada/export/conversations.json"
	startMs = 1_750_000_000_000
)

type object = map[string]any

// script writes a conversation as the export does.
type script struct {
	mapping object
	order   []string
	last    string
	seconds float64
}

func begin() *script {
	s := &script{mapping: object{"root": object{"id": "root", "message": nil, "parent": nil, "children": []any{}}}, seconds: startMs / 1000}
	s.order = []string{"root"}
	return s
}

// add adds a message below a node.
func (s *script) add(id, parent, role string, content object, fields object) string {
	s.seconds += 1.5
	m := object{
		"id": id, "author": object{"role": role, "name": nil, "metadata": object{}}, "create_time": s.seconds, "update_time": nil, "content": content,
		"status": "finished_successfully", "end_turn": true, "weight": 1.0, "metadata": object{}, "recipient": "all", "channel": nil,
	}
	if role == "assistant" {
		m["metadata"] = object{"model_slug": "gpt-5"}
	}
	for k, v := range fields {
		m[k] = v
	}
	s.mapping[id] = object{"id": id, "message": m, "parent": parent, "children": []any{}}
	up := s.mapping[parent].(object)
	up["children"] = append(up["children"].([]any), id)
	s.order, s.last = append(s.order, id), id
	return id
}

func text(words ...any) object { return object{"content_type": "text", "parts": words} }

func (s *script) user(id, parent string) string {
	return s.add(id, parent, "user", text("asks "+id), nil)
}

func (s *script) says(id, parent string) string {
	return s.add(id, parent, "assistant", text("says "+id), nil)
}

// export encodes conversations; the nodes of each in the order in which they were made.
func export(all ...*script) []byte {
	var list []json.RawMessage
	for i, s := range all {
		mapping := []byte("{")
		for n, id := range s.order {
			if n > 0 {
				mapping = append(mapping, ',')
			}
			mapping = append(append(append(mapping, encode(id)...), ':'), encode(s.mapping[id])...)
		}
		list = append(list, encode(object{
			"title": fmt.Sprint("Garden ", i), "create_time": startMs / 1000.0, "update_time": s.seconds, "mapping": json.RawMessage(append(mapping, '}')),
			"moderation_results": []any{}, "current_node": s.last, "conversation_id": fmt.Sprint("6830-", i), "id": fmt.Sprint("6830-", i),
			"gizmo_id": "g-garden", "is_archived": false, "default_model_slug": "auto",
		}))
	}
	return encode(list)
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// slim takes out what the export of 2026 leaves away.
func slim(s *script) *script {
	for id, n := range s.mapping {
		node := n.(object)
		delete(node, "children")
		if id == "root" {
			s.mapping[id] = object{"message": nil, "parent": nil}
		}
	}
	return s
}

func branching() *script {
	s := begin()
	s.add("sys", "root", "system", text(""), object{"metadata": object{"is_visually_hidden_from_conversation": true}})
	s.says("a1", s.user("q1", "sys"))
	s.says("a2", s.user("q2", "a1"))
	s.says("b2", "q2") // regenerated
	s.says("c2", s.user("e2", "a1"))
	return s
}

func TestEveryBranch(t *testing.T) {
	for name, data := range map[string][]byte{"whole": export(branching()), "slim": export(slim(branching()))} {
		s := importertest.One(t, Format(), path, data)
		if got := s.Shape(); got != "asks q1 | says a1 (asks q2 (says a2) (says b2)) (asks e2 | says c2)" {
			t.Errorf("%s: %s", name, got)
		}
		if s.Head != "c2" || s.SourceID != "6830-0" || s.Title != "Garden 0" || s.Task != "asks q1" || s.Model != "gpt-5" || s.CreatedAtMs != startMs {
			t.Errorf("%s: %+v", name, s.Session)
		}
		if want := (importertest.Counts{Messages: 7, Branches: 3}); s.Count() != want || string(s.Meta) != `{"gizmo_id":"g-garden"}` {
			t.Errorf("%s: %+v, meta %s", name, s.Count(), s.Meta)
		}
		if m := s.Messages[1]; m.Model != "gpt-5" || m.CreatedAtMs != startMs+4500 || m.FinishReason != "" {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestNoIDs keeps conversations apart that have no ids and call their messages alike, also when they are read again and have grown.
func TestNoIDs(t *testing.T) {
	one := func(title, said string, messages int) object {
		mapping := object{}
		for i := range messages {
			mapping[fmt.Sprint("node-", i+1)] = object{
				"parent":  fmt.Sprint("node-", i),
				"message": object{"author": object{"role": []string{"user", "assistant"}[i%2]}, "content": text(fmt.Sprint(said, " ", i)), "create_time": startMs/1000 + i},
			}
		}
		return object{"title": title, "create_time": startMs / 1000, "mapping": mapping}
	}
	list := []object{one("a", "words", 2), one("b", "words", 2), one("b", "words", 2), one("b", "other words", 2), one("c", "words", 2)}
	all, problems := importertest.Read(t, Format(), path, encode(list))
	seen := map[string]bool{}
	for _, s := range all {
		for _, m := range s.Messages {
			seen[s.SourceID+" "+m.UID], seen[m.UID] = true, true
		}
		if len(s.Messages) != 2 || s.Messages[1].ParentUID != s.Messages[0].UID || s.Head != s.Messages[1].UID {
			t.Errorf("%s, head %s", s.Shape(), s.Head)
		}
	}
	if len(all) != 5 || len(problems) != 0 || len(seen) != 20 {
		t.Errorf("%d conversations, %d ids, %v", len(all), len(seen), problems)
	}
	list[1] = one("b", "words", 4)
	grown, _ := importertest.Read(t, Format(), path, encode(list))
	for i := range all {
		if grown[i].SourceID != all[i].SourceID || grown[i].Messages[0].UID != all[i].Messages[0].UID {
			t.Errorf("conversation %d has another id when it is read again", i)
		}
	}
}

// TestLongTitle keeps a title whole.
func TestLongTitle(t *testing.T) {
	title := strings.Repeat("long title ", 30) + "end"
	s := importertest.One(t, Format(), path, encode([]object{{"id": "x", "title": title, "mapping": object{"a": object{"message": object{"author": object{"role": "user"}, "content": text("hi")}}}}}))
	if s.Title != title {
		t.Errorf("the title is %q", s.Title)
	}
}

// TestAttachmentsAreReadOnce reads a file of the export once, however often messages refer to it, and bounds those of a message.
func TestAttachmentsAreReadOnce(t *testing.T) {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	add := func(name string, data []byte) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	pointer := func(n int) object {
		return object{"content_type": "image_asset_pointer", "asset_pointer": fmt.Sprintf("file-service://file-%d", n)}
	}
	s := begin()
	s.add("q1", "root", "user", text(pointer(1), pointer(1), pointer(2)), nil)
	s.add("q2", "q1", "user", text(pointer(1), pointer(3), pointer(4), pointer(5)), nil)
	add("conversations.json", export(s))
	add("file-1-a.png", []byte("picture"))
	add("file-2-b.png", make([]byte, core.MaxAttachmentBytes+1))
	for n := 3; n <= 5; n++ {
		add(fmt.Sprintf("file-%d-c.png", n), append(make([]byte, core.MaxMessageMediaBytes/3+1), byte(n)))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	all, problems := importertest.Read(t, Format(), "export.zip", packed.Bytes())
	if len(all) != 1 || len(problems) != 2 {
		t.Fatalf("%d conversations, %v", len(all), problems)
	}
	hash := core.Hash([]byte("picture"))
	first, second := all[0].Messages[0].Parts, all[0].Messages[1].Parts
	if string(first[0].Media.Data) != "picture" || first[1].Media.Data != nil || first[1].Media.Blob != hash || first[1].Media.SizeBytes != 7 || second[0].Media.Blob != hash {
		t.Errorf("%+v, %+v, %+v", first[0].Media, first[1].Media, second[0].Media)
	}
	if large := first[2].Media; large.Data != nil || large.URI == "" || !strings.Contains(large.Name, "attachment of 64 MiB not imported: larger than the limit of 64 MiB") {
		t.Errorf("%+v", large)
	}
	if last := second[3].Media; last.Data != nil || !strings.Contains(last.Name, "the attachments of a message may have 128 MiB") {
		t.Errorf("%s", last.Name)
	}
}

// Siblings without times are in the order in which ChatGPT lists them.
func TestOrderOfSiblings(t *testing.T) {
	s := begin()
	for _, id := range []string{"one", "two", "three"} {
		s.user(id, "root")
		s.mapping[id].(object)["message"].(object)["create_time"] = nil
	}
	slices.Reverse(s.order)
	s.mapping["root"].(object)["children"] = []any{"two", "three", "one"}
	got := importertest.One(t, Format(), path, export(s))
	if shape := got.Shape(); shape != " (asks two) (asks three) (asks one)" {
		t.Errorf("%q", shape)
	}
}

func TestTools(t *testing.T) {
	s := begin()
	s.user("q", "root")
	s.add("think", "q", "assistant", object{"content_type": "thoughts", "thoughts": []any{object{"summary": "Weighing", "content": "It rains."}, object{"content": ""}}}, nil)
	s.add("run", "think", "assistant", object{"content_type": "code", "language": "unknown", "text": "print(1)"}, object{"recipient": "python"})
	s.add("out", "run", "tool", object{"content_type": "execution_output", "text": ""}, object{
		"author":   object{"role": "tool", "name": "python"},
		"metadata": object{"aggregate_result": object{"status": "failed_with_in_kernel_exception", "messages": []any{object{"message_type": "image", "image_url": "file-service://file-plot", "width": 3}}}},
	})
	s.add("search", "out", "assistant", text(`{"queries":["rain"]}`), object{"recipient": "web.run"})
	s.add("found", "search", "tool", object{"content_type": "tether_quote", "url": "https://rain.example", "title": "Rain", "text": "falls"}, object{"author": object{"role": "tool", "name": "web.run"}})
	s.add("more", "found", "tool", object{"content_type": "system_error", "name": "Slow", "text": "gave up"}, object{"author": object{"role": "tool", "name": "web.run"}})
	s.add("recap", "more", "assistant", object{"content_type": "reasoning_recap", "content": "Thought for 3 seconds"}, nil)
	s.add("a", "recap", "assistant", text("It rains \ue200cite\ue202turn0search0\ue201 often\ue200cite\ue202x\ue201."), object{"metadata": object{
		"model_slug": "auto", "resolved_model_slug": "gpt-5-thinking", "finish_details": object{"type": "max_tokens"},
		"content_references": []any{
			object{"matched_text": "\ue200cite\ue202turn0search0\ue201", "alt": "([rain](https://rain.example))"},
			object{"matched_text": " ", "alt": "no"},
			object{"matched_text": "\ue200cite\ue202x\ue201", "alt": nil},
		},
	}})
	s.add("lone", "a", "tool", text("file text"), object{"author": object{"role": "tool", "name": "file_search"}})
	got := importertest.One(t, Format(), path, export(s))
	if want := (importertest.Counts{Messages: 10, Calls: 2, Results: 4, Reasoning: 2, Branches: 1}); got.Count() != want {
		t.Fatalf("%+v", got.Count())
	}
	m := got.Messages
	if p := m[2].Parts[0]; p.Name != "python" || p.Text != "print(1)" || p.ID != "run" || m[2].FinishReason != core.FinishToolCall {
		t.Errorf("%+v", p)
	}
	if p := m[3].Parts[0]; p.ID != "run" || !p.IsError || p.Structured == nil || p.Result[0].Media.URI != "file-service://file-plot" {
		t.Errorf("%+v", p)
	}
	if p := m[4].Parts[0]; string(p.Arguments) != `{"queries":["rain"]}` || p.Text != "" {
		t.Errorf("%+v", p)
	}
	if p := m[5].Parts[0]; p.ID != "search" || p.Result[0].Text != "[Rain](https://rain.example)\n\nfalls" || p.IsError {
		t.Errorf("%+v", p)
	}
	if p := m[6].Parts[0]; p.ID != "search" || p.Result[0].Text != "Slow: gave up" || !p.IsError {
		t.Errorf("%+v", p)
	}
	if a := m[8]; a.Parts[0].Text != "It rains ([rain](https://rain.example)) often." || a.Model != "gpt-5-thinking" || a.FinishReason != core.FinishLength ||
		!strings.Contains(string(a.Meta), `"content_references":[`) {
		t.Errorf("%+v", a)
	}
	if p := m[9].Parts[0]; p.ID != "" || p.Name != "file_search" {
		t.Errorf("%+v", p)
	}
}

func TestContents(t *testing.T) {
	hidden := object{"metadata": object{"is_visually_hidden_from_conversation": true}}
	for _, c := range []struct {
		name, role string
		content    object
		fields     object
		kind       core.Kind
		want       string // type and words of each part
		meta       string
	}{
		{"instructions", "user", object{"content_type": "user_editable_context", "user_profile": "I garden.", "user_instructions": "Be brief."}, nil, core.KindMeta, "text I garden.; text Be brief.", ""},
		{"memory", "system", object{"content_type": "model_editable_context", "model_set_context": "1. Has beds."}, hidden, core.KindMeta, "text 1. Has beds.", ""},
		{"code for a person", "assistant", object{"content_type": "code", "language": "go", "text": "a ``` b\n"}, nil, core.KindMessage, "text ````go\na ``` b\n````", ""},
		{"mixed", "user", object{"content_type": "multimodal_text", "parts": []any{
			object{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_00ab", "width": 2, "height": 3, "size_bytes": 9},
			object{"content_type": "audio_transcription", "text": "spoken"},
			"", "typed",
			object{"content_type": "alien", "x": 1},
		}}, nil, core.KindMessage, "media sediment://file_00ab; text spoken; text typed; other {\"content_type\":\"alien\",\"x\":1}", ""},
		{"voice", "user", object{"content_type": "multimodal_text", "parts": []any{object{
			"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": object{"asset_pointer": "sediment://file_a", "format": "wav"},
			"video_container_asset_pointer": nil, "frames_asset_pointers": []any{object{"asset_pointer": "sediment://file_f"}},
		}}}, nil, core.KindMessage, "media sediment://file_a; media sediment://file_f", ""},
		{"attached", "user", text("see"), object{"metadata": object{"attachments": []any{object{"id": "file-Q", "name": "plan.pdf", "mime_type": "application/pdf", "size": 7}}}}, core.KindMessage, "text see; media file-Q", ""},
		{
			"page", "tool",
			object{"content_type": "sonic_webpage", "url": "https://x.example", "text": "words", "snippet": "w"},
			nil, core.KindMessage,
			"tool_result <https://x.example>\n\nwords", `"snippet":"w"`,
		},
		{"new with words", "assistant", object{"content_type": "haiku", "text": "old pond", "mood": "calm"}, nil, core.KindMessage, "text old pond", `"mood":"calm"`},
		{"new without", "assistant", object{"content_type": "dance", "steps": 3}, nil, core.KindMessage, `other {"content_type":"dance","steps":3}`, ""},
		{"unfinished", "assistant", text("half"), object{"status": "in_progress", "channel": "final"}, core.KindMessage, "text half", `{"channel":"final","status":"in_progress"}`},
	} {
		s := begin()
		s.add("m", "root", c.role, c.content, c.fields)
		m := importertest.One(t, Format(), path, export(s)).Messages[0]
		var got []string
		for _, p := range m.Parts {
			words := p.PlainText() + string(p.Native)
			if p.Media != nil {
				words = p.Media.URI
			}
			got = append(got, string(p.Type)+" "+words)
		}
		if strings.Join(got, "; ") != c.want || m.Kind != c.kind || !strings.Contains(string(m.Meta), c.meta) || c.meta == "" && m.Meta != nil {
			t.Errorf("%s: %q, %s, %s", c.name, got, m.Kind, m.Meta)
		}
	}
}

// Impossible values are reported, and the rest is imported.
func TestOddities(t *testing.T) {
	s := begin()
	s.says("a", s.user("q", "root"))
	s.add("critic", "a", "critic", text("hm"), nil)
	s.user("q2", "critic")
	s.mapping["x"] = object{"id": "x", "message": s.mapping["q"].(object)["message"], "parent": "y"}
	s.mapping["y"] = object{"id": "y", "message": s.mapping["q"].(object)["message"], "parent": "x"}
	s.mapping[""] = object{}
	s.order = append(s.order, "x", "y", "")
	s.last = "critic"
	all, problems := importertest.Read(t, Format(), path, export(s))
	if len(all) != 1 || len(problems) != 2 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	if got := all[0]; len(got.Messages) != 5 || got.Head != "a" || len(got.Records) != 1 || got.Records[0].Type != "critic" || got.Records[0].AfterUID != "a" {
		t.Errorf("%s, head %s, records %v", got.Shape(), got.Head, got.Records)
	}

	data := export(branching(), begin(), branching()) // the second one is empty
	all, problems = importertest.Read(t, Format(), path, data)
	if len(all) != 2 || len(problems) != 0 || all[0].Cursor != nil || all[1].Cursor == nil {
		t.Errorf("%d sessions, %v", len(all), problems)
	}
	all, problems = importertest.Read(t, Format(), path, data[:len(data)-100])
	if len(all) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Message, "the conversations before are read") {
		t.Errorf("%d sessions, %v", len(all), problems)
	}
	all, problems = importertest.Read(t, Format(), path, []byte(`[5,{"mapping":{"a":nul}},`+string(export(branching()))[1:]))
	if len(all) != 1 || len(problems) != 2 {
		t.Errorf("%d sessions, %v", len(all), problems)
	}
}

var picture = []byte("\x89PNG\r\n\x1a\n and so on")

func pictured() *script {
	s := begin()
	s.add("q", "root", "user", object{"content_type": "multimodal_text", "parts": []any{
		object{"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1"},
		object{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_0Cd#file_9#p_0.jpg"},
		object{"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-gone"},
		"what is it?",
	}}, nil)
	return s
}

// zipped packs files, a name before each contents.
func zipped(t *testing.T, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, err := z.Create(pairs[i])
		if err == nil {
			_, err = w.Write([]byte(pairs[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(at, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return at
}

func TestZip(t *testing.T) {
	at := zipped(t, "x/conversations-001.json", string(export(branching())), "x/file-Ab1-shed.png", string(picture), "x/dalle/file_0Cd.dat", string(picture),
		"x/conversations-000.json", string(export(pictured())), "x/chat.html", "<html>")
	data := importertest.File(t, at)
	if !Format().Sniff(at, data[:100]) {
		t.Error("a zip is not known")
	}
	all, problems := importertest.Read(t, Format(), at, data)
	if len(all) != 2 || len(problems) != 0 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	p := all[0].Messages[0].Parts
	for i, name := range []string{"file-Ab1-shed.png", "file_0Cd.dat"} {
		if m := p[i].Media; !bytes.Equal(m.Data, picture) || m.MimeType != "image/png" || m.Name != name || m.URI != "" {
			t.Errorf("%+v", m)
		}
	}
	if m := p[2].Media; m.Data != nil || m.URI != "file-service://file-gone" || m.Name != "image" {
		t.Errorf("%+v", m)
	}
	if all, problems := importertest.Read(t, Format(), at, data[:len(data)-30]); len(all) != 0 || len(problems) != 1 || problems[0].Hint == "" {
		t.Errorf("a damaged zip: %d sessions, %v", len(all), problems)
	}
}

// The same conversation from a zip and without its pictures is stored once, and keeps them.
func TestPicturesStay(t *testing.T) {
	db, folder := importertest.Open(t), t.TempDir()
	whole := zipped(t, "conversations.json", string(export(pictured())), "file-Ab1.png", string(picture), "file_0Cd.png", string(picture))
	bare := filepath.Join(folder, "conversations.json")
	if err := os.WriteFile(bare, export(pictured()), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := importertest.Import(t, db, Format(), whole); r.Imported != 1 || len(r.Problems) != 0 {
		t.Errorf("%+v", r)
	}
	if r := importertest.Import(t, db, Format(), whole); r.Unchanged != 1 {
		t.Errorf("%+v", r)
	}
	if r := importertest.Import(t, db, Format(), bare); r.Unchanged != 1 || r.Updated+r.Imported != 0 {
		t.Errorf("%+v", r)
	}

	// Beside conversations.json the pictures are found, too.
	if err := os.MkdirAll(filepath.Join(folder, "user-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file-Ab1-shed.png", "user-1/file_0Cd.png"} {
		if err := os.WriteFile(filepath.Join(folder, name), picture, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := importertest.Read(t, Format(), bare, export(pictured()))
	if p := all[0].Messages[0].Parts; p[0].Media.Data == nil || p[1].Media.Data == nil {
		t.Errorf("%+v", p)
	}
}

// A picture that is shown and attached is stored once, with the name it was sent under.
func TestAttachmentThatIsShown(t *testing.T) {
	s := begin()
	s.add("q", "root", "user", object{"content_type": "multimodal_text", "parts": []any{object{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_0Cd"}}},
		object{"metadata": object{"attachments": []any{object{"id": "file_0Cd", "name": "shed.png", "mimeType": "image/png"}, "odd"}}})
	p := importertest.One(t, Format(), path, export(s)).Messages[0].Parts
	if len(p) != 1 || p[0].Media.Name != "shed.png" || p[0].Media.MimeType != "image/png" {
		t.Errorf("%+v", p)
	}
}

func TestSniff(t *testing.T) {
	long := begin()
	for i := range 300 {
		long.add(fmt.Sprint(i), "root", "user", text(strings.Repeat("x", 1000)), nil)
	}
	for name, c := range map[string]struct {
		data string
		want bool
	}{
		"export": {string(export(branching())), true}, "long": {string(export(long)), true}, "one conversation": {strings.Trim(string(export(branching())), "[]"), true},
		"claude": {`[{"uuid":"a","chat_messages":[]}]`, false}, "empty": {`[]`, false}, "words": {`mapping`, false}, "a list": {`{"mapping":[],"create_time":1}`, false},
		"another mapping": {`{"mapping":{"a":"b"}}`, false}, "broken zip": {"PK\x03\x04 nothing", false},
	} {
		if got := Format().Sniff(path, []byte(c.data[:min(len(c.data), 64<<10)])); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestTrees builds any tree, shuffles its nodes, and finds it again.
func TestTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := begin()
		parents := map[string]string{}
		for i := range rapid.IntRange(1, 30).Draw(t, "messages") {
			parent := rapid.SampledFrom(s.order).Draw(t, "parent")
			id := fmt.Sprint("m", i)
			role := rapid.SampledFrom([]string{"user", "assistant", "tool"}).Draw(t, "role")
			s.add(id, parent, role, text("words "+id), nil)
			if rapid.Bool().Draw(t, "no time") {
				s.mapping[id].(object)["message"].(object)["create_time"] = nil
			}
			parents[id] = strings.TrimPrefix(parent, "root")
		}
		s.last = rapid.SampledFrom(s.order[1:]).Draw(t, "current")
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			slim(s)
		case 1: // only the list of children has it
			for id, n := range s.mapping {
				if id != "root" {
					n.(object)["parent"] = nil
				}
			}
		}
		s.order = rapid.Permutation(s.order).Draw(t, "order")
		got := importertest.One(t, Format(), path, export(s))
		if len(got.Messages) != len(parents) || got.Head != s.last {
			t.Fatalf("%d messages of %d, head %s", len(got.Messages), len(parents), got.Head)
		}
		for _, m := range got.Messages {
			if m.ParentUID != parents[m.UID] {
				t.Fatalf("%s hangs on %q, not on %q", m.UID, m.ParentUID, parents[m.UID])
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	s := pictured()
	s.add("run", "q", "assistant", object{"content_type": "code", "text": "{}"}, object{"recipient": "python"})
	s.add("out", "run", "tool", object{"content_type": "execution_output", "text": "1"}, nil)
	f.Add(export(branching(), slim(s)))
	f.Add([]byte(`{"mapping":{"a":{"parent":"a","children":["a","b"],"message":{"author":{"role":"tool"},"content":{"content_type":"execution_output"}}}},"current_node":5}`))
	for _, content := range []string{
		`{"content_type":"multimodal_text","parts":[{"asset_pointer":"a://file-b","content_type":"image_asset_pointer"},""]}`,
		`{"content_type":"thoughts","thoughts":[{"summary":"a","content":"b"}]}`, `{"content_type":"tether_quote","url":"u","text":"t"}`, `{"content_type":"?","text":"t"}`,
	} {
		f.Add([]byte(`[{"create_time":1,"mapping":{"a":{"message":{"author":{"role":"user"},"content":` + content + `,"recipient":"x","create_time":2}},"b":{"parent":"a"}}}]`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Format().Sniff("/nowhere.json", data)
		importertest.Read(t, Format(), "/nowhere.json", data)
	})
}
