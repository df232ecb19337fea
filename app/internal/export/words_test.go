package export

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/importertest"
	"coppice/backend/render"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose/wordtest"
	"coppice/backend/sqlite"
)

// TestNoWordOfAnySampleIsLost exports all samples in each format, scope and detail, and compares the words of the
// messages in the scope with those of the export.
func TestNoWordOfAnySampleIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all samples")
	}
	db, sessions := sampleLibrary(t)
	words := 0
	for _, session := range sessions {
		for _, scope := range []render.Scope{render.ScopePath, render.ScopeTree, render.ScopeTurn} {
			for _, detail := range []render.Detail{render.DetailFull, render.DetailCompact, render.DetailPrompts} {
				if session.MessageCount > 100 && scope != render.ScopeTree && detail == render.DetailCompact {
					continue // what it adds to the tree is the same as in small sessions
				}
				expected := wordsOf(t, db, session, scope, detail)
				for _, format := range []string{HTML, Markdown, Text} {
					words += expected.check(t, db, session, Plan{Format: format, Scope: string(scope), Detail: string(detail)})
				}
			}
		}
	}
	if words < 100_000 {
		t.Errorf("only %d words were compared", words)
	}
}

// sampleLibrary returns a library with all samples, and its sessions.
func sampleLibrary(t *testing.T) (*sqlite.DB, []core.Session) {
	t.Helper()
	db := apptest.OpenLibrary(t)
	im := importer.Importer{Library: db, Formats: formats.All()}
	if _, err := im.Import(t.Context(), importertest.SampleFolders(t), ""); err != nil {
		t.Fatal(err)
	}
	sessions, err := Everything(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return db, sessions
}

// expectation holds the texts that an export has to show: what was written, and what was abridged in formats for
// reading line by line.
type expectation struct{ texts, long []string }

// wordsOf returns the texts of the messages in a scope that the detail shows.
func wordsOf(t *testing.T, db *sqlite.DB, session core.Session, scope render.Scope, detail render.Detail) expectation {
	t.Helper()
	var e expectation
	answer := ""
	for m := range scoped(t, db, session, scope) {
		if err := db.Hydrate(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
		if m.IsPrompt() {
			e.texts = append(e.texts, answer)
			answer = ""
		}
		if m.Notice() != "" {
			continue
		}
		if detail == render.DetailPrompts && !m.IsPrompt() {
			if m.IsCall() && strings.TrimSpace(m.Text()) != "" && scope == render.ScopePath {
				answer = m.Text()
			}
			continue
		}
		e.add(&m, detail)
	}
	e.texts = append(e.texts, answer)
	return e
}

// add adds the texts of a message.
func (e *expectation) add(m *core.Message, detail render.Detail) {
	for i := range m.Parts {
		part := &m.Parts[i]
		isContext := part.Injected || m.Kind == core.KindMeta || m.Kind == core.KindCommand
		switch {
		case part.Type == core.PartText && !isContext, part.Type == core.PartSummary:
			e.texts = append(e.texts, part.Text)
		case detail != render.DetailFull:
		case part.Type == core.PartReasoning:
			e.texts = append(e.texts, part.Text)
		case part.Type == core.PartText:
			e.long = append(e.long, part.Text)
		}
	}
}

// scoped yields the messages of a scope.
func scoped(t *testing.T, db *sqlite.DB, session core.Session, scope render.Scope) iter.Seq[core.Message] {
	t.Helper()
	all := db.PathMessages(t.Context(), session.ID, "")
	if scope == render.ScopeTree {
		all = db.Messages(t.Context(), session.ID)
	}
	var messages []core.Message
	for m, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, m)
	}
	if scope == render.ScopeTurn && len(messages) > 0 {
		last := messages[len(messages)-1].Turn
		messages = slices.DeleteFunc(messages, func(m core.Message) bool { return m.Turn != last })
	}
	return slices.Values(messages)
}

// check exports the session, reports the words that are missing, and returns how many were compared.
func (e expectation) check(t *testing.T, db *sqlite.DB, session core.Session, plan Plan) int {
	t.Helper()
	var out bytes.Buffer
	plan.Sessions = []core.Session{session}
	if err := plan.To(t.Context(), db, &out); err != nil {
		t.Errorf("%s, %s %s %s: %v", session.Title, plan.Format, plan.Scope, plan.Detail, err)
		return 0
	}
	shown := out.String()
	if plan.Format == HTML {
		shown = wordtest.Page(shown)
	}
	shown = wordtest.Unescape(shown)
	has := wordtest.Count(wordtest.Split(shown))
	texts := e.texts
	for _, text := range e.long {
		if plan.Format != HTML {
			text = ends(plain.NewCleaner().Text(text))
		}
		texts = append(texts[:len(texts):len(texts)], text)
	}
	source := wordtest.Unescape(strings.Join(texts, "\n"))
	excused := labels(source)
	had := wordtest.Count(wordtest.Split(source))
	var lost []string
	for word, times := range had {
		if !excused[word] && has[word] < times && strings.Count(shown, word) < strings.Count(source, word) {
			lost = append(lost, word)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		t.Errorf("%s %s, %s %s %s lacks %d words: %.500q", session.ID, session.Title, plan.Format, plan.Scope, plan.Detail, len(lost), lost)
	}
	return len(had)
}

// ends returns the first and the last lines of a text, which formats that are read line by line show.
func ends(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > 40 {
		lines = append(lines[:30:30], lines[len(lines)-10:]...)
	}
	text = strings.Join(lines, "\n")
	return text[:min(len(text), 15<<10)]
}

// labels returns the words that only tie a link or a footnote to its definition.
func labels(source string) map[string]bool {
	excused := map[string]bool{}
	for _, label := range regexp.MustCompile(`\]\s?\[[^\]]*\]|(?m)^ {0,3}\[[^\]]*\]:|\[\^[^\]]*\]`).FindAllString(source, -1) {
		for _, word := range wordtest.Split(label) {
			excused[word] = true
		}
	}
	return excused
}
