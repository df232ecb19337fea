package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"testing"

	"coppice/backend/core"
)

// TestTablesOfAllSamples exports all samples as spans and as usage, and compares them with the messages of the library.
func TestTablesOfAllSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all samples")
	}
	db, sessions := sampleLibrary(t)
	answers, calls := 0, 0
	for _, session := range sessions {
		tree, err := db.Tree(t.Context(), session.ID)
		if err != nil {
			t.Fatal(err)
		}
		for m, err := range (Plan{}).messages(t.Context(), db, tree, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if !m.IsCall() {
				continue
			}
			answers++
			ids := map[string]bool{}
			for _, p := range m.Parts {
				if p.Type == core.PartToolCall && !ids[p.ID] {
					ids[p.ID] = true
					calls++
				}
			}
		}
	}
	var table bytes.Buffer
	if err := (Plan{Sessions: sessions, Format: Usage}).To(t.Context(), db, &table); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(rows) != answers+1 {
		t.Errorf("%d rows of %d answers, %v", len(rows), answers, err)
	}
	var spans bytes.Buffer
	if err := (Plan{Sessions: sessions, Format: Spans}).To(t.Context(), db, &spans); err != nil {
		t.Fatal(err)
	}
	checkSpans(t, spans.Bytes(), answers, calls)
	var lines bytes.Buffer
	if err := (Plan{Sessions: sessions, Format: Lines}).To(t.Context(), db, &lines); err != nil {
		t.Fatal(err)
	}
	checkLines(t, lines.Bytes(), answers, calls)
}

// The gates of Session-Bench that a stored session can pass or fail: at least a quarter of the bytes is what was written, and no record
// has more than 25 KB besides.
const (
	leastContentPercent = 25
	mostBookkeeping     = 25_000
)

// checkLines checks the JSON lines of a library as a reader without knowledge of Coppice would: with grep and a JSON parser.
func checkLines(t *testing.T, data []byte, answers, calls int) {
	t.Helper()
	type line struct {
		core.Message
		Format  string
		Version int
	}
	seen, content, foundAnswers, foundCalls := map[string]bool{"": true}, 0, 0, 0
	for raw := range bytes.Lines(data) {
		var l line
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatal(err)
		}
		switch {
		case l.Format != "":
			if l.Version == 0 || len(raw) > mostBookkeeping {
				t.Errorf("a head of %d bytes, version %d", len(raw), l.Version)
			}
			seen = map[string]bool{"": true}
			continue
		case l.UID == "":
			continue
		case !seen[l.ParentUID]:
			t.Fatalf("%s comes before its parent", l.UID)
		}
		seen[l.UID] = true
		written := contentBytes(l.Parts)
		content += written
		if rest := len(raw) - written; rest > mostBookkeeping {
			t.Errorf("%s has %d bytes besides its content", l.UID, rest)
		}
		if !l.IsCall() {
			continue
		}
		foundAnswers++
		ids := map[string]bool{}
		for _, p := range l.Parts {
			if p.Type == core.PartToolCall && !ids[p.ID] {
				ids[p.ID] = true
				foundCalls++
			}
		}
	}
	if percent := content * 100 / len(data); percent < leastContentPercent {
		t.Errorf("%d %% of the bytes are content", percent)
	}
	if foundAnswers < answers || foundCalls < calls { // the lines hold the trash, too
		t.Errorf("%d answers of %d, %d calls of %d", foundAnswers, answers, foundCalls, calls)
	}
}

// contentBytes returns the size of what was written: texts, arguments, results, and the blocks of providers.
func contentBytes(parts []core.Part) int {
	n := 0
	for _, p := range parts {
		n += len(p.Text) + len(p.Arguments) + len(p.Structured) + len(p.Native) + contentBytes(p.Result)
	}
	return n
}

func checkSpans(t *testing.T, data []byte, answers, calls int) {
	t.Helper()
	var doc struct {
		ResourceSpans []struct {
			ScopeSpans []struct {
				Spans []struct {
					SpanID, ParentSpanID string
					Kind                 int
				}
			}
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	chats, tools := 0, 0
	for _, resource := range doc.ResourceSpans {
		ids := map[string]bool{}
		for _, s := range resource.ScopeSpans[0].Spans {
			if ids[s.SpanID] {
				t.Errorf("span %s twice", s.SpanID)
			}
			ids[s.SpanID] = true
			switch {
			case s.Kind == 3:
				chats++
			case s.ParentSpanID != "":
				tools++
			}
		}
		for _, s := range resource.ScopeSpans[0].Spans {
			if s.ParentSpanID != "" && !ids[s.ParentSpanID] {
				t.Errorf("the parent of span %s is missing", s.SpanID)
			}
		}
	}
	if chats != answers || tools != calls {
		t.Errorf("%d answers of %d, %d calls of %d", chats, answers, tools, calls)
	}
}
