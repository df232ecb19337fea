package render

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"

	"coppice/backend/core"
)

// forge renders Markdown with HTML enabled, as the least careful site that shows an export would. It removes the HTML
// of task lists and alignment, which it writes itself.
func forge(t testing.TB, markdown string) string {
	t.Helper()
	var b strings.Builder
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := md.Convert([]byte(markdown), &b); err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`<input (checked="" )?disabled="" type="checkbox">| style="text-align:(left|right|center)"`)
	return own.ReplaceAllString(b.String(), "")
}

// TestAlternativesAreFoldedWhole ends an alternative with text that may leave a block open. What follows on the path is not folded with it.
func TestAlternativesAreFoldedWhole(t *testing.T) {
	for _, open := range []string{
		"```", "~~~~ sh\nx", "</details>", "<details>", "<!--", "<pre>", "<script>", "<?php", "<![CDATA[", "<!DOCTYPE", "> quote", "- list\n\n  - more", "1. one",
		"    code", "$$\nx", "[^1]: note", "| a |\n|---|\n| b", "`", "**", "[x](", "&lt;/details&gt;", "<!-- note -->", "# heading", "text\n===",
	} {
		f := newForest(core.Session{ID: "s"})
		root := f.add(t, "", said(core.RoleUser, text("root")))
		f.add(t, root, said(core.RoleAssistant, text("left inside\n\n"+open)))
		f.add(t, root, said(core.RoleAssistant, text("right after")))
		document, err := nethtml.Parse(strings.NewReader(forge(t, export(t, "md", f, ExportOptions{Scope: ScopeAlternatives}))))
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for node := range document.Descendants() {
			for _, words := range []string{"left inside", "right after"} {
				if node.Type == nethtml.TextNode && strings.TrimSpace(node.Data) == words && node.Parent.Data == "p" {
					found[words] = slices.ContainsFunc(slices.Collect(node.Ancestors()), func(above *nethtml.Node) bool { return above.Data == "details" })
				}
			}
		}
		if inside, ok := found["left inside"]; !inside {
			t.Errorf("%q: the alternative is not folded (found: %t)", open, ok)
		}
		if inside, ok := found["right after"]; inside || !ok {
			t.Errorf("%q: the path is folded, or missing (found: %t)", open, ok)
		}
	}
}
