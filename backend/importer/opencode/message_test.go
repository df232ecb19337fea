package opencode

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/foreigndb/foreigndbtest"
	"coppice/backend/importer/importertest"
)

// readExport reads a conversation of one session as an export.
func readExport(t importertest.Tester, k *talk) importertest.Session {
	t.Helper()
	return importertest.One(t, Format(), "/o/export.json", k.exported())
}

// readDB reads the sessions of a database.
func readDB(t testing.TB, path string) ([]importertest.Session, []core.Problem) {
	t.Helper()
	return importertest.Read(t, Format(), path, importertest.File(t, path))
}

// TestForms reads the same conversation in every form that 1.x wrote.
func TestForms(t *testing.T) {
	k := begin("ses_1")
	k.prompt("q1")
	k.works("a1")
	k.prompt("q2")
	k.reply("a2")
	const want = `user text "q1"
assistant reasoning "hm" tool_call "write {\"filePath\":\"/home/ada/garden/a.md\"}" 157+13 $1000000
tool tool_result "out a1" {"exit":0}
assistant text "a1" 257+23 $2000000
user text "q2"
assistant text "a2" 157+13 $1000000`
	path := filepath.Join(t.TempDir(), "opencode.db")
	k.inTables(t, create(t, path, legacySchema))
	all, problems := readDB(t, path)
	if len(all) != 1 || len(problems) != 0 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	file := k.inFiles(t, filepath.Join(t.TempDir(), "storage"))
	first := readExport(t, k)
	for form, r := range map[string]importertest.Session{"export": first, "database": all[0], "files": importertest.One(t, Format(), file, importertest.File(t, file))} {
		if got := r.PartsAndSpending(); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", form, got, want)
		}
		if r.SourceID != "ses_1" || r.Title != "the garden" || r.Task != "q1" || r.Model != "claude-sonnet-4" || r.Agent != "build" || r.WorkspacePath != "/home/ada/garden" || r.CreatedAtMs != startMs {
			t.Errorf("%s: %+v", form, r.Session)
		}
		if !slices.Equal(r.FilesModified, []string{"/home/ada/garden/a.md", "/home/ada/garden/b.md"}) {
			t.Errorf("%s: files %v", form, r.FilesModified)
		}
		for i, m := range r.Messages {
			if m.UID != first.Messages[i].UID || m.ParentUID != first.Messages[i].ParentUID {
				t.Errorf("%s: message %d is another one", form, i)
			}
		}
		if m := r.Messages[2]; m.Parts[0].ID != "call_a1" || m.Parts[0].DurationMs != 1500 || m.CreatedAtMs != startMs+6500 {
			t.Errorf("%s: result %+v", form, m)
		}
		if m := r.Messages[3]; m.FinishReason != core.FinishStop || m.Origin.Provider != "anthropic" || m.Usage.CacheReadTokens != 50 || m.Usage.CacheWriteTokens != 7 || m.Usage.ReasoningTokens != 3 {
			t.Errorf("%s: answer %+v", form, m)
		}
	}
}

