package claudecode

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

// document puts the records of lines into one object, the form of sessions on the web.
func document(t *testing.T, lines []byte) []byte {
	t.Helper()
	var all struct {
		Loglines []json.RawMessage `json:"loglines"`
	}
	for l := range bytes.Lines(lines) {
		all.Loglines = append(all.Loglines, l)
	}
	doc, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(doc, '\n')
}

// TestDocumentIsTheSameSession reads the same records from a document and from lines.
func TestDocumentIsTheSameSession(t *testing.T) {
	var s script
	s.turn("1", s.user("q0", "", "hello"))
	s.result("r", s.calls("c", "a1", "m", "t"), "t")
	s.rewound("a1")
	s.turn("2", "a1")
	doc := document(t, s.lines)
	if f := Format(); !f.Sniff("x.json", doc) || !f.Sniff("x.json", doc[:len(doc)/2]) {
		t.Error("a document is not recognised")
	}
	want, _ := readings(t, "/p/"+scriptSession+".jsonl", s.lines, 0)
	got, problems := readings(t, "/p/session_01.json", doc, 0)
	if len(got) != 1 || len(problems) != 0 {
		t.Fatalf("%d sessions, %v", len(got), problems)
	}
	if got[0].SourceID != want[0].SourceID || got[0].ID != want[0].ID || got[0].shape() != want[0].shape() || got[0].head != want[0].head {
		t.Errorf("got  %s %s\nwant %s %s", got[0].SourceID, got[0].shape(), want[0].SourceID, want[0].shape())
	}
	if got[0].cursor == nil || got[0].cursor.OffsetBytes != 0 {
		t.Errorf("cursor %+v: a document does not grow at its end", got[0].cursor)
	}
}

// TestDamagedDocument keeps what precedes the damage, and reports its position.
func TestDamagedDocument(t *testing.T) {
	var s script
	s.says("a", s.user("q", "", "hello"), "hi")
	doc := document(t, s.lines)
	cut := bytes.LastIndex(doc, []byte(`"sessionId"`))
	got, problems := readings(t, "/p/x.json", doc[:cut], 0)
	if len(got) != 1 || len(got[0].messages) != 1 || len(problems) != 1 || problems[0].Line < 20 {
		t.Errorf("%d sessions, problems %+v", len(got), problems)
	}
	odd := []byte("{\n\"loglines\": [\n{\"type\":\"user\",\"message\":{\"content\":\"x\"}},\n7,\n{\"type\":\"user\"}]}")
	_, problems = readings(t, "/p/x.json", odd, 0)
	if len(problems) != 2 || problems[0].Line != 4 || problems[1].Line != 5 {
		t.Errorf("problems %+v", problems)
	}
}

// TestWebSample counts a session of the web in its raw file.
func TestWebSample(t *testing.T) {
	path := filepath.Join("..", "..", "..", "..", "shared", "samples", "claude-web", "simonw-sample_session.json")
	if len(samples(t, "../claude-web/*.json")) == 0 {
		importertest.LeaveOut(t)
	}
	all, problems := readFile(t, path)
	if len(all) != 1 || len(problems) != 0 {
		t.Fatalf("%d sessions, %v", len(all), problems)
	}
	got := countReading(all[0])
	if got.messages != 33 || len(got.calls) != 12 || len(got.results) != 12 {
		t.Errorf("%d messages, %d calls, %d results", got.messages, len(got.calls), len(got.results))
	}
	summaries := 0
	for _, m := range all[0].messages {
		if m.Kind == core.KindCompaction {
			summaries++
		}
	}
	if r := all[0]; summaries != 1 || r.Title != "Create a simple Python function to add two numbers" || strings.Contains(r.shape(), "(") {
		t.Errorf("%d summaries, %q, %s", summaries, r.Title, r.shape())
	}
}
