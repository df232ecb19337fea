package prose

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"pgregory.net/rapid"

	"coppice/backend/render/internal/safety"
)

func TestHTML(t *testing.T) {
	cases := []struct {
		name, in, want string
		options        Options
	}{
		{name: "tags are text", in: "a <b>*c*</b>", want: `<p dir="auto">a &lt;b&gt;<em>c</em>&lt;/b&gt;</p>`},
		{name: "headings are shifted", in: "# a\n\n### b\n\nc\n===", want: "<h3 dir=\"auto\">a</h3>\n<h5 dir=\"auto\">b</h5>\n<h3 dir=\"auto\">c</h3>"},
		{name: "headings end at six", in: "#### a", want: `<h6 dir="auto">a</h6>`, options: Options{Heading: 5}},
		{name: "line feeds stay", in: "a\nb", want: "<p dir=\"auto\">a<br>\nb</p>"},
		{name: "links", in: "[a](https://b.c/d?e=f&g)", want: `<p dir="auto"><a href="https://b.c/d?e=f&amp;g" rel="noopener noreferrer">a</a></p>`},
		{name: "paths are no links", in: "[a](b/c.go)", want: `<p dir="auto"><span class="ref" title="b/c.go">a</span></p>`},
		{name: "images are links", in: "![a](https://b.c/d.png)", want: `<p dir="auto"><a class="image" href="https://b.c/d.png" rel="noopener noreferrer">a</a></p>`},
		{name: "tasks are signs", in: "- [x] a\n- [ ] b", want: "<ul>\n<li dir=\"auto\"><span class=\"task\">☑</span> a</li>\n<li dir=\"auto\"><span class=\"task\">☐</span> b</li>\n</ul>"},
		{name: "code", in: "```go\nreturn \"<\"\n```", want: `<pre class="code" dir="ltr" tabindex="0" data-lang="go"><code><span class="chroma-k">return</span> <span class="chroma-s">&#34;&lt;&#34;</span></code></pre>`},
		{name: "code of no known language", in: "```nonsense\n<a>\n```", want: `<pre class="code" dir="ltr" tabindex="0" data-lang="nonsense"><code>&lt;a&gt;</code></pre>`},
		{name: "a list in Arabic begins at the right", in: "1. مرحبا `f()`\n2. b", want: "<ol dir=\"rtl\">\n<li dir=\"auto\">مرحبا <code>f()</code></li>\n<li dir=\"auto\">b</li>\n</ol>"},
		{name: "ordered lists keep their start", in: "3. a\n4. b", want: "<ol start=\"3\">\n<li dir=\"auto\">a</li>\n<li dir=\"auto\">b</li>\n</ol>"},
		{name: "alignment without style", in: "|a|\n|-:|\n|1|", want: "<div class=\"table\" tabindex=\"0\"><table dir=\"auto\">\n<thead>\n<tr>\n<th align=\"right\">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align=\"right\">1</td>\n</tr>\n</tbody>\n</table></div>"},
		{name: "footnotes have ids of their own", in: "a[^x]\n\n[^x]: b", options: Options{ID: "m7-"}, want: "<p dir=\"auto\">a<sup id=\"m7-fnref:1\"><a href=\"#m7-fn:1\" class=\"footnote-ref\">1</a></sup></p>\n<div class=\"footnotes\">\n<hr>\n<ol>\n<li id=\"m7-fn:1\">\n<p dir=\"auto\">b\u00a0<a href=\"#m7-fnref:1\" class=\"footnote-backref\">↩</a></p>\n</li>\n</ol>\n</div>"},
	}
	r := New()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := strings.TrimSpace(r.HTML(tc.in, tc.options)); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestHTMLOfHostileShapesIsVerbatim(t *testing.T) {
	r := New()
	for name, in := range map[string]string{
		"too long":         strings.Repeat("word ", MaxBytes/5+1),
		"nested quotes":    strings.Repeat(">", 100_000),
		"nested lists":     strings.Repeat("- ", 50_000),
		"nested numbers":   strings.Repeat("1. ", 50_000),
		"open brackets":    strings.Repeat("[", 100_000),
		"open links":       strings.Repeat("[a](", 50_000),
		"nested brackets":  strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000),
		"too long a quote": "> " + strings.Repeat("ü", MaxBytes),
	} {
		t.Run(name, func(t *testing.T) {
			got := r.HTML(in, Options{})
			if !strings.HasPrefix(got, `<pre class="verbatim"`) {
				t.Errorf("was read as Markdown: %.80s", got)
			}
			if cut := strings.Contains(got, `<p class="note">`); cut != (len(in) > MaxBytes) {
				t.Errorf("cut: %v at %d bytes", cut, len(in))
			}
			if md := r.Markdown(in, Options{}); !strings.HasPrefix(md, "```text\n") || !strings.Contains(md, in) {
				t.Errorf("Markdown is not the text between fences: %.80s", md)
			}
		})
	}
}

