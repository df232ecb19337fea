package openassistant

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const path = "/home/ada/trees.jsonl"

type object = map[string]any

// say writes a message; ranks below 0 are none.
func say(id, role string, rank int, replies ...object) object {
	m := object{"message_id": id, "text": "words " + id, "role": role, "lang": "en", "review_count": 3, "review_result": true, "deleted": false, "synthetic": false, "emojis": object{"+1": 2}, "replies": replies}
	if replies == nil {
		m["replies"] = []any{}
	}
	if rank >= 0 {
		m["rank"] = rank
	}
	return m
}

func line(id string, prompt object) string {
	b, err := json.Marshal(object{"message_tree_id": id, "tree_state": "ready_for_export", "prompt": prompt})
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

func garden(id string) object {
	return say(id, "prompter", -1,
		say(id+"a", "assistant", 1, say(id+"c", "prompter", -1)),
		say(id+"b", "assistant", 0, say(id+"d", "prompter", -1, say(id+"f", "assistant", -1), say(id+"g", "assistant", 0)), say(id+"e", "prompter", -1)))
}

func TestTree(t *testing.T) {
	s := importertest.One(t, Format(), path, []byte(line("t", garden("t"))))
	if s.Shape() != "words t (words ta | words tc) (words tb (words td (words tf) (words tg)) (words te))" || s.Head != "tg" {
		t.Error(s.Shape(), s.Head)
	}
	if s.SourceID != "t" || s.Task != "words t" || string(s.Meta) != `{"tree_state":"ready_for_export"}` || s.CreatedAtMs == 0 || s.Messages[0].CreatedAtMs != s.CreatedAtMs {
		t.Errorf("%+v, meta %s", s.Session, s.Meta)
	}
	if m := s.Messages[3]; m.Role != core.RoleAssistant || string(m.Meta) != `{"deleted":false,"emojis":{"+1":2},"lang":"en","rank":0,"review_count":3,"review_result":true,"synthetic":false}` {
		t.Errorf("%+v, meta %s", m, m.Meta)
	}

	prompt := garden("t")
	prompt["created_date"], prompt["model_name"] = "2023-02-05T14:23:50.983374+00:00", "chip20b"
	answer := prompt["replies"].([]object)[0]
	answer["model_name"], answer["text"] = "chip20b", ""
	s = importertest.One(t, Format(), path, []byte(line("t", prompt)))
	if s.CreatedAtMs != 1675607030983 || s.Model != "chip20b" || s.Messages[1].Model != "chip20b" || s.Messages[0].Model != "" || len(s.Messages[1].Parts) != 0 ||
		!strings.Contains(string(s.Messages[0].Meta), `"model_name":"chip20b"`) {
		t.Errorf("%+v", s)
	}
}

// flat writes the messages of a tree, one a line, as the data set's other form has them.
func flat(tree string, parent any, m object) string {
	one := object{"parent_id": parent, "message_tree_id": tree, "tree_state": "ready_for_export"}
	for key, value := range m {
		if key != "replies" {
			one[key] = value
		}
	}
	b, err := json.Marshal(one)
	if err != nil {
		panic(err)
	}
	out := string(b) + "\n"
	replies, _ := m["replies"].([]object)
	for _, r := range replies {
		out += flat(tree, m["message_id"], r)
	}
	return out
}

// TestFlat reads the form with one message per line as the same trees, packed or not.
func TestFlat(t *testing.T) {
	trees := line("t", garden("t")) + line("u", garden("u"))
	messages := flat("t", nil, garden("t")) + flat("u", nil, garden("u"))
	want, _ := importertest.Read(t, Format(), path, []byte(trees))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(messages)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"messages.jsonl": []byte(messages), "ready.messages.jsonl.gz": packed.Bytes()} {
		if !Format().Sniff(name, data) {
			t.Errorf("%s is not recognised", name)
		}
		got, problems := importertest.Read(t, Format(), name, data)
		if len(got) != len(want) || len(problems) != 0 {
			t.Fatalf("%s: %d sessions, %v", name, len(got), problems)
		}
		for i := range got {
			if got[i].Shape() != want[i].Shape() || got[i].SourceID != want[i].SourceID || got[i].Head != want[i].Head || string(got[i].Meta) != string(want[i].Meta) ||
				string(got[i].Messages[3].Meta) != string(want[i].Messages[3].Meta) {
				t.Errorf("%s: %s of %s, want %s of %s", name, got[i].Shape(), got[i].Meta, want[i].Shape(), want[i].Meta)
			}
		}
	}
	importertest.Grow(t, Format(), "messages.jsonl", []byte(messages), []int{len(messages) / 3, len(messages) / 2, len(messages) - 5})
}

