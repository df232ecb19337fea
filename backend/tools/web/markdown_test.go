package web

import (
	"strings"
	"testing"
)

// The text of a page does not grow with its nesting, and what Markdown would escape stays as it is.
func TestHostileNesting(t *testing.T) {
	t.Parallel()
	at, err := ParseAddress("https://example.org")
	if err != nil {
		t.Fatal(err)
	}
	for _, begin := range []string{"<blockquote>", "<ul><li>", "<h1><a href=x>", "<b>", "<table><tr><td>"} {
		page := strings.Repeat(begin, 300/strings.Count(begin, "<")) + strings.Repeat("x<br>", 2000)
		text, err := markdownOf(t.Context(), []byte(page), at)
		if err != nil || !strings.Contains(text, "x") || len(text) > 20*len(page) {
			t.Errorf("%s: %d bytes become %d, %v", begin, len(page), len(text), err)
		}
	}
	if text, err := markdownOf(t.Context(), []byte("<p>a_b * c [d] # e</p><p>1. x</p>"), at); err != nil || text != "a_b * c [d] # e\n\n1. x" {
		t.Errorf("%q, %v", text, err)
	}
}
