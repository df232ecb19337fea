package prose

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
	"coppice/backend/render/prose/wordtest"
)

// TestNoWordIsLost lists the forms of Markdown that a parser drops text from.
func TestNoWordIsLost(t *testing.T) {
	for name, source := range map[string]string{
		"info string":                  "```go title alpha beta\ngamma\n```",
		"closing fence with a text":    "```\nalpha\n```Beta gamma delta.\n\nepsilon\n```Zeta eta theta.",
		"info string with signs":       "```{alpha,beta=GAMMA}\ndelta\n```",
		"long info word":               "```" + strings.Repeat("alpha", 12) + "\nbeta\n```",
		"info string of a tilde fence": "~~~ alpha `beta` <gamma>\ndelta\n~~~",
		"info string in a list":        "- alpha\n  ```beta gamma\n  delta\n  ```\n- epsilon",
		"open fence at the end":        "alpha\n\n```beta gamma",
		"cells beyond the header":      "| alpha | beta |\n| - | - |\n| gamma | delta | epsilon | `zeta|eta` | theta\n| iota |",
		"cells beyond, without pipes":  "alpha | beta\n--- | ---\ngamma | delta | epsilon\\|zeta | eta",
		"cells beyond, in a quote":     "> | alpha |\n> | - |\n> | beta | gamma |\n> | delta | epsilon **zeta** |",
		"unused definition":            "alpha\n\n[beta]: https://gamma.example/delta \"epsilon zeta\"",
		"only definitions":             "[alpha]: beta\n[gamma]: <delta> (epsilon)",
		"second definition":            "[alpha]\n\n[alpha]: /beta\n[alpha]: /gamma 'delta'",
		"definition in a list":         "- [alpha]: /beta\n- [gamma]: https://delta.example",
		"definition over lines":        "[alpha\nbeta]:\n/gamma\n\"delta\nepsilon\"",
		"title of a link":              "[alpha](https://beta.example \"gamma delta\")",
		"title of a reference":         "[alpha][beta]\n\n[beta]: https://gamma.example 'delta \"epsilon\"'",
		"title of an image":            "![alpha](https://beta.example/gamma.png (delta epsilon))",
		"title of a path":              "[alpha](beta/gamma.go \"delta\")",
		"title of a path to an image":  "![alpha](beta/gamma.png \"delta\")",
		"link without a text":          "[](https://alpha.example/beta) [](gamma.go) ![](delta.png)",
		"long path":                    "[alpha](" + strings.Repeat("beta/", 60) + "gamma.go)",
		"unsafe address":               "[alpha](javascript:beta) ![gamma](javascript:delta)",
		"unused footnote":              "alpha\n\n[^beta]: gamma\n\n    delta\n\n    - epsilon",
		"second footnote":              "alpha[^x]\n\n[^x]: beta\n[^x]: gamma",
		"footnote in a quote":          "> alpha\n>\n> [^x]: beta\n\ngamma",
		"footnote in a footnote":       "alpha[^x]\n\n[^x]: beta\n    [^y]: gamma",
		"empty footnote":               "alpha[^x]\n\n[^x]:\n    beta",
		"comment":                      "alpha <!-- beta gamma --> delta\n\n<!--\nepsilon\n-->",
		"tags":                         "<details><summary>alpha</summary>\n\nbeta\n\n</details>\n\n<div class=\"gamma\">delta</div>",
		"head":                         "---\nalpha: beta\n---\n\ngamma",
		"heading with attributes":      "# alpha {#beta .gamma delta=epsilon}\n\nzeta {#eta}\n===",
		"entities":                     "alpha &amp; &beta; &#0; &gamma delta &#x110000; &zeta",
		"autolinks":                    "<https://alpha.example/beta?gamma=delta> www.epsilon.example <zeta@eta.example> ftp://theta.example/iota <iota:kappa>",
		"tasks":                        "- [x] alpha\n- [ ] beta\n- [X]gamma\n- [-] delta",
		"NUL":                          "alpha\x00beta [gamma\x00](\x00delta \"eps\x00ilon\")",
		"nested fences":                "````md\nalpha\n```go beta gamma\ndelta\n```\nepsilon\n````",
		"indented code":                "    alpha\n\tbeta\n\n        gamma\n\ndelta",
		"indented code in a list":      "1. alpha\n\n        beta\n   gamma\n\n\n\n       delta",
		"tabs":                         "-\talpha\n\n\t\tbeta\n\n>\tgamma\n>\t\tdelta",
		"two tables":                   "| alpha |\n| - |\n| beta |\n| - | - |\n| gamma | delta |",
		"text before a table":          "alpha\nbeta | gamma\n- | -\ndelta | epsilon | zeta\neta",
		"deep list":                    strings.Repeat("- ", 12) + "alpha\n  beta",
		"numbers":                      "3. alpha\n3. beta\n\n10) gamma",
		"escapes":                      `\*alpha\* \[beta\]\(gamma\) \<delta> \\epsilon a\zeta`,
		"struck text of an image":      "- ~~![~~alpha~~ _beta_](gamma/delta.png 'eps')~~ _zeta_",
		"soft breaks":                  "alpha\\\nbeta  \ngamma\n delta",
		"carriage returns":             "alpha\rbeta\r\ngamma",
	} {
		t.Run(name, func(t *testing.T) { checkWords(t, New(), source) })
	}
}