// TestFlatDamage reports messages that come back to a tree, and those without a place in it.
func TestFlatDamage(t *testing.T) {
	data := flat("t", nil, garden("t")) + flat("u", nil, garden("u")) + flat("t", "ta", say("late", "assistant", 0)) +
		flat("w", "w2", say("w1", "prompter", -1)) + flat("w", "w1", say("w2", "assistant", -1)) + flat("x", "gone", say("x1", "assistant", -1))
	all, problems := importertest.Read(t, Format(), path, []byte(data))
	if len(all) != 3 || len(problems) != 2 || !strings.Contains(problems[0].Message, "the tree t") || !strings.Contains(problems[1].Message, "lead back") {
		t.Errorf("%d sessions, %v", len(all), problems)
	}
}

func TestDamage(t *testing.T) {
	odd := garden("u")
	odd["replies"] = append(odd["replies"].([]object), say("ux", "moderator", -1, say("uy", "assistant", 0)), say("ua", "assistant", 2), say("", "assistant", 2))
	data := line("t", garden("t")) + "\n{bro\n" + `{"x":1}` + "\n" + line("u", odd) + line("v", garden("v"))[:50]
	all, problems := importertest.Read(t, Format(), path, []byte(data))
	if len(all) != 2 || len(problems) != 3 || problems[0].Line != 3 || problems[1].Line != 4 || problems[2].Line != 5 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	if u := all[1]; len(u.Messages) != 8 || len(u.Records) != 1 || u.Records[0].AfterUID != "u" || !strings.Contains(string(u.Records[0].Body), "uy") {
		t.Errorf("%s, %v", u.Shape(), u.Records)
	}
	// What is behind the cursor is read alone, and its lines are counted from the file's first.
	from := int64(len(line("t", garden("t"))))
	got := importertest.ReadFrom(t, Format(), path, []byte(line("t", garden("t"))+line("w", garden("w"))), from)
	if len(got) != 8 || got[0].UID != "w" {
		t.Errorf("%+v", got)
	}
}

func TestGrowth(t *testing.T) {
	var data []byte
	for i := range 4 {
		data = append(data, line(fmt.Sprint("t", i), garden(fmt.Sprint("t", i)))...)
	}
	n := len(data) / 4
	importertest.Grow(t, Format(), "trees.jsonl", data, []int{n / 2, n, n + 10, 2*n + 1, 4*n - 1})
}

// A file that was only touched changes nothing, though its time is that of its messages.
func TestTouched(t *testing.T) {
	db, at := importertest.Open(t), filepath.Join(t.TempDir(), "trees.jsonl")
	if err := os.WriteFile(at, []byte(line("t", garden("t"))), 0o600); err != nil {
		t.Fatal(err)
	}
	importertest.Import(t, db, Format(), at)
	before := importertest.Dump(t, db)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(at, later, later); err != nil {
		t.Fatal(err)
	}
	if r := importertest.Import(t, db, Format(), at); r.Unchanged != 1 || r.Updated != 0 || importertest.Dump(t, db) != before {
		t.Errorf("%+v", r)
	}
}

func TestPacked(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(line("t", garden("t")) + line("u", garden("u")))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if !Format().Sniff("trees.jsonl.gz", b.Bytes()[:b.Len()-20]) {
		t.Error("not known")
	}
	all, problems := importertest.Read(t, Format(), "trees.jsonl.gz", b.Bytes())
	if len(all) != 2 || len(problems) != 0 || all[1].Cursor.OffsetBytes != 0 {
		t.Errorf("%d sessions, %v", len(all), problems)
	}
	if _, problems = importertest.Read(t, Format(), "trees.jsonl.gz", b.Bytes()[:b.Len()-20]); len(problems) != 1 || !strings.Contains(problems[0].Message, "gzip") {
		t.Errorf("%v", problems)
	}
}

