package export

import (
	"bytes"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/render/redact"
)

// TestPreviewListsWhatIsReplaced compares the preview of each format with what its export replaces.
func TestPreviewListsWhatIsReplaced(t *testing.T) {
	db := plantedLibrary(t)
	session := apptest.Must(db.Session(t.Context(), "01930000-0000-7000-8000-00000000000a"))(t)
	for _, format := range []string{Markdown, HTML, Text, JSON, Lines} {
		plan := Plan{Sessions: []core.Session{session}, Format: format, Scope: "tree", Words: []string{"about"}}
		findings := apptest.Must(plan.Preview(t.Context(), db))(t)
		kinds, address := map[redact.Kind]int64{}, ""
		for _, f := range findings {
			kinds[f.Kind] += f.Count
			if f.Value == "ann@example.org" {
				address = f.ID
			}
			if f.Count < 1 || len(f.Places) == 0 || len(f.Places) > maxPlaces || f.Places[0].Session != session.ID || f.Kept {
				t.Errorf("%s: %+v", format, f)
			}
		}
		if kinds[redact.Secret] == 0 || kinds[redact.Email] == 0 || kinds[redact.Home] == 0 || kinds[redact.Word] == 0 {
			t.Errorf("%s: %v", format, kinds)
		}
		plan.Redact, plan.Keep = true, []string{address}
		var out bytes.Buffer
		if err := plan.To(t.Context(), db, &out); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !strings.Contains(text, "ann@example.org") || strings.Contains(text, "correct-horse") || strings.Contains(text, " about ") {
			t.Errorf("%s does not replace what the preview lists", format)
		}
		for _, f := range apptest.Must(plan.Preview(t.Context(), db))(t) {
			if f.Kept != (f.ID == address) {
				t.Errorf("%s: %+v", format, f)
			}
		}
	}
}
