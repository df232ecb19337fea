package prose

import (
	"html"
	"strings"
	"testing"
	"unicode"
)

// TestHiddenCharactersAreVisible tests characters that reorder or hide text, written as themselves and as entities.
func TestHiddenCharactersAreVisible(t *testing.T) {
	r := New()
	for _, hidden := range []string{
		"\x1b", "\x00", "\x07", "\x7f", "\u0085", "\u009b", "\u202e", "\u202a", "\u2066", "\u2069", "\u2028", "\U000E0041",
		"&#x202e;", "&#8238;", "&#27;", "&#x1b;", "&#x9b;", "&#x2067;", "&#xE0041;",
	} {
		for _, source := range []string{
			"a " + hidden + "[31mb", "# a" + hidden + "b", "`a" + hidden + "b`", "```go " + hidden + "\nif a { //" + hidden + "\n```", "[a" + hidden + "](https://b.c '" + hidden + "')",
			"![a](b" + hidden + ".png)", "| a" + hidden + " |\n| - |\n| " + hidden + " |", "- [ ] " + hidden + "a", "> " + hidden + "a", "a[^x]\n\n[^x]: " + hidden,
			"[a]: https://b.c '" + hidden + "'", "<https://a.b/" + hidden + ">", "    code " + hidden,
		} {
			for format, page := range map[string]string{
				"HTML": html.UnescapeString(r.HTML(source, Options{ID: "m1-"})), "Markdown": html.UnescapeString(forge(t, r.Markdown(source, Options{ID: "m1-"}))),
			} {
				if at := strings.IndexFunc(page, reorders); at >= 0 {
					t.Errorf("%s of %q holds %q", format, source, page[at:])
				}
			}
		}
	}
}

// reorders reports whether a character changes the text that is read without being visible.
func reorders(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r > 0xe0000
}

// TestOtherScriptsReadAsBefore tests texts that need characters without a width.
func TestOtherScriptsReadAsBefore(t *testing.T) {
	r := New()
	for _, text := range []string{"שלום \u200f(עולם)\u200e", "مرحبا بالعالم", "می\u200cخواهم", "क\u094d\u200dष", "👩\u200d💻 👍🏽 ❤\ufe0f", "한국어", "ไทย\u200bไทย"} {
		if page := r.HTML(text, Options{}); !strings.Contains(page, text) {
			t.Errorf("HTML of %q: %s", text, page)
		}
		if markdown := r.Markdown(text, Options{}); markdown != text {
			t.Errorf("Markdown of %q: %q", text, markdown)
		}
	}
}
