package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// checkTables exports all samples as spans and as usage, and compares them with the messages of the library.
func checkTables(t *testing.T, db *sqlite.DB, sessions []core.Session) {
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