// TestWhatLegacyBecomes checks the result for each kind of part of 1.x.
func TestWhatLegacyBecomes(t *testing.T) {
	for _, test := range []struct {
		name, role string
		info       fields
		parts      []fields
		want       string
	}{
		{
			"files", "user", nil,
			[]fields{{"type": "text", "text": "look"}, {"type": "file", "mime": "image/png", "filename": "a.png", "url": "data:image/png;base64,iVBORw0KGgo="}, {"type": "file", "mime": "text/plain", "url": "file:///a"}, {"type": "file", "mime": "text/plain", "url": "data:text/plain,a%20b"}},
			`user text "look" media [image/png a.png 8] media [text/plain file:///a 0] media [text/plain  3]`,
		},
		{"put in beside a prompt", "user", nil, []fields{{"type": "text", "text": "q"}, {"type": "text", "text": "Called the Read tool", "synthetic": true}}, `user text "q" text "Called the Read tool"`},
		{"put in", "user", nil, []fields{{"type": "text", "text": "go on", "synthetic": true}}, `user/meta text "go on"`},
		{"the mark of a compaction", "user", nil, []fields{{"type": "compaction", "auto": true}}, `user/meta other`},
		{"a summary", "assistant", fields{"summary": true}, []fields{{"type": "text", "text": "so far"}}, `assistant/compaction summary "so far"`},
		{"a tool that runs", "assistant", nil, []fields{toolPart("c", "bash", fields{"status": "running", "input": fields{"command": "ls"}})}, `assistant tool_call "bash {\"command\":\"ls\"}"`},
		{"a tool that failed", "assistant", nil, []fields{toolPart("c", "bash", fields{"status": "error", "input": fields{}, "error": "no"})}, "assistant tool_call \"bash {}\"\ntool tool_result \"no\" failed"},
		{
			"a picture from a tool", "assistant", nil,
			[]fields{toolPart("c", "read", fields{"status": "completed", "output": "see", "attachments": []fields{{"type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"}}})},
			"assistant tool_call \"read\"\ntool tool_result \"see\" [image/png  3]",
		},
		{"only the message tells what it took", "assistant", fields{"tokens": tokens(100, 10), "cost": 0.25}, []fields{{"type": "text", "text": "a"}}, `assistant text "a" 157+13 $250000000`},
		{"a price that is not known", "assistant", fields{"tokens": tokens(100, 10), "cost": 0}, []fields{{"type": "text", "text": "a"}}, `assistant text "a" 157+13`},
		{"what is not known", "assistant", nil, []fields{{"type": "invented", "a": 1}, {"type": "subtask", "prompt": "p"}}, `assistant other other`},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := begin("ses_1")
			k.add(test.role, test.info, test.parts...)
			if got := readExport(t, k).PartsAndSpending(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
	k := begin("ses_1")
	k.add("assistant", fields{"error": fields{"name": "MessageAbortedError", "data": fields{"message": "aborted"}}})
	k.add("invented", fields{"a": 1}, fields{"type": "text", "text": "x"})
	r := readExport(t, k)
	if r.Messages[0].Error != "aborted" || len(r.Records) != 1 || r.Records[0].Type != "invented" || r.Records[0].AfterUID != r.Messages[0].UID {
		t.Errorf("%+v %+v", r.Messages[0], r.Records)
	}
}

// TestCheckpoints checks before which answers OpenCode saved the files, in both its forms.
func TestCheckpoints(t *testing.T) {
	k := begin("ses_1")
	k.prompt("q1")
	k.add("assistant", answer(),
		fields{"type": "step-start", "snapshot": "0a1b"}, fields{"type": "text", "text": "a1"}, stepFinish("tool-calls", 100, 10, 0.001),
		fields{"type": "step-start", "snapshot": "2c3d"}, fields{"type": "text", "text": "a2"}, stepFinish("stop", 100, 10, 0.001))
	k.prompt("q2")
	k.reply("a3")
	compareKept(t, readExport(t, k).Messages, "", "0a1b", "", "", "")
	path := filepath.Join(t.TempDir(), "opencode.db")
	inCurrent(t, create(t, path, currentSchema), fields{"id": "ses_1"},
		row{"msg_1", "user", fields{"text": "q1"}},
		row{"msg_2", "assistant", fields{"content": []fields{{"type": "text", "text": "a1"}}, "snapshot": fields{"start": "0a1b", "end": "2c3d"}}})
	all, _ := readDB(t, path)
	compareKept(t, all[0].Messages, "", "0a1b")
}

// compareKept compares the ids of the checkpoints before each message; empty: none.
func compareKept(t *testing.T, messages []core.IncomingMessage, want ...string) {
	t.Helper()
	kept := make([]string, len(messages))
	for i := range messages {
		checkpoint, _ := messages[i].Checkpoint()
		kept[i] = checkpoint.ID
	}
	if !slices.Equal(kept, want) {
		t.Errorf("kept before %q, want %q", kept, want)
	}
}

// current is a conversation of 2.x with every kind of message.
func current() []row {
	return []row{
		{"msg_0", "model-switched", fields{"model": fields{"id": "m"}}},
		{"msg_1", "user", fields{"text": "q1", "files": []fields{{"mime": "image/png", "name": "a.png", "data": "iVBORw0KGgo="}}}},
		{"msg_2", "assistant", fields{
			"agent": "build", "model": fields{"id": "gpt-5", "providerID": "openai"}, "cost": 0.5, "tokens": tokens(100, 10), "finish": "tool-calls",
			"content": []fields{
				{"type": "reasoning", "text": "hm"},
				{"type": "text", "text": "a1"},
				{"type": "tool", "id": "c1", "name": "bash", "state": fields{"status": "completed", "input": fields{"command": "ls"}, "content": []fields{{"type": "text", "text": "a.md"}}, "structured": fields{"exit": 0}}},
				{"type": "tool", "id": "c2", "name": "bash", "state": fields{"status": "error", "input": fields{}, "error": fields{"type": "unknown", "message": "no"}}},
				{"type": "tool", "id": "c3", "name": "bash", "state": fields{"status": "streaming", "input": `{"comm`}},
			},
		}},
		{"msg_3", "system", fields{"text": "be kind"}},
		{"msg_4", "synthetic", fields{"text": "go on"}},
		{"msg_5", "shell", fields{"command": "ls", "output": "a.md"}},
		{"msg_6", "compaction", fields{"summary": "so far", "tokens": tokens(1, 2)}},
		{"msg_7", "invented", fields{"a": 1}},
		{"msg_8", "idle", fields{}},
	}
}

const currentParts = `user text "q1" media [image/png a.png 8]
assistant reasoning "hm" text "a1" tool_call "bash {\"command\":\"ls\"}" tool_call "bash {}" tool_call "bash {\"comm" 157+13 $500000000
tool tool_result "a.md" {"exit":0} tool_result "no" failed
system/meta text "be kind"
user/meta text "go on"
user/command text "$ ls" text "a.md"
user/compaction summary "so far" 58+5`

// TestWhatCurrentBecomes checks the result for each kind of message of 2.x.
func TestWhatCurrentBecomes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	inCurrent(t, create(t, path, currentSchema), fields{"id": "ses_1", "title": "New session - 2026-03-04T05:00:00Z"}, current()...)
	all, problems := readDB(t, path)
	if len(all) != 1 || len(problems) != 0 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	r := all[0]
	if got := r.PartsAndSpending(); got != currentParts {
		t.Errorf("got\n%s\nwant\n%s", got, currentParts)
	}
	if r.Title != "q1" || r.Model != "gpt-5" || r.Agent != "build" || r.Messages[1].FinishReason != core.FinishToolCall {
		t.Errorf("%+v", r.Session)
	}
	var kept []string
	for _, rec := range r.Records {
		kept = append(kept, fmt.Sprint(rec.Type, rec.Known))
	}
	if got := strings.Join(kept, " "); got != "model-switchedtrue inventedfalse idletrue" {
		t.Errorf("records %s", got)
	}
}

// TestLastOfLegacy reads a database of 1.18, which has a table of 2.x already, without rows.
func TestLastOfLegacy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db := create(t, path, legacySchema, `CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT)`)
	k := begin("ses_1")
	k.prompt("q1")
	k.reply("a1")
	k.inTables(t, db)
	all, problems := readDB(t, path)
	if len(all) != 1 || len(problems) != 0 || all[0].Shape() != "q1 | a1" {
		t.Errorf("%+v, %v", all, problems)
	}
}