// TestNoWordIsLostInAnyMarkdown draws Markdown of numbered words, so that each word occurs once.
func TestNoWordIsLostInAnyMarkdown(t *testing.T) {
	r := New()
	rapid.Check(t, func(t *rapid.T) { checkWords(t, r, drawMarkdown(t)) })
}

// TestNoWordOfTheSamplesIsLost reads every text in the generated sessions and the samples.
func TestNoWordOfTheSamplesIsLost(t *testing.T) {
	for _, folder := range importertest.SampleFolders(t) {
		checkFolder(t, folder)
	}
}

func checkFolder(t *testing.T, folder string) {
	t.Helper()
	r, seen := New(), map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, text := range proseOf(data) {
			if !seen[text] {
				seen[text] = true
				checkWords(t, r, text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) == 0 {
		t.Errorf("no texts in %s", folder)
	}
}

// proseOf returns the strings of a JSON or JSON lines file that look as if a user or a model wrote them.
func proseOf(data []byte) []string {
	var texts []string
	var walk func(name string, value any)
	walk = func(name string, value any) {
		switch value := value.(type) {
		case string:
			if (name == "text" || name == "thinking") && len(value) < 16<<10 && strings.ContainsAny(value, "`|[<&\\") {
				texts = append(texts, value)
			}
		case []any:
			for _, one := range value {
				walk(name, one)
			}
		case map[string]any:
			for name, one := range value {
				walk(name, one)
			}
		}
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	for {
		var value any
		if decoder.Decode(&value) != nil {
			return texts
		}
		walk("", value)
	}
}

// checkWords compares the words of a source with those of its two renderings.
func checkWords(t rapid.TB, r *Renderer, source string) {
	t.Helper()
	excused := names(r, source)
	for format, page := range map[string]string{
		"HTML":     r.HTML(source, Options{ID: "m1-"}),
		"Markdown": forge(t, r.Markdown(source, Options{ID: "m1-"})),
	} {
		if lost := lostWords(source, wordtest.Page(page), excused); lost != nil {
			t.Errorf("%s of %.2000q lacks %q:\n%.3000s", format, source, lost, page)
		}
	}
}

// names returns the words of labels that only connect a reference to its definition: the rendering has a link or a
// number for them.
func names(r *Renderer, source string) map[string]bool {
	excused := map[string]bool{}
	excuse := func(label []byte) {
		for _, word := range wordtest.Split(string(label)) {
			excused[word] = true
		}
	}
	doc := r.parse([]byte(clean(source)), Options{})
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			if n.Reference != nil {
				excuse(n.Reference.Value)
			}
		case *ast.Image:
			if n.Reference != nil {
				excuse(n.Reference.Value)
			}
		case *extast.Footnote:
			excuse(n.Ref)
		}
		return ast.WalkContinue, nil
	})
	return excused
}

// lostWords returns the words of the source that occur less often in the text.
func lostWords(source, text string, excused map[string]bool) []string {
	source, text = wordtest.Unescape(source), wordtest.Unescape(text)
	had, has := wordtest.Count(wordtest.Split(source)), wordtest.Count(wordtest.Split(text))
	var lost []string
	for word, times := range had {
		// A word may be a part of another one, if emphasis ended inside it.
		if !excused[word] && has[word] < times && strings.Count(text, word) < strings.Count(source, word) {
			lost = append(lost, word)
		}
	}
	slices.Sort(lost)
	return lost
}

