package render

import (
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
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