// TestTimeOfTheRow uses the time of a message's row if the message itself has none.
func TestTimeOfTheRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db := create(t, path, legacySchema, currentSchema)
	inCurrent(t, db, fields{"id": "ses_1", "title": "t"}, row{"msg_1", "user", fields{"text": "q1"}}, row{"msg_2", "shell", fields{"command": "ls", "output": "a"}})
	all, _ := readDB(t, path)
	told := all[0].Messages
	foreigndbtest.Run(t, db, do(`UPDATE session_message SET data = json_remove(data, '$.time')`))
	all, _ = readDB(t, path)
	for i, m := range all[0].Messages {
		if m.CreatedAtMs != told[i].CreatedAtMs || m.CreatedAtMs == 0 || m.UID != told[i].UID {
			t.Errorf("%s at %d, told %s at %d", m.UID, m.CreatedAtMs, told[i].UID, told[i].CreatedAtMs)
		}
	}
}

// TestBoth reads a database that 2.x has taken over from 1.x: what both have counts once, and what 1.x alone has is not lost.
func TestBoth(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db := create(t, path, legacySchema, currentSchema)
	k := begin("ses_1")
	k.prompt("q1")
	k.reply("a1")
	k.prompt("q2")
	k.reply("taken back since")
	k.inTables(t, db)
	inCurrent(t, db, fields{"id": "ses_1", "title": "newer"}, row{"msg_ses_1_000", "user", fields{"text": "q1"}}, row{"msg_ses_1_001", "assistant", fields{}}, row{"msg_new", "user", fields{"text": "q3"}})
	all, problems := readDB(t, path)
	if len(all) != 1 || len(problems) != 0 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	if got := all[0].Shape(); got != "q1 | a1 (q2 | taken back since) (q3)" || all[0].Title != "newer" || word(all[0], all[0].Head) != "q3" {
		t.Errorf("%s, %q, head %s", got, all[0].Title, word(all[0], all[0].Head))
	}
}

