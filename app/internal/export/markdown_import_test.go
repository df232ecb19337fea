package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/render"
	"coppice/backend/render/prose/wordtest"
	"coppice/backend/sqlite"
)

// checkMarkdown exports each sample as Markdown, imports it into an empty library, and compares structure and words.
func checkMarkdown(t *testing.T, db *sqlite.DB, sessions []core.Session) {
	messages := 0
	for _, scope := range []render.Scope{render.ScopeTree, render.ScopeAlternatives} {
		folder, other := t.TempDir(), apptest.OpenLibrary(t)
		for _, session := range sessions {
			throughMarkdown(t, db, other, session, Plan{Scope: string(scope)}, filepath.Join(folder, session.ID+".md"))
			messages += sameTree(t, db, other, session, scope)
		}
	}
	if messages < 3000 {
		t.Errorf("only %d messages were compared", messages)
	}
}

// throughMarkdown exports a session as Markdown and imports it into another library.
func throughMarkdown(t testing.TB, db, other *sqlite.DB, session core.Session, plan Plan, path string) {
	t.Helper()
	plan.Sessions, plan.Format = []core.Session{session}, Markdown
	if _, err := plan.ToPath(t.Context(), db, path); err != nil {
		t.Fatal(err)
	}
	im := importer.Importer{Library: other, Formats: formats.All()}
	report, err := im.Import(t.Context(), []string{path}, "")
	if err != nil || len(report.Problems) > 0 || report.Imported != 1 && session.MessageCount > 0 {
		t.Errorf("%s, %s: %+v, %v", session.ID, session.Title, report, err)
	}
}

// sameTree compares the messages of a session that are in both libraries, and returns their number.
func sameTree(t *testing.T, db, other *sqlite.DB, session core.Session, scope render.Scope) int {
	t.Helper()
	got := map[string]core.Message{}
	for m, err := range other.Messages(t.Context(), session.ID) {
		if err == nil {
			err = other.Hydrate(t.Context(), &m)
		}
		if err != nil {
			t.Errorf("%s: %v", session.Title, err)
			return 0
		}
		got[m.UID] = m
	}
	tree := apptest.Must(db.Tree(t.Context(), session.ID))(t)
	hidden := core.NewSkeleton(tree.Branches, tree.Turns).HiddenSet(core.Tops(tree.Hidden))
	compared := 0
	for m, err := range db.Messages(t.Context(), session.ID) {
		if err == nil {
			err = db.Hydrate(t.Context(), &m)
		}
		if err != nil {
			t.Fatal(err)
		}
		back, ok := got[m.UID]
		if !ok && (scope != render.ScopeTree || hidden.Hides(m.Position())) {
			continue
		}
		compared++
		if a, b := outline(&m), outline(&back); a != b {
			t.Errorf("%s, %s, m%d:\n%s\n%s", session.ID, session.Title, m.Seq, a, b)
		}
		if lost := lostWords(&m, &back); len(lost) > 0 {
			t.Errorf("%s, %s, m%d lacks %.300q", session.ID, session.Title, m.Seq, lost)
		}
	}
	if a, b := labelsOf(t, db, session), labelsOf(t, other, session); scope == render.ScopeTree && !maps.Equal(a, b) {
		t.Errorf("%s: labels %v, %v", session.Title, a, b)
	}
	return compared
}

func labelsOf(t *testing.T, db *sqlite.DB, session core.Session) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, turn := range apptest.Must(db.Tree(t.Context(), session.ID))(t).Turns {
		if turn.Label != "" {
			all[turn.FirstUID] = turn.Label
		}
	}
	return all
}

// outline describes the structure of a message: what a document must not lose.
func outline(m *core.Message) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s below %q %s %s %s %d", m.Role, m.Kind, m.ParentUID, m.Name, m.Agent, m.Model, m.CreatedAtMs)
	if m.Usage != nil {
		fmt.Fprintf(&out, " %d %d", m.Usage.InputTokens, m.Usage.OutputTokens)
	}
	if m.CostNanoUSD != nil {
		fmt.Fprintf(&out, " %d", *m.CostNanoUSD)
	}
	if m.Notice() != "" {
		return out.String()
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type == core.PartText && strings.TrimSpace(p.Text) == "" || p.Type == core.PartReasoning && strings.TrimSpace(p.Text) == "" && !p.Redacted {
			continue // not shown
		}
		fmt.Fprintf(&out, "; %s %s", p.Type, p.ID)
		if p.Type != core.PartOther {
			fmt.Fprintf(&out, " %s %v %v", p.Name, p.IsError, p.Injected)
		}
		for j := range p.Result {
			if p.Result[j].Type == core.PartMedia {
				out.WriteString(" with media " + p.Result[j].Media.Blob)
			}
		}
		if p.Media != nil {
			fmt.Fprintf(&out, " %s %s", p.Media.MimeType, p.Media.Blob)
		}
	}
	return out.String()
}

