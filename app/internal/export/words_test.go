package export

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose/wordtest"
	"coppice/backend/sqlite"
)

// variant is a format with a scope and a detail.
type variant struct {
	format string
	scope  render.Scope
	detail render.Detail
}

// variants returns all variants, so that those of one format follow each other, and their scopes alternate.
func variants() (all []variant) {
	for _, format := range []string{HTML, Markdown, Text} {
		for _, detail := range []render.Detail{render.DetailFull, render.DetailCompact, render.DetailPrompts} {
			for _, scope := range []render.Scope{
				render.ScopePath, render.ScopeAlternatives, render.ScopeBranches, render.ScopeTurn, render.ScopeTurns, render.ScopeTree,
			} {
				all = append(all, variant{format, scope, detail})
			}
		}
	}
	return all
}

// checkWords exports all samples, each in some of the variants so that each variant occurs with small and with large sessions, and
// compares the words of the messages in the scope with those of the export. The whole tree of each session is exported in full.
func checkWords(t *testing.T, db *sqlite.DB, sessions []core.Session) {
	all, words, compared := variants(), map[bool]map[variant]int{false: {}, true: {}}, 0
	next, large := map[bool]int{}, 0
	for i, session := range sessions {
		isLarge, times := session.MessageCount > 100, len(all)/4
		if isLarge {
			times = len(all) / 9
			large++
		}
		chosen := []variant{{[]string{HTML, Markdown, Text}[i%3], render.ScopeTree, render.DetailFull}}
		for range times {
			chosen = append(chosen, all[next[isLarge]%len(all)])
			next[isLarge]++
		}
		stored := storedMessages(t, db, session)
		for _, v := range chosen {
			plan := Plan{Format: v.format, Scope: string(v.scope), Detail: string(v.detail)}
			messages, ok := scoped(slices.Clone(stored), session.HeadUID, &plan)
			if !ok {
				continue
			}
			n := wordsOf(messages, v).check(t, db, session, plan)
			words[isLarge][v] += n
			compared += n
		}
	}
	if compared < 100_000 {
		t.Errorf("only %d words were compared", compared)
	}
	for _, v := range all {
		if words[false][v] == 0 || large >= 10 && words[true][v] == 0 {
			t.Errorf("no word was compared in %+v: %d of small sessions, %d of large ones", v, words[false][v], words[true][v])
		}
	}
}

// expectation holds the texts that an export has to show: what was written, and what was abridged in formats for
// reading line by line.
type expectation struct{ texts, long []string }

// wordsOf returns the texts of messages that the detail shows.
func wordsOf(messages []core.Message, v variant) expectation {
	var e expectation
	answer := ""
	for _, m := range messages {
		if m.IsPrompt() {
			e.texts = append(e.texts, answer)
			answer = ""
		}
		if m.Notice() != "" {
			continue
		}
		if v.detail == render.DetailPrompts && !m.IsPrompt() {
			isPath := v.scope == render.ScopePath || v.scope == render.ScopeTurn || v.scope == render.ScopeTurns
			if m.IsCall() && strings.TrimSpace(m.Text()) != "" && isPath {
				answer = m.Text()
			}
			continue
		}
		e.add(&m, v.detail)
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

// storedMessages returns the messages of a session with their whole texts.
func storedMessages(t *testing.T, db *sqlite.DB, session core.Session) (all []core.Message) {
	t.Helper()
	for m, err := range db.Messages(t.Context(), session.ID) {
		if err == nil {
			err = db.Hydrate(t.Context(), &m)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// scoped returns those of all messages that are in the scope of a plan, and completes the plan; false if there are too few of them for
// the scope.
func scoped(all []core.Message, head string, plan *Plan) ([]core.Message, bool) {
	path := pathOf(all, head)
	switch render.Scope(plan.Scope) {
	case render.ScopeTree:
		return all, true
	case render.ScopePath:
		return path, true
	case render.ScopeAlternatives:
		return append(path, besidePath(all, path)...), true
	case render.ScopeBranches:
		return chosenPaths(all, plan), true
	case render.ScopeTurn:
		if len(path) == 0 {
			return nil, false
		}
		last := path[len(path)-1].Turn
		return slices.DeleteFunc(path, func(m core.Message) bool { return m.Turn != last }), true
	default: // some turns
		first := slices.IndexFunc(path, func(m core.Message) bool { return m.IsPrompt() && m.Turn > 0 })
		if first < 0 {
			return nil, false
		}
		plan.From = path[first].UID
		return path[first:], true
	}
}

// pathOf returns the messages from the root to a message.
func pathOf(all []core.Message, uid string) (path []core.Message) {
	byUID := map[string]core.Message{}
	for _, m := range all {
		byUID[m.UID] = m
	}
	for ; uid != ""; uid = byUID[uid].ParentUID {
		path = append(path, byUID[uid])
	}
	slices.Reverse(path)
	return path
}

// besidePath returns the alternatives to messages of a path, each with what continues its branch.
func besidePath(all, path []core.Message) (beside []core.Message) {
	on, parents, branch := map[string]bool{}, map[string]bool{}, map[string]int64{}
	for _, m := range path {
		on[m.UID], parents[m.ParentUID] = true, true
	}
	for _, m := range all {
		of, continues := branch[m.ParentUID]
		if !on[m.UID] && (parents[m.ParentUID] || continues && of == m.Branch) {
			beside = append(beside, m)
			branch[m.UID] = m.Branch
		}
	}
	return beside
}

// chosenPaths sets the leaves of the plan to up to three of all, and returns the messages of their paths.
func chosenPaths(all []core.Message, plan *Plan) (chosen []core.Message) {
	parents, leaves := map[string]bool{}, []string{}
	for _, m := range all {
		parents[m.ParentUID] = true
	}
	for _, m := range all {
		if !parents[m.UID] {
			leaves = append(leaves, m.UID)
		}
	}
	if n := len(leaves); n > 3 {
		leaves = []string{leaves[0], leaves[n/2], leaves[n-1]}
	}
	plan.Leaves = leaves
	has := map[string]bool{}
	for _, leaf := range leaves {
		for _, m := range pathOf(all, leaf) {
			if !has[m.UID] {
				has[m.UID] = true
				chosen = append(chosen, m)
			}
		}
	}
	return chosen
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