func word(s importertest.Session, uid string) string {
	for _, m := range s.Messages {
		if m.UID == uid {
			return m.Preview(40)
		}
	}
	return ""
}

// TestRevert undoes the last turn, asks something else, and finds the turn as a branch.
func TestRevert(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	tool := create(t, path, legacySchema)
	library := importertest.Open(t)
	f := Format()
	k := begin("ses_1")
	k.prompt("q1")
	k.reply("a1")
	k.prompt("q2")
	k.reply("a2")
	k.session["revert"] = fields{"messageID": "msg_ses_1_002"}
	k.inTables(t, tool)
	state := func() string {
		importertest.Import(t, library, f, path)
		s, err := library.Session(t.Context(), "ses_1")
		if err != nil {
			t.Fatal(err)
		}
		var all []core.Message
		head := ""
		for m, err := range library.Messages(t.Context(), s.ID) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
			if m.UID == s.HeadUID {
				head = m.Text()
			}
		}
		return importertest.Shape(all) + " @" + head
	}
	if got := state(); got != "q1 | a1 | q2 | a2 @a1" {
		t.Error(got)
	}
	foreigndbtest.Run(t, tool, do(`DELETE FROM message WHERE id >= 'msg_ses_1_002'`), do(`DELETE FROM part WHERE message_id >= 'msg_ses_1_002'`))
	k.messages = k.messages[:2]
	delete(k.session, "revert")
	k.prompt("q3")
	k.messages[2].id = "msg_ses_1_009"
	k.inTables(t, tool)
	if got := state(); got != "q1 | a1 (q2 | a2) (q3) @q3" {
		t.Error(got)
	}
}