func TestSniff(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		want bool
	}{
		"tree": {line("t", garden("t")), true}, "cut": {line("t", garden("t"))[:200], true}, "a message": {`{"message_tree_id":"a","message_id":"b","text":"c"}`, false}, "codex": {`{"type":"message"}`, false},
		"words": {"prompt", false}, "broken gzip": {gzipMagic + "x", false},
	} {
		if got := Format().Sniff(path, []byte(c.data)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestTrees builds any tree and finds it again.
func TestTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt := say("m0", "prompter", -1)
		all, parents := []object{prompt}, map[string]string{"m0": ""}
		for i := range rapid.IntRange(0, 30).Draw(t, "replies") {
			m := say(fmt.Sprint("m", i+1), rapid.SampledFrom([]string{"assistant", "prompter"}).Draw(t, "role"), rapid.IntRange(-1, 3).Draw(t, "rank"))
			parent := rapid.SampledFrom(all).Draw(t, "parent")
			replies, _ := parent["replies"].([]object)
			parent["replies"] = append(replies, m)
			parents[m["message_id"].(string)] = parent["message_id"].(string)
			all = append(all, m)
		}
		s := importertest.One(t, Format(), path, []byte(line("t", prompt)))
		if len(s.Messages) != len(parents) {
			t.Fatalf("%d messages of %d", len(s.Messages), len(parents))
		}
		for _, m := range s.Messages {
			if m.ParentUID != parents[m.UID] {
				t.Fatalf("%s hangs on %s", m.UID, m.ParentUID)
			}
		}
	})
}

// counted is a message of a sample, counted without the importer.
type counted struct {
	ID      string    `json:"message_id"`
	Text    string    `json:"text"`
	Replies []counted `json:"replies"`
}

// TestSamples compares the trees with a count of the raw files. What is known of the real one is 100 trees with 260 forks.
func TestSamples(t *testing.T) {
	for _, path := range importertest.Samples(t, "openassistant-trees/*.jsonl") {
		got := compareTrees(t, importertest.File(t, path))
		want := [...]int{4, 32, 12, 4}
		if filepath.Base(path) != "trees.jsonl" {
			want = [...]int{100, 1167, 260, 6}
		}
		if got != want {
			t.Errorf("%s: trees, messages, forks and depth %v, want %v", path, got, want)
		}
	}
}

// compareTrees compares the trees of a file with a count of its lines, and returns their number, and that of messages, forks and levels.
func compareTrees(t *testing.T, data []byte) [4]int {
	t.Helper()
	all, problems := importertest.Read(t, Format(), path, data)
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	trees, messages, forks, depth := 0, 0, 0, 0
	for l := range strings.Lines(string(data)) {
		var tree struct {
			ID     string  `json:"message_tree_id"`
			Prompt counted `json:"prompt"`
		}
		if err := json.Unmarshal([]byte(l), &tree); err != nil {
			t.Fatal(err)
		}
		s := all[trees]
		leaves := int64(0)
		own := 0
		for level, deep := []counted{tree.Prompt}, 1; len(level) > 0; deep++ {
			var next []counted
			for _, m := range level {
				own++
				if len(m.Replies) > 1 {
					forks++
				}
				if len(m.Replies) == 0 {
					leaves++
				}
				if !slices.ContainsFunc(s.Messages, func(i core.IncomingMessage) bool { return i.UID == m.ID && i.Text() == m.Text }) {
					t.Fatalf("%s is missing", m.ID)
				}
				next = append(next, m.Replies...)
			}
			level, depth = next, max(depth, deep)
		}
		if got := s.Count(); s.SourceID != tree.ID || got.Messages != int64(own) || got.Branches != leaves {
			t.Errorf("%s: %+v, want %d messages and %d leaves", tree.ID, got, own, leaves)
		}
		trees, messages = trees+1, messages+own
	}
	if trees != len(all) {
		t.Errorf("%d trees of %d", len(all), trees)
	}
	return [...]int{trees, messages, forks, depth}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(line("t", garden("t")) + line("u", garden("u"))))
	f.Add([]byte(`{"message_tree_id":"a","prompt":{"message_id":"b","role":"prompter","replies":[{"message_id":"b","role":"x"},{"role":"assistant","rank":1e999}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		Format().Sniff(path, data)
		importertest.Read(t, Format(), path, data)
	})
}