// lostWords returns the words of texts and short arguments that are missing.
func lostWords(m, back *core.Message) []string {
	source := wordtest.Unescape(textOf(m))
	excused := labels(source)
	shown := wordtest.Unescape(textOf(back))
	has := wordtest.Count(wordtest.Split(shown))
	var lost []string
	for word, times := range wordtest.Count(wordtest.Split(source)) {
		if !excused[word] && has[word] < times && strings.Count(shown, word) < strings.Count(source, word) {
			lost = append(lost, word)
		}
	}
	for i := range m.Parts {
		if len(m.Parts[i].Arguments) == 0 || len(m.Parts[i].Arguments) > 2000 {
			continue
		}
		if !slices.ContainsFunc(back.Parts, func(p core.Part) bool { return bytes.Equal(compact(p.Arguments), compact(m.Parts[i].Arguments)) }) {
			lost = append(lost, string(m.Parts[i].Arguments))
		}
	}
	slices.Sort(lost)
	return lost
}

// textOf returns the texts that a document shows from beginning to end.
func textOf(m *core.Message) string {
	var texts []string
	for i := range m.Parts {
		part := &m.Parts[i]
		isContext := part.Injected || m.Kind == core.KindMeta || m.Kind == core.KindCommand
		if part.Type == core.PartText || part.Type == core.PartSummary {
			if isContext && (strings.Count(part.Text, "\n") > 39 || len(part.Text) > 15<<10) {
				continue
			}
			texts = append(texts, part.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// compact returns JSON in one form.
func compact(data []byte) []byte {
	var value any
	if json.Unmarshal(data, &value) != nil {
		return data
	}
	out, err := json.Marshal(value)
	if err != nil {
		return data
	}
	return out
}

// TestMarkdownOfRandomTreesComesBack does so with random trees of texts that imitate marks and fences, for each scope.
func TestMarkdownOfRandomTreesComesBack(t *testing.T) {
	db, other, path := apptest.OpenLibrary(t), apptest.OpenLibrary(t), filepath.Join(t.TempDir(), "session.md")
	number := 0
	rapid.Check(t, func(r *rapid.T) {
		number++
		session := core.Session{ID: core.DerivedID(int64(1_790_000_000_000+number), fmt.Sprint(number)), Source: core.SourceCoppice, Title: hostileText(r, "title"), TitleOrigin: core.TitleUser}
		messages, labels := drawTree(r, number)
		in := core.Incoming{Header: core.Header{Session: session, Labels: labels}, Messages: func(yield func(core.IncomingMessage, error) bool) {
			for _, m := range messages {
				if !yield(core.IncomingMessage{Message: m}, nil) {
					return
				}
			}
		}}
		if _, err := core.Merge(t.Context(), db, in); err != nil {
			r.Fatal(err)
		}
		session = apptest.Must(db.Session(t.Context(), session.ID))(t)
		plan := Plan{Scope: rapid.SampledFrom([]string{"path", "alternatives", "tree"}).Draw(r, "scope")}
		throughMarkdown(t, db, other, session, plan, path)
		if got := sameTree(t, db, other, session, render.Scope(plan.Scope)); got == 0 {
			r.Errorf("nothing was compared")
		}
		if t.Failed() {
			r.Fatalf("%s", apptest.Must(os.ReadFile(path))(t))
		}
	})
}

// hostileText returns a text that imitates the structure of a document.
func hostileText(r *rapid.T, name string) string {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{
		"words", "## n7 · heading", "# one", "```", "````text", "~~~", "> quoted", "> ```", "- item", "  - ```go", "1. ```", "    indented", "<!-- note -->",
		`<!-- m1 {"uid":"x","role":"user"} -->`, `> <!-- m2 {"uid":"y","role":"user"} -->`, `<!-- part 0 {"type":"text"} -->`, "</details>", "<b>&lt;</b>", "",
		"| a | b |", "| --- | --- |", "[^1]: ```", "see[^1]", "*Reasoning*", "`` ` ``", "`<!-- note -->`", "---", "**You** · m3", "\u202e\u0000", "a\u2028b", "$$x$$",
	}), 1, 8).Draw(r, name)
	return "w " + strings.Join(lines, "\n") + " end"
}

// drawTree returns a random tree whose messages have texts, reasoning, calls and their results, and labels on its turns.
func drawTree(r *rapid.T, number int) (messages []core.Message, labels []core.Label) {
	say := func(parent string, role core.Role, parts ...core.Part) string {
		m := core.Message{
			UID: fmt.Sprintf("u%d-%d", number, len(messages)), ParentUID: parent, Role: role, Kind: core.KindMessage, Parts: parts, CreatedAtMs: int64(1_790_000_000_000 + len(messages)),
		}
		if role == core.RoleAssistant {
			m.Model, m.Usage = "model-1", &core.Usage{InputTokens: 7, OutputTokens: int64(len(messages))}
		}
		messages = append(messages, m)
		return m.UID
	}
	text := func(name string) core.Part { return core.Part{Type: core.PartText, Text: hostileText(r, name)} }
	for range rapid.IntRange(1, 6).Draw(r, "turns") {
		parent := ""
		if len(messages) > 0 && rapid.IntRange(0, 5).Draw(r, "root") > 0 {
			parent = rapid.SampledFrom(messages).Draw(r, "parent").UID
		}
		at := say(parent, core.RoleUser, text("prompt"))
		if rapid.Bool().Draw(r, "labelled") {
			labels = append(labels, core.Label{UID: at, Text: "label " + at, CreatedAtMs: 5})
		}
		if rapid.Bool().Draw(r, "calls") {
			id := fmt.Sprint("call", len(messages))
			call := core.Part{Type: core.PartToolCall, ID: id, Name: "Bash", Arguments: compact([]byte(fmt.Sprintf(`{"command":%q}`, "echo hello")))}
			at = say(at, core.RoleAssistant, core.Part{Type: core.PartReasoning, Text: hostileText(r, "reasoning")}, text("before"), call)
			at = say(at, core.RoleTool, core.Part{Type: core.PartToolResult, ID: id, Name: "Bash", IsError: rapid.Bool().Draw(r, "failed"), Result: []core.Part{text("output")}})
		}
		if rapid.Bool().Draw(r, "answered") {
			say(at, core.RoleAssistant, text("answer"))
		}
	}
	return messages, labels
}

// TestMarkdownWithQuotedAlternatives imports a document of an older version, which quoted alternatives.
func TestMarkdownWithQuotedAlternatives(t *testing.T) {
	const document = `---
format: coppice.markdown
version: 1
session: 0199f0c0-0000-7000-8000-000000000009
source: coppice
scope: alternatives
leaf: c
---

<!-- m0 {"uid":"a","role":"user","parent":"","turn":0} -->

The prompt

<!-- note -->

> **Alternative 1 of 2** · 1 message
>
> <!-- m1 {"uid":"b","role":"assistant","parent":"a","heading":4} -->
>
> The left answer
>
> with two paragraphs
>

<!-- m2 {"uid":"c","role":"assistant","parent":"a"} -->

The right answer
`
	db, path := apptest.OpenLibrary(t), filepath.Join(t.TempDir(), "old.md")
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	im := importer.Importer{Library: db, Formats: formats.All()}
	if report, err := im.Import(t.Context(), []string{path}, ""); err != nil || report.Imported != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	session := apptest.Must(db.Sessions(t.Context(), core.SessionFilter{}))(t)[0]
	for leaf, want := range map[string]string{"b": "The left answer\n\nwith two paragraphs", "c": "The right answer"} {
		path := apptest.Must(db.Window(t.Context(), session.ID, leaf, 0, 10))(t)
		if len(path.Messages) != 2 || path.Messages[1].Parts[0].Text != want {
			t.Errorf("%s: %+v", leaf, path.Messages)
		}
	}
}