// TestForks brings copies together with what they are copies of, those of 1.x and those of 2.x.
func TestForks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	tool := create(t, path, legacySchema, currentSchema)
	for i, name := range []string{"ses_1", "ses_2", "ses_3"} {
		k := begin(name)
		if i > 0 {
			k.session["title"] = fmt.Sprintf("the garden (fork #%d)", i)
		}
		k.prompt("q1")
		k.works("a1")
		k.prompt("q2 of " + name)
		k.inTables(t, tool)
	}
	inCurrent(t, tool, fields{"id": "ses_4", "title": "x"}, row{"msg_1", "user", fields{"text": "p1"}}, row{"msg_2", "user", fields{"text": "p2"}})
	inCurrent(t, tool, fields{"id": "ses_5", "title": "y", "fork": "ses_4"}, row{"msg_3", "agent-switched", fields{}}, row{"msg_4", "user", fields{"text": "p1"}}, row{"msg_5", "user", fields{"text": "other"}})
	inCurrent(t, tool, fields{"id": "ses_6", "title": "y", "fork": "ses_5"}, row{"msg_6", "user", fields{"text": "p1"}}, row{"msg_7", "user", fields{"text": "other"}}, row{"msg_8", "user", fields{"text": "more"}})
	library := importertest.Open(t)
	importertest.Import(t, library, Format(), path)
	for of, want := range map[string]string{"ses_1 ses_2 ses_3": "q1 | hm | out a1 | a1 (q2 of ses_1) (q2 of ses_2) (q2 of ses_3)", "ses_4 ses_5 ses_6": "p1 (p2) (other | more)"} {
		for _, name := range strings.Fields(of) {
			s, err := library.Session(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			var all []core.Message
			for m, err := range library.Messages(t.Context(), s.ID) {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, m)
			}
			if got := importertest.Shape(all); got != want {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}

// TestGrowth imports a database that its tool has open and writes to: what is new is in its log only.
func TestGrowth(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	tool := create(t, path, legacySchema)
	one, two := begin("ses_1"), begin("ses_2")
	one.prompt("q1")
	one.inTables(t, tool)
	two.session["parentID"] = "ses_1"
	two.prompt("p1")
	two.inTables(t, tool)
	grown, whole := importertest.Open(t), importertest.Open(t)
	f := Format()
	if report := importertest.Import(t, grown, f, path); report.Imported != 1 || len(report.Sessions) != 2 || len(report.Problems) != 0 {
		t.Errorf("%+v", report)
	}
	if report := importertest.Import(t, grown, f, path); len(report.Sessions) != 0 || report.Unchanged != 1 {
		t.Errorf("again: %+v", report)
	}
	for range 3 {
		one.works("a")
		one.inTables(t, tool)
		if report := importertest.Import(t, grown, f, path); report.Updated != 1 || report.Unchanged != 0 || len(report.Sessions) != 1 {
			t.Errorf("after growth: %+v", report)
		}
	}
	importertest.Import(t, whole, f, path)
	if got, want := importertest.Dump(t, grown), importertest.Dump(t, whole); got != want || strings.Count(got, "messages,") != 2 {
		t.Errorf("grown:\n%s\nat once:\n%s", got, want)
	}
	c, err := grown.Session(t.Context(), "ses_2")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := grown.Session(t.Context(), "ses_1"); err != nil || c.ParentID != p.ID || c.Relation != core.RelationSubagent {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestFilesGrow reads a session's files again while they are young, and leaves them alone when they are not.
func TestFilesGrow(t *testing.T) {
	root := filepath.Join(t.TempDir(), "storage")
	k := begin("ses_1")
	k.prompt("q1")
	path := k.inFiles(t, root)
	library := importertest.Open(t)
	f := Format()
	importertest.Import(t, library, f, path)
	if report := importertest.Import(t, library, f, path); report.Unchanged != 1 {
		t.Errorf("%+v", report)
	}
	fresh := begin("ses_2")
	fresh.prompt("q1")
	path = fresh.inFiles(t, root)
	if err := os.WriteFile(filepath.Join(root, "part", "msg_ses_2_000", "prt_001.json"), []byte(`{"type":"text","text":"more"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	importertest.Import(t, library, f, path)
	fresh.reply("a1")
	fresh.inFiles(t, root)
	if report := importertest.Import(t, library, f, path); report.Updated != 1 {
		t.Errorf("%+v", report)
	}
}

// TestDamage checks that damage is reported once, and the rest is read.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	tool := create(t, path, legacySchema)
	k := begin("ses_1")
	k.prompt("q1")
	k.reply("a1")
	k.prompt("q2")
	k.inTables(t, tool)
	foreigndbtest.Run(t, tool, do(`UPDATE message SET data = '{"role":' WHERE id = 'msg_ses_1_000'`), do(`UPDATE part SET data = 'x' WHERE id = 'prt_msg_ses_1_001_001'`))
	all, problems := readDB(t, path)
	if len(problems) != 2 || !strings.Contains(problems[0].Message, "msg_ses_1_000") || !strings.Contains(problems[1].Message, "prt_msg_ses_1_001_001") {
		t.Errorf("%v", problems)
	}
	if len(all) != 1 || all[0].Shape() != "- | q2" {
		t.Errorf("%+v", all)
	}
	root := filepath.Join(t.TempDir(), "storage")
	file := k.inFiles(t, root)
	if err := os.WriteFile(filepath.Join(root, "part", "msg_ses_1_000", "prt_000.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, problems := importertest.Read(t, Format(), file, importertest.File(t, file)); len(problems) != 1 || !strings.Contains(problems[0].Message, "prt_000.json") {
		t.Errorf("%v", problems)
	}
}

// TestEscape checks that an id that is a path leads nowhere.
func TestEscape(t *testing.T) {
	root := t.TempDir()
	k := begin("ses_1")
	k.prompt("secret")
	k.inFiles(t, root)
	for _, id := range []string{"../message/ses_1", "..", "/"} {
		data := text(fields{"id": id, "directory": "/", "title": "t", "time": fields{"created": 1}})
		if all, _ := importertest.Read(t, Format(), filepath.Join(root, "session", "prj", "x.json"), []byte(data)); len(all) != 0 {
			t.Errorf("%s: %+v", id, all)
		}
	}
}

// TestSniff distinguishes OpenCode's files from others.
func TestSniff(t *testing.T) {
	folder := t.TempDir()
	legacy, current, other := filepath.Join(folder, "a.db"), filepath.Join(folder, "b.db"), filepath.Join(folder, "c.db")
	create(t, legacy, legacySchema)
	create(t, current, currentSchema)
	create(t, other, `CREATE TABLE session (id TEXT)`)
	k := begin("ses_1")
	k.prompt("q")
	for path, want := range map[string]bool{legacy: true, current: true, other: false} {
		if got := Format().Sniff(path, importertest.File(t, path)); got != want {
			t.Errorf("%v for %s", got, filepath.Base(path))
		}
	}
	for data, want := range map[string]bool{
		string(k.exported()): true, text(k.session): true,
		`{"id":"msg","sessionID":"ses","role":"user","time":{"created":1}}`: false, `{"messages":[]}`: false, `{"info":{"id":"a"},"messages":[]}`: false, `[]`: false, "": false, "SQLite format 3\x00": false,
	} {
		if got := Format().Sniff("x", []byte(data)); got != want {
			t.Errorf("%v for %.80q", got, data)
		}
	}
}

// TestPlaces checks where sessions are looked for.
func TestPlaces(t *testing.T) {
	home := t.TempDir()
	data := filepath.Join(home, ".local", "share", "opencode")
	writeOld(t, filepath.Join(data, "opencode-beta.db"), "")
	writeOld(t, filepath.Join(data, "opencode.db"), "")
	writeOld(t, filepath.Join(data, "auth.db"), "")
	none := func(string) string { return "" }
	want := []string{filepath.Join(data, "storage", "session"), filepath.Join(data, "opencode-beta.db"), filepath.Join(data, "opencode.db")}
	if got := Places(none, home); !slices.Equal(got, want) {
		t.Error(got)
	}
	named := func(name string) string {
		return map[string]string{"OPENCODE_DB": "/x/y.db", "XDG_DATA_HOME": "/d"}[name]
	}
	if got := Places(named, home); !slices.Equal(got, []string{filepath.Join("/d", "opencode", "storage", "session"), "/x/y.db"}) {
		t.Error(got)
	}
}

// TestSamples compares what the importer makes of the samples with a count of their files.
func TestSamples(t *testing.T) {
	for _, path := range importertest.Samples(t, "opencode/agent-sessions/*/session/*/*.json") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			root := filepath.Dir(filepath.Dir(filepath.Dir(path)))
			var session struct{ ID string }
			if err := json.Unmarshal(importertest.File(t, path), &session); err != nil {
				t.Fatal(err)
			}
			want := importertest.Counts{Branches: 1}
			messages, err := filepath.Glob(filepath.Join(root, "message", session.ID, "*.json"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range messages {
				var m struct {
					ID     string
					Tokens struct{ Input, Output int64 }
				}
				if err := json.Unmarshal(importertest.File(t, file), &m); err != nil {
					t.Fatal(err)
				}
				want.Messages++
				want.Input += m.Tokens.Input
				want.Output += m.Tokens.Output
				within, _ := filepath.Glob(filepath.Join(root, "part", m.ID, "*.json"))
				loose, _ := filepath.Glob(filepath.Join(root, "part", "*.json"))
				for _, file := range append(within, loose...) {
					var p struct{ Type, MessageID string }
					if err := json.Unmarshal(importertest.File(t, file), &p); err != nil {
						t.Fatal(err)
					}
					if filepath.Base(filepath.Dir(file)) == "part" && p.MessageID != m.ID {
						continue
					}
					switch p.Type {
					case "tool":
						want.Calls++
						want.Results++
						want.Messages++
					case "reasoning":
						want.Reasoning++
					case "file":
						want.Media++
					}
				}
			}
			data := importertest.File(t, path)
			if !Format().Sniff(path, data) {
				t.Error("not recognised")
			}
			s, ok := readSession(t, path, data)
			if got := s.Count(); !ok || got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// readSession reads a session file, whether it is young or not.
func readSession(t *testing.T, path string, data []byte) (s importertest.Session, ok bool) {
	t.Helper()
	file := core.SourceFile{
		Path: path, SizeBytes: int64(len(data)), Data: strings.NewReader(string(data)), Progress: func(int64) {},
		Problem: func(_ int64, message string) { t.Error(message) },
	}
	for in, err := range Format().Read(context.Background(), file) {
		if err != nil {
			t.Fatal(err)
		}
		for m, err := range in.Messages {
			if err != nil {
				t.Fatal(err)
			}
			s.Messages = append(s.Messages, m)
		}
		ok = true
	}
	return s, ok
}

// FuzzExport reads arbitrary bytes as a file. The result is always a valid tree.
func FuzzExport(f *testing.F) {
	k := begin("ses_1")
	k.prompt("q1")
	k.works("a1")
	k.session["revert"] = fields{"messageID": "msg_ses_1_001"}
	f.Add(k.exported())
	f.Add([]byte(text(fields{"info": k.session, "messages": []fields{{"type": "user", "id": "a", "text": "q"}, {"type": "shell", "id": "a"}}})))
	f.Add([]byte(text(k.session)))
	f.Fuzz(func(t *testing.T, data []byte) {
		Format().Sniff("x", data)
		importertest.Read(t, Format(), "/nowhere/session/prj/x.json", data)
	})
}

// FuzzRows reads arbitrary contents of a database of both versions.
func FuzzRows(f *testing.F) {
	path := filepath.Join(f.TempDir(), "opencode.db")
	tool := create(f, path, legacySchema, currentSchema)
	f.Add(text(answer()), text(fields{"type": "text", "text": "a"}), "assistant", text(current()[2].data), "{}")
	f.Add(`{"role":"user"}`, text(toolPart("c", "bash", completed(nil, "x"))), "shell", `{"command":"ls"}`, `{"messageID":"m2","partID":"p"}`)
	f.Fuzz(func(t *testing.T, message, part, kind, data, revert string) {
		foreigndbtest.Run(t, tool, do(`DELETE FROM session`), do(`DELETE FROM session_v2`), do(`DELETE FROM message`), do(`DELETE FROM part`), do(`DELETE FROM session_message`),
			do(`INSERT INTO session VALUES ('s',0,'','',?,?,0,?,1,1)`, kind, part, revert), do(`INSERT INTO session_v2 VALUES ('s2','p','','s','',?,?,'',?,5,1)`, data, kind, revert),
			do(`INSERT INTO message VALUES ('m1','s',1,1,?), ('m2','s',2,1,?)`, message, data), do(`INSERT INTO part VALUES ('p1','m1','s',1,1,?), ('p2','m2','s',1,1,?)`, part, part),
			do(`INSERT INTO session_message VALUES ('m2','s',?,1,1,1,?), ('m3','s',?,2,1,1,?), ('m4','s2',?,1,1,1,?), ('m5','s2','user',2,1,1,?)`, kind, data, kind, message, kind, data, part))
		importertest.Read(t, Format(), path, []byte("SQLite format 3\x00"))
	})
}
