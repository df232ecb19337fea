package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"coppice/backend/core"
)

// TestSectionsAreGrouped exports a tree with a long branch and many short ones, as one page and as several: no element has many sections
// to be visited, and groups end where strands and pages end.
func TestSectionsAreGrouped(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	root := f.add(t, "", said(core.RoleUser, text("root")))
	for fork := range 300 { // in the middle, so that pages end in groups of them too
		f.add(t, f.add(t, root, said(core.RoleUser, text(fmt.Sprint("fork ", fork)))), said(core.RoleAssistant, text("left")))
	}
	for range 2 { // a long branch, and the path to the head
		parent := root
		for range 1500 {
			parent = f.add(t, parent, said(core.RoleAssistant, text("step")))
		}
	}
	options := ExportOptions{Scope: ScopeTree}
	var one bytes.Buffer
	if err := shared().HTML(t.Context(), &one, f, "s", options); err != nil {
		t.Fatal(err)
	}
	pages := map[string]*bytes.Buffer{"one page": &one}
	next := func(name string) (io.Writer, error) {
		pages[name] = &bytes.Buffer{}
		return pages[name], nil
	}
	if err := shared().HTMLFolder(t.Context(), next, f, "s", 700, options); err != nil {
		t.Fatal(err)
	}
	if len(pages) != 8 {
		t.Errorf("%d pages", len(pages))
	}
	for name, page := range pages {
		if opened, closed := strings.Count(page.String(), "<div"), strings.Count(page.String(), "</div>"); opened != closed {
			t.Errorf("%s opens %d elements and closes %d", name, opened, closed)
		}
		document, err := nethtml.Parse(page)
		if err != nil {
			t.Fatal(err)
		}
		for node := range document.Descendants() {
			sections := 0
			for child := range node.ChildNodes() {
				if strings.HasPrefix(class(child), "range ") || class(child) == "strand" {
					sections++
				}
			}
			if sections > groupMessages/sectionMessages {
				t.Errorf("%s: %d sections below <%s class=%q>", name, sections, node.Data, class(node))
			}
			if class(node) == "strand" && class(node.Parent) == "strand" {
				t.Errorf("%s: a strand is inside of another", name)
			}
		}
	}
}

func class(node *nethtml.Node) string {
	for _, attribute := range node.Attr {
		if attribute.Key == "class" {
			return attribute.Val
		}
	}
	return ""
}

func TestSizeClass(t *testing.T) {
	for messages, want := range map[int64]int64{0: 0, 1: 0, 2: 1, 8: 3, 9: 4, sectionMessages: 6, groupMessages: 10} {
		if got := sizeClass(messages); got != want {
			t.Errorf("%d messages: %d, want %d", messages, got, want)
		}
		if style := fmt.Sprintf(".r%d {", want); !strings.Contains(exportSheet, style) {
			t.Errorf("no style %s", style)
		}
	}
}
