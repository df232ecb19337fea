package render

import (
	"strings"
	"testing"

	"coppice/backend/core"
)

const limitText = "The tool reported an error: usage *limit* reached"

// noticed returns a prompt with injected text and an error as its answer.
func noticed(t *testing.T) *forest {
	f := newForest(core.Session{ID: "s"})
	injected := text("<ide_selection>two lines</ide_selection>")
	injected.Injected = true
	f.add(t, f.add(t, "", said(core.RoleUser, injected, text("mend **it**"))), core.Message{
		Role: core.RoleSystem, Kind: core.KindMeta, Error: "usage *limit* reached", Parts: []core.Part{text(limitText)},
	})
	return f
}

// TestNotice shows an error of the tool as one quiet line, in the window and in exports.
func TestNotice(t *testing.T) {
	m := view(t, noticed(t), 0, 0).Messages[1]
	if len(m.Blocks) != 1 || m.Blocks[0].Type != BlockNotice || m.Blocks[0].Text != limitText || m.Error != "" {
		t.Errorf("window %+v", m)
	}
	for format, want := range map[string]string{"html": `<p class="quiet" dir="auto">` + limitText + `</p>`, "md": `*The tool reported an error: usage \*limit\* reached*`} {
		if got := export(t, format, noticed(t), ExportOptions{Scope: ScopePath}); strings.Count(got, want) != 1 || strings.Contains(got, "Error:**") {
			t.Errorf("%s lacks %s:\n%s", format, want, got)
		}
	}
}

// TestInjected folds text that a tool added to the user's words.
func TestInjected(t *testing.T) {
	m := view(t, noticed(t), 0, 0).Messages[0]
	if len(m.Blocks) != 2 || m.Blocks[0].Type != BlockMeta || m.Blocks[1].Type != BlockProse {
		t.Errorf("window %+v", m.Blocks)
	}
	if got := export(t, "html", noticed(t), ExportOptions{Scope: ScopePath}); !strings.Contains(got, `<details class="context">`) {
		t.Errorf("html:\n%s", got)
	}
	if got := export(t, "md", noticed(t), ExportOptions{Scope: ScopePath}); !strings.Contains(got, "```text\n<ide_selection>") {
		t.Errorf("markdown:\n%s", got)
	}
}
