package claudecode

import (
	"slices"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const (
	openedText    = "<ide_opened_file>The user opened the file /home/ada/fence.md in the IDE. This may or may not be related.</ide_opened_file>"
	selectionText = "<ide_selection>The user selected the lines 1 to 2 from /home/ada/fence.md:\npost\nrail</ide_selection>"
)

// TestInjected checks that what an editor puts before the user's words is neither title nor preview, and stays marked.
func TestInjected(t *testing.T) {
	block := func(text string) fieldsOf { return fieldsOf{"type": "text", "text": text} }
	for _, test := range []struct {
		name     string
		content  any
		want     []string // the parts' texts
		injected []bool
		title    string
		isPrompt bool
	}{
		{"a block beside the words", []any{block(openedText), block("mend the fence")}, []string{openedText, "mend the fence"}, []bool{true, false}, "mend the fence", true},
		{"in one text with the words", openedText + "\n" + selectionText + "\nmend the fence", []string{openedText, selectionText, "mend the fence"}, []bool{true, true, false}, "mend the fence", true},
		{"alone", []any{block(openedText)}, []string{openedText}, []bool{false}, "", false},
		{"before a command", []any{block(openedText), block("<command-name>/clear</command-name>")}, []string{openedText, "<command-name>/clear</command-name>"}, []bool{false, false}, "/clear", false},
		{"the user's own words about it", "what is <ide_selection>?", []string{"what is <ide_selection>?"}, []bool{false}, "what is <ide_selection>?", true},
		{"not closed", "<ide_selection> is open", []string{"<ide_selection> is open"}, []bool{false}, "<ide_selection> is open", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &script{}
			s.record("q", "", fieldsOf{"type": "user", "message": fieldsOf{"role": "user", "content": test.content}})
			s.says("a", "q", "done")
			r := importertest.One(t, Format(), scriptSession+".jsonl", s.lines)
			m := r.Messages[0]
			var texts []string
			var injected []bool
			for _, p := range m.Parts {
				texts, injected = append(texts, p.Text), append(injected, p.Injected)
			}
			if !slices.Equal(texts, test.want) || !slices.Equal(injected, test.injected) {
				t.Errorf("parts %q %v", texts, injected)
			}
			if r.Title != test.title || m.IsPrompt() != test.isPrompt {
				t.Errorf("title %q, prompt %v", r.Title, m.IsPrompt())
			}
			if test.isPrompt && m.Preview(100) != test.title {
				t.Errorf("preview %q", m.Preview(100))
			}
			if m.UID != "q" {
				t.Errorf("uid %s", m.UID)
			}
		})
	}
}

// TestInjectedPreview checks the preview of the library, which lists show.
func TestInjectedPreview(t *testing.T) {
	m := core.Message{Parts: []core.Part{{Type: core.PartText, Text: openedText, Injected: true}}}
	if m.Preview(40) == "" {
		t.Error("a message of injected text alone has no preview")
	}
}
