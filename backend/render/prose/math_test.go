package prose

import (
	"html"
	"strings"
	"testing"
)

func TestMath(t *testing.T) {
	r := New()
	cases := []struct{ markdown, want string }{ // want: the formulas, between bars
		{"Energy is $E = mc^2$.", "$E = mc^2$"},
		{"Let $x$ and $f(x)$ be; $O(n \\log n)$.", "$x$|$f(x)$|$O(n \\log n)$"},
		{"From $a_1$ to *b* and $a_2$", "$a_1$|$a_2$"},
		{`Both \(x^2\) and \(n\) are formulas.`, `\(x^2\)|\(n\)`},
		{`So \[a * b * c = d\] holds.`, `\[a * b * c = d\] display`},
		{"Inside $$x_1 < y$$ a line", "$$x_1 < y$$ display"},
		{"Then\n$$\n\\frac{a}{b}\n= c\n$$\nand", "$$\n\\frac{a}{b}\n= c\n$$ display"},
		{"\\[\na_b\n\\]", "\\[\na_b\n\\] display"},
		{"> $$\n> x^2\n> $$", "$$\nx^2\n$$ display"},
		{"| a |\n|---|\n| $x_1$ |", "$x_1$"},
		// Prices, shells and regular expressions are not formulas.
		{"It costs $5 and $6.", ""},
		{"From $5-$6 to US$7+A$8", ""},
		{"$1,000 = $2", ""},
		{"Set $HOME/bin:$PATH and ${X}_${Y} or $(pwd)/$(ls)", ""},
		{"kill $$ and $$", ""},
		{"$foo_bar is $baz_qux", ""},
		{"a \\$x^2\\$ b", ""},
		{"`$x^2$`", ""},
		{"```\n$x^2$\n```", ""},
		{`match \(foo\) or \[bar\]`, ""},
		{"- \\[x\\] done", ""},
		{"$$\nnever closed", ""},
		{"$x^2" + strings.Repeat("y", maxMathBytes) + "$", ""},
	}
	for _, tc := range cases {
		t.Run(tc.markdown[:min(len(tc.markdown), 30)], func(t *testing.T) {
			var found []string
			for _, piece := range strings.Split(r.HTML(tc.markdown, Options{}), `<code class="math`)[1:] {
				kind, rest, _ := strings.Cut(piece, `">`)
				source, _, _ := strings.Cut(rest, "</code>")
				found = append(found, html.UnescapeString(source)+kind)
			}
			if got := strings.Join(found, "|"); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestMathIsEscaped(t *testing.T) {
	r := New()
	got := r.HTML(`$x^2<img src=x onerror=alert(1)>$ and $$"><script>_$$`, Options{})
	if strings.Contains(got, "<img") || strings.Contains(got, "<script") || strings.Count(got, `<code class="math`) != 2 {
		t.Error(got)
	}
	markdown := r.Markdown("$x=[a](javascript:b)$, $$y^2$$ and\n\n$$\nz<b>^2\n$$", Options{})
	if want := "$`x=[a](javascript:b)`$, `$$y^2$$` and\n\n```math\nz<b>^2\n```"; markdown != want {
		t.Errorf("got %q, want %q", markdown, want)
	}
}
