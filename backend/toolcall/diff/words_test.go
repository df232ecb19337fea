package diff

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// marked writes spans with the changed ones in brackets.
func marked(spans []Span) string {
	var out strings.Builder
	for _, span := range spans {
		if span.Changed {
			out.WriteString("[" + span.Text + "]")
		} else {
			out.WriteString(span.Text)
		}
	}
	return out.String()
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ left, right, wantLeft, wantRight string }{
		{"", "", "", ""},
		{"the same", "the same", "the same", "the same"},
		{"send the mail", "send the letter", "send the [mail]", "send the [letter]"},
		{"send mail", "send the mail", "send mail", "send [the ]mail"},
		{"a, b", "a; b", "a[, ]b", "a[; ]b"},
		{"", "new", "", "[new]"},
		{"信を送る", "信を書く", "信を[送る]", "信を[書く]"},
		{"it was fast and it was good", "nobody ever measured it", "[it was fast and it was good]", "[nobody ever measured it]"},
		{"line\n\nend", "line\nend", "line\n[\n]end", "line\nend"},
	} {
		left, right := Words(c.left, c.right)
		if got := marked(left); got != c.wantLeft {
			t.Errorf("left of %q and %q: %q, want %q", c.left, c.right, got, c.wantLeft)
		}
		if got := marked(right); got != c.wantRight {
			t.Errorf("right of %q and %q: %q, want %q", c.left, c.right, got, c.wantRight)
		}
	}
}

func TestWordsKeepBothTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-d]{1,3}[ \n.]{1,2}){0,30}`))
		left, right := text.Draw(t, "left"), text.Draw(t, "right")
		leftSpans, rightSpans := Words(left, right)
		var same [2]string
		for i, side := range []struct {
			text  string
			spans []Span
		}{{left, leftSpans}, {right, rightSpans}} {
			whole := ""
			for _, span := range side.spans {
				whole += span.Text
				if !span.Changed {
					same[i] += span.Text
				}
			}
			if whole != side.text {
				t.Fatalf("spans make %q of %q", whole, side.text)
			}
		}
		if same[0] != same[1] {
			t.Fatalf("%q is said to be the same as %q", same[0], same[1])
		}
	})
}