func TestHTMLHoldsNothingActive(t *testing.T) {
	r := New()
	for _, text := range safety.Corpus() {
		for _, wrapped := range []string{text, "> " + text, "- " + text, "**" + text + "**", "[" + text + "](https://example.org)", "a\n" + text + "\nb"} {
			if problems := safety.Problems(r.HTML(wrapped, Options{ID: "m1-"})); problems != nil {
				t.Errorf("%q: %v", wrapped, problems)
			}
		}
	}
}

// forge renders Markdown with HTML enabled, as the least careful site that shows an export would.
func forge(t rapid.TB, markdown string) string {
	var b strings.Builder
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := md.Convert([]byte(markdown), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// taskBox matches the HTML of GitHub's task lists, which is inert, and of alignment, which is a style here.
var taskBox = regexp.MustCompile(`<input (checked="" )?disabled="" type="checkbox">| style="text-align:(left|right|center)"`)

func markdownProblems(t rapid.TB, markdown string) []string {
	return safety.Problems(taskBox.ReplaceAllString(forge(t, markdown), ""))
}

func TestMarkdownHoldsNothingActive(t *testing.T) {
	r := New()
	for _, text := range safety.Corpus() {
		for _, wrapped := range []string{text, "> " + text, "- " + text, "**" + text + "**", "[" + text + "](javascript:x)", "a\n" + text + "\nb", "[" + text} {
			got := r.Markdown(wrapped, Options{ID: "m1-"})
			if problems := markdownProblems(t, got); problems != nil {
				t.Errorf("%q became %q: %v", wrapped, got, problems)
			}
		}
		if problems := markdownProblems(t, Escape(text)+" "+Span(text)+"\n\n"+Fence(text, text)); problems != nil {
			t.Errorf("%q: %v", text, problems)
		}
	}
}

func TestMarkdown(t *testing.T) {
	cases := []struct {
		name, in, want string
		options        Options
	}{
		{name: "headings", in: "# a\n\nb *c*\n===", want: "### a\n\n### b *c*"},
		{name: "tags", in: "a <b>c</b> 1 < 2", want: "a &lt;b>c&lt;/b> 1 &lt; 2"},
		{name: "an open fence is closed", in: "```go\na", want: "```go\na\n```"},
		{name: "fences grow", in: "````\n```\n````", want: "````\n```\n````"},
		{name: "indented code", in: "    a\n    b", want: "```\na\nb\n```"},
		{name: "references are written out", in: "[a][b]\n\n[b]: https://c.d", want: "[a](https://c.d)"},
		{name: "images are links", in: "![a](https://b.c/d.png)", want: "[a](https://b.c/d.png)"},
		{name: "paths are code", in: "[a](b/c.go)", want: "a (`b/c.go`)"},
		{name: "lists", in: "* a\n  - b\n\n    c\n* d", want: "- a\n  - b\n\n    c\n- d"},
		{name: "line feeds stay", in: "a\nb", want: "a  \nb"},
		{name: "spaces in code stay", in: "`a ` ``  `b ``", want: "`a ` `` `b``"},
		{name: "what was text stays text", in: "a\n    # b\n    - c\n    1. d", want: "a  \n\\# b  \n\\- c  \n1\\. d"},
		{name: "tables", in: "|a|b|\n|:-|-|\n|`x\\|y`|c\\|d|", want: "| a | b |\n| :-- | --- |\n| `x\\|y` | c\\|d |"},
		{name: "footnotes", in: "a[^x]\n\n[^x]: b\n\n    c", want: "a[^m3-1]\n\n[^m3-1]: b\n\n    c", options: Options{ID: "m3-"}},
		{name: "tasks", in: "- [x] a\n- [ ] b", want: "- [x] a\n- [ ] b"},
		{name: "quotes", in: "> a\n>\n> - b", want: "> a\n>\n> - b"},
		{name: "addresses", in: "https://a.b/c <d@e.f>", want: "<https://a.b/c> <d@e.f>"},
	}
	r := New()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := r.Markdown(tc.in, tc.options); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// TestMarkdownReadsAsBefore compares the rendering of the text with that of its portable form.
func TestMarkdownReadsAsBefore(t *testing.T) {
	r := New()
	for i, in := range []string{
		"a **b *c* d** ~~e~~ `f` \\*g\\* &amp; [h](https://i.j/k(l)) 2 * 3 * 4 a_b_c",
		"1. a\n\n   b\n2. c\n   - d\n     > e\n\n---\n\nf  \ng\\\nh",
		"| a | b |\n| - | :-: |\n| *c* | d\\|e |\n| [f](https://g.h) | `i` |",
		"```md\n# a\n```\n\n~~~\n```\n~~~",
		"`` a`b `` and ``` `c` ```",
		"- a\n- b\n\n* c\n* d",
		"> a\n> > b\n> ```\n> c\n> ```",
	} {
		before := r.HTML(in, Options{})
		portable := r.Markdown(in, Options{Heading: 3})
		if after := r.HTML(portable, Options{}); after != before {
			t.Errorf("%d: %q became %q:\n%s\n%s", i, in, portable, before, after)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, text := range safety.Corpus() {
		f.Add(text)
	}
	r := New()
	f.Fuzz(func(t *testing.T, text string) {
		if problems := safety.Problems(r.HTML(text, Options{ID: "m1-"})); problems != nil {
			t.Errorf("HTML of %q: %v", text, problems)
		}
		portable := r.Markdown(text, Options{ID: "m1-"})
		if problems := markdownProblems(t, portable); problems != nil {
			t.Errorf("Markdown of %q, %q: %v", text, portable, problems)
		}
	})
}

func TestCodeLinesKeepsEveryLine(t *testing.T) {
	r := New()
	strip := regexp.MustCompile(`<[^>]*>`)
	for _, language := range []string{"go", "py", "js", "html", "yaml", "diff", "sh", "", "nonsense", "*", "md"} {
		for _, code := range []string{"", "a", "a\n", "\n\na\n\n", "x := `\nraw\n`\ny", "\"\"\"doc\nstring\"\"\"\npass", "<p>\n</p>", "\ta\n"} {
			lines := r.CodeLines(code, language)
			var text []string
			for _, line := range lines {
				if strings.Count(line, "<span") != strings.Count(line, "</span>") {
					t.Errorf("%s: a span crosses a line's end: %q", language, line)
				}
				text = append(text, unescape(strip.ReplaceAllString(line, "")))
			}
			if got := strings.Join(text, "\n"); got != code {
				t.Errorf("%s: %q became %q", language, code, got)
			}
		}
	}
}

// TestEveryLexerEnds gives each lexer input that it was not made for.
func TestEveryLexerEnds(t *testing.T) {
	r := New()
	code := "func main() { x := \"a\" }\n# c\n<a b='c'>\n" + strings.Repeat("(", 100) + strings.Repeat("a", 100) + strings.Repeat("\"'`", 20)
	for _, language := range r.code.Languages() {
		if got := r.CodeLines(code, language); len(got) != strings.Count(code, "\n")+1 {
			t.Errorf("%s: %d lines", language, len(got))
		}
	}
}

func unescape(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&amp;", "&").Replace(s)
}

func TestSafeURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.b/c d": "", "https://a.b/ü": "https://a.b/%C3%BC", "HTTP://a.b": "HTTP://a.b", "mailto:a@b.c": "mailto:a@b.c",
		"//a.b": "", "/a": "", "a": "", "": "", "#a": "", "javascript:a": "", "java&#115;cript:a": "", "ftp://a.b": "", "https:": "", "https:/a": "",
		"mailto:": "", "https://a.b\\c.d": "", "https://a.b/%": "", "\x01javascript:a": "",
	} {
		got, ok := SafeURL(raw)
		if got != want || ok != (want != "") {
			t.Errorf("SafeURL(%q) = %q, %v; want %q", raw, got, ok, want)
		}
	}
}

func BenchmarkHTML(b *testing.B) {
	r := New()
	text := fmt.Sprintf("# Title\n\nSome **prose** with `code` and a [link](https://example.org).\n\n```go\n%s```\n", strings.Repeat("func f(x int) string { return \"a\" }\n", 20))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.HTML(text, Options{})
	}
}