// drawMarkdown composes blocks, some of them malformed.
func drawMarkdown(t *rapid.T) string {
	number := 0
	word := func() string { number++; return fmt.Sprintf("w%dx", number) }
	var inline func(depth int) string
	inline = func(depth int) string {
		kind := rapid.IntRange(0, 22).Draw(t, "inline")
		if depth > 2 {
			kind = 0
		}
		in := func() string { return inline(depth + 1) }
		switch kind {
		case 1:
			return "**" + in() + "**"
		case 2:
			return "[" + in() + "](https://" + word() + ".example/" + word() + ` "` + word() + " " + word() + `")`
		case 3:
			return "![" + in() + "](" + word() + "/" + word() + ".png '" + word() + "')"
		case 4:
			return "`" + word() + " <" + word() + ">`"
		case 5:
			return "[" + in() + "][" + word() + "]"
		case 6:
			return "[^" + rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "note") + "] " + word()
		case 7:
			return "<" + word() + " " + word() + "=\"" + word() + "\">" + in() + "</" + word() + ">"
		case 8:
			return "<!-- " + word() + " -->"
		case 9:
			return "[" + rapid.SampledFrom([]string{"r1x", "r2x"}).Draw(t, "reference") + "]"
		case 10:
			return "&" + word() + "; &amp; &#65; " + word()
		case 11:
			return "<https://" + word() + ".example> " + word() + "@" + word() + ".example"
		case 12:
			return "~~" + in() + "~~ _" + in() + "_"
		case 13:
			return word() + "\\\n" + word()
		case 14:
			return "[" + in() + "](<" + word() + " " + word() + "> (" + word() + "))"
		case 15:
			return rapid.SampledFrom([]string{"[", "]", "(", ")", "*", "`", "<", "|", `\`, "![", "](", "~~", "$", "\x00", "&", "\u202e", "{", "]:"}).Draw(t, "sign")
		case 16:
			return "[](" + word() + ") [](https://" + word() + ".example)"
		case 17:
			return word() + " | " + word()
		}
		return word()
	}
	line := func() string {
		var parts []string
		for range rapid.IntRange(1, 3).Draw(t, "parts") {
			parts = append(parts, inline(0))
		}
		return strings.Join(parts, rapid.SampledFrom([]string{" ", " ", "", "  "}).Draw(t, "gap"))
	}
	lines := func(most int) string {
		var all []string
		for range rapid.IntRange(1, most).Draw(t, "lines") {
			all = append(all, line())
		}
		return strings.Join(all, "\n")
	}
	row := func() string {
		var cells []string
		for range rapid.IntRange(1, 5).Draw(t, "cells") {
			cells = append(cells, strings.ReplaceAll(line(), "\n", " "))
		}
		return rapid.SampledFrom([]string{"| ", "", "|"}).Draw(t, "edge") + strings.Join(cells, " | ") + rapid.SampledFrom([]string{" |", "", "|"}).Draw(t, "edge")
	}
	fence := func() string { return rapid.SampledFrom([]string{"```", "~~~", "````"}).Draw(t, "fence") }
	block := func() string {
		switch rapid.IntRange(0, 16).Draw(t, "block") {
		case 0:
			return strings.Repeat("#", rapid.IntRange(1, 7).Draw(t, "level")) + " " + line() + rapid.SampledFrom([]string{"", " #", " {#" + word() + "}"}).Draw(t, "end")
		case 1:
			return fence() + line() + "\n" + lines(3) + "\n" + fence() + rapid.SampledFrom([]string{"", word() + " " + word()}).Draw(t, "glued")
		case 2:
			return row() + "\n" + rapid.SampledFrom([]string{"|-|-|", "-|-", "|:-:|", "- | -: | -"}).Draw(t, "delimiter") + "\n" + row() + "\n" + row()
		case 3:
			return "[" + rapid.SampledFrom([]string{"r1x", "r2x", word(), word() + " " + word()}).Draw(t, "label") + "]: " +
				rapid.SampledFrom([]string{"https://" + word() + ".example", "<" + word() + " " + word() + ">", "/" + word()}).Draw(t, "address") +
				rapid.SampledFrom([]string{"", ` "` + word() + `"`, "\n'" + word() + "\n" + word() + "'", " " + word()}).Draw(t, "title")
		case 4:
			return "[^" + rapid.SampledFrom([]string{"a", "b", word()}).Draw(t, "label") + "]: " + lines(2) + rapid.SampledFrom([]string{"", "\n\n    " + word()}).Draw(t, "more")
		case 5:
			return "- " + line() + "\n  - [x] " + line() + "\n\n      " + line() + "\n- " + line()
		case 6:
			return "7. " + line() + "\n8. " + line()
		case 7:
			return "> " + strings.ReplaceAll(lines(3), "\n", "\n> ")
		case 8:
			return "    " + strings.ReplaceAll(lines(3), "\n", "\n    ")
		case 9:
			return lines(2) + "\n" + rapid.SampledFrom([]string{"===", "---"}).Draw(t, "bar")
		case 10:
			return "---\n" + word() + ": " + word() + "\n---"
		case 11:
			return "> - " + fence() + word() + " " + word() + "\n>   " + word() + "\n" + line()
		}
		return lines(3)
	}
	var all []string
	for range rapid.IntRange(1, 6).Draw(t, "blocks") {
		all = append(all, block())
	}
	return strings.Join(all, rapid.SampledFrom([]string{"\n\n", "\n\n", "\n", "\n\n\n"}).Draw(t, "between"))
}
