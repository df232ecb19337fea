package render

import (
	"bytes"
	"strings"
	"testing"

	"coppice/backend/core"
)

// An excerpt is for pasting: it has the text of the turn, and neither front matter nor marks.
func TestExcerpt(t *testing.T) {
	f := newForest(core.Session{ID: "s", Title: "A title"})
	first := f.add(t, "", said(core.RoleUser, text("The first prompt")))
	f.add(t, f.add(t, first, said(core.RoleAssistant, text("I look."), calls("c1", "Bash", `{"command":"ls"}`))), said(core.RoleTool, answers("c1", text("a.go"))))
	f.add(t, f.session.HeadUID, said(core.RoleUser, text("The second prompt")))
	var out bytes.Buffer
	if err := New().Markdown(t.Context(), &out, f, "s", ExportOptions{Scope: ScopeTurn, LeafUID: first, IsExcerpt: true}); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{"The first prompt", "I look.", "<b>Bash</b>", "a.go"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, other := range []string{"<!--", "The second prompt", "coppice.markdown", "Exported", "<a id"} {
		if strings.Contains(got, other) {
			t.Errorf("%q in\n%s", other, got)
		}
	}
}
