package claudecode

import (
	"bytes"
	"encoding/json"
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

// TestWebSample compares the sessions of the web with a count of their records.
func TestWebSample(t *testing.T) {
	for _, path := range importertest.Samples(t, "claude-web/*.json") {
		all, problems := readFile(t, path)
		if len(all) != 1 || len(problems) != 0 {
			t.Fatalf("%s: %d sessions, %v", path, len(all), problems)
		}
		lines, summaries := recordsOf(t, path)
		want, got := countTruth(lines), countReading(all[0])
		if got.messages != want.messages || len(got.calls) != len(want.calls) || len(got.results) != len(want.results) || got.words != want.words {
			t.Errorf("%s: %d messages, %d calls, %d results, %d characters; the file holds %d, %d, %d, %d", path,
				got.messages, len(got.calls), len(got.results), got.words, want.messages, len(want.calls), len(want.results), want.words)
		}
		for _, m := range all[0].messages {
			if m.Kind == core.KindCompaction {
				summaries--
			}
		}
		if r := all[0]; summaries != 0 || r.Title == "" || strings.Contains(r.shape(), "(") {
			t.Errorf("%s: %d summaries too few, %q, %s", path, summaries, r.Title, r.shape())
		}
	}
}

// recordsOf returns the records of a document as lines, and how many of them are summaries of a compaction.
func recordsOf(t *testing.T, path string) (lines []byte, summaries int) {
	t.Helper()
	var doc struct {
		Records []json.RawMessage `json:"loglines"`
	}
	if err := json.Unmarshal(importertest.File(t, path), &doc); err != nil || len(doc.Records) == 0 {
		t.Fatalf("%d records, %v", len(doc.Records), err)
	}
	for _, raw := range doc.Records {
		var flat bytes.Buffer
		if err := json.Compact(&flat, raw); err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, flat.Bytes()...), '\n')
		if bytes.Contains(flat.Bytes(), []byte(`"isCompactSummary":true`)) {
			summaries++
		}
	}
	return lines, summaries
}
