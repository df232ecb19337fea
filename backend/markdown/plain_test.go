package markdown_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/markdown"
)

func TestPlain(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"", ""},
		{"Write a note", "Write a note"},
		{"*(scripted answer, no model was called)* You wrote:", "(scripted answer, no model was called) You wrote:"},
		{"**Done.** Two files, *both* small, ***all*** tested", "Done. Two files, both small, all tested"},
		{"a **bold *and* slanted** word", "a bold and slanted word"},
		{"## What I found ## here", "What I found ## here"},
		{"> > quoted", "quoted"},
		{"#1 is broken", "#1 is broken"},
		{"see [the page](https://example.org/a_b) and ![a chart](x.png)", "see the page and a chart"},
		{"lint **/*.go and *.ts, not *_test.go", "lint **/*.go and *.ts, not *_test.go"},
		{"2*3*4 and 2 * 3 * 4", "2*3*4 and 2 * 3 * 4"},
		{"rename __init__.py to `main.py`", "rename __init__.py to `main.py`"},
		{"* one * two", "* one * two"},
		{"**cut off before it en…", "**cut off before it en…"},
		{"f(*args, **kwargs)", "f(*args, **kwargs)"},
		{"**Ende** – *ganz* «*fett*»", "Ende – ganz «fett»"},
		{"****", "****"},
	} {
		if got := markdown.Plain(test.line); got != test.want {
			t.Errorf("Plain(%q) = %q, want %q", test.line, got, test.want)
		}
	}
}

// Only marks are removed: every letter and digit outside of links stays, in its order.
func TestPlainLosesNoWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOf(rapid.SampledFrom([]rune("ab1é *_`#>.-\n"))).Draw(t, "line")
		marks := strings.NewReplacer("*", "", "#", "", ">", "", " ", "")
		if got, want := marks.Replace(markdown.Plain(line)), marks.Replace(line); got != want {
			t.Errorf("Plain(%q) = %q loses words", line, markdown.Plain(line))
		}
	})
}
