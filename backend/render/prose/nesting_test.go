package prose

import (
	"regexp"
	"strings"
	"testing"
)

// TestNestingIsBounded renders texts that nest without end. The page nests no deeper than a bound, and no text is lost.
func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	const levels = 100_000
	ladder := func(marker string) string { // each line one level deeper, as far as MaxBytes allows
		var out strings.Builder
		for i := 0; out.Len() < MaxBytes-2000 && i < 600; i++ {
			out.WriteString(strings.Repeat("  ", i) + marker + "x\n")
		}
		return out.String()
	}
	r := New()
	for name, text := range map[string]string{
		"quotes":                  strings.Repeat(">", levels) + "x",
		"quotes with spaces":      strings.Repeat("> ", levels) + "x",
		"lists":                   strings.Repeat("- ", levels) + "x",
		"numbered lists":          strings.Repeat("1. ", levels/2) + "x",
		"quotes and lists":        strings.Repeat("> - ", levels/2) + "x",
		"lists, a level a line":   ladder("- "),
		"numbers, a level a line": ladder("1. "),
		"brackets":                strings.Repeat("[", levels) + "x" + strings.Repeat("]", levels),
		"links":                   strings.Repeat("[", levels/4) + "x" + strings.Repeat("](y)", levels/4),
		"images":                  strings.Repeat("![", levels/4) + "x" + strings.Repeat("](y)", levels/4),
		"stars":                   strings.Repeat("*a ", levels/2) + "x" + strings.Repeat(" a*", levels/3),
		"emphasis":                strings.Repeat("*a**b", levels/4) + "x" + strings.Repeat("c**d*", levels/4),
		"underscores":             strings.Repeat("_", levels) + "x" + strings.Repeat("_", levels),
		"strikes":                 strings.Repeat("~~a ", levels/4) + "x",
		"tags":                    strings.Repeat("<b>", levels/2) + "x",
		"blocks":                  strings.Repeat("<div>\n\n", levels/4) + "x",
		"footnotes":               strings.Repeat("[^", levels) + "x" + strings.Repeat("]", levels),
		"code":                    strings.Repeat("` `` ", levels/4) + "x",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := r.HTML(text, Options{})
			if deepest := depthOf(page); deepest > maxTreeDepth {
				t.Errorf("the page nests %d levels", deepest)
			}
			if !strings.Contains(page, "x") {
				t.Error("the text is lost")
			}
			if portable := r.Markdown(text, Options{}); !strings.Contains(portable, "x") || len(portable) > 8*len(text)+1000 {
				t.Errorf("%d bytes became %d bytes of Markdown", len(text), len(portable))
			}
		})
	}
}

var tag = regexp.MustCompile(`<(/?)([a-z0-9]+)[^>]*?(/?)>`)

// depthOf returns how deep the elements of a page nest.
func depthOf(page string) int {
	depth, deepest := 0, 0
	for _, m := range tag.FindAllStringSubmatch(page, -1) {
		switch {
		case m[3] == "/" || m[2] == "br" || m[2] == "img" || m[2] == "hr" || m[2] == "input":
		case m[1] == "/":
			depth--
		default:
			depth++
			deepest = max(deepest, depth)
		}
	}
	return deepest
}
