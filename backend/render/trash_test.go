package render

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
)

// TestExportsHoldNothingOfTheTrash hides a turn below a branch and the branch of another, and searches every export for
// their words.
func TestExportsHoldNothingOfTheTrash(t *testing.T) {
	const secret = "xyzzy"
	f := newForest(core.Session{ID: "0199f0c0-0000-7000-8000-000000000003", Title: "Trash", Source: core.SourceClaudeCode})
	first := f.add(t, "", said(core.RoleUser, text("first")))
	answer := f.add(t, first, said(core.RoleAssistant, text("answer")))
	second := f.add(t, answer, said(core.RoleUser, text("second")))
	end := f.add(t, second, said(core.RoleAssistant, text("end")))
	beside := f.add(t, answer, said(core.RoleUser, text("beside")))
	reply := f.add(t, beside, said(core.RoleAssistant, text("reply")))
	below := f.add(t, reply, said(core.RoleUser, text(secret+" below")))
	f.add(t, below, said(core.RoleAssistant, text(secret+" reply")))
	whole := f.add(t, answer, said(core.RoleUser, text(secret+" branch")))
	f.add(t, whole, said(core.RoleAssistant, text(secret+" end")))
	root := f.add(t, "", said(core.RoleUser, text(secret+" root")))
	f.session.HeadUID = end
	f.labels = []core.Label{{Turn: f.messages[f.bySeq[below]].Turn, UID: below, Text: secret + " label"}}
	for _, uid := range []string{below, whole, root} {
		at := f.place(uid)
		f.hidden = append(f.hidden, core.HiddenTop{Branch: at.Branch, Depth: at.Depth, UID: uid})
	}
	for _, format := range []string{"html", "md"} {
		for _, scope := range []Scope{ScopePath, ScopeAlternatives, ScopeTree} {
			for name, leaf := range map[string]string{"head": "", "beside the trash": reply} {
				page := export(t, format, f, ExportOptions{Scope: scope, LeafUID: leaf})
				if at := strings.Index(page, secret); at >= 0 {
					t.Errorf("%s, %s, %s: …%s", format, scope, name, page[max(at-300, 0):at+40])
				}
				if dead := deadLinks(page); dead != nil {
					t.Errorf("%s, %s, %s: links to %v, which the export does not hold", format, scope, name, dead)
				}
			}
		}
	}
}

// deadLinks returns the fragments that links of a page, or of Markdown, lead to and that do not exist.
func deadLinks(page string) []string {
	ids := map[string]bool{}
	for _, id := range regexp.MustCompile(`\bid="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		ids[id[1]] = true
	}
	var dead []string
	for _, link := range regexp.MustCompile(`(?:href="|\]\()#([a-z0-9-]+)`).FindAllStringSubmatch(page, -1) {
		if !ids[link[1]] && !slices.Contains(dead, link[1]) {
			dead = append(dead, link[1])
		}
	}
	return dead
}
