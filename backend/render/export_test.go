package render

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
	"golang.org/x/net/html"

	"coppice/backend/core"
	"coppice/backend/render/internal/safety"
	"coppice/backend/render/redact"
)

// TestMain defines -update, which writes the expected outputs.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "write golden files")
	flag.Parse()
	os.Exit(m.Run())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs: run with -update and look at the difference\n%s", path, firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\ngot  %.300s\nwant %.300s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// dot is a PNG of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// sample returns a session with every feature of an export: forks at prompts and at answers, tools of several products,
// diffs, images, reasoning, a compaction and labels.
func sample(t testing.TB) *forest {
	t.Helper()
	cost := int64(12_300_000)
	f := newForest(core.Session{
		ID: "0199f0c0-0000-7000-8000-000000000001", Title: "Refactor the auth module", Source: core.SourceClaudeCode, SourceID: "abc-123", Model: "claude-x",
		WorkspacePath: "/home/ann/app", InputTokens: 48000, OutputTokens: 210, CostNanoUSD: &cost, CreatedAtMs: 1763712000000, UpdatedAtMs: 1763715600000,
	})
	png, err := base64.StdEncoding.DecodeString(dot)
	if err != nil {
		t.Fatal(err)
	}
	f.blobs["sha256:dot"] = core.Blob{Hash: "sha256:dot", MimeType: "image/png", Data: png}
	f.blobs["sha256:svg"] = core.Blob{Hash: "sha256:svg", MimeType: "image/png", Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)}
	meta := f.add(t, "", core.Message{Role: core.RoleUser, Kind: core.KindMeta, Parts: []core.Part{text("<reminder>\nBe kind.\n</reminder>")}})
	prompt := f.add(t, meta, said(core.RoleUser, text("Look at `auth.go`\nand tell me what you think.\n\n# Not a title"),
		core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Blob: "sha256:dot", Name: "shot.png", Width: 1, Height: 1}}))
	look := said(core.RoleAssistant, core.Part{Type: core.PartReasoning, Text: "I should read it first.\nThen think."}, text("Reading."),
		calls("r1", "Read", `{"file_path":"/home/ann/app/auth.go"}`), calls("r2", "Bash", `{"command":"go test ./...\ngo vet ./..."}`))
	look.Model, look.CostNanoUSD, look.Usage = "claude-x", &cost, &core.Usage{InputTokens: 1200, OutputTokens: 4}
	asked := f.add(t, prompt, look)
	failed := answers("r2", text("\x1b[31mFAIL\x1b[0m auth\n"+strings.Repeat("line\n", 60)))
	failed.IsError, failed.DurationMs = true, 1300
	results := f.add(t, asked, said(core.RoleTool, answers("r1", text("package auth\n")), failed))
	answer := f.add(t, results, said(core.RoleAssistant, text("It has a **bug**:\n\n```go\nif token == \"\" {\n```\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\nSee [the docs](https://example.org/a) and [the file](auth.go).[^1]\n\n[^1]: A note.")))
	fix := f.add(t, answer, said(core.RoleUser, text("Fix it")))
	edit := answers("e1", text("The file has been updated."))
	edit.Structured = []byte(`{"filePath":"/home/ann/app/auth.go","structuredPatch":[{"oldStart":10,"oldLines":3,"newStart":10,"newLines":3,"lines":[" func check() {","-\tif token == \"\" {","+\tif strings.TrimSpace(token) == \"\" {"," \t\treturn"]}]}`)
	edited := f.add(t, fix, said(core.RoleAssistant, calls("e1", "Edit", `{"file_path":"/home/ann/app/auth.go","old_string":"a","new_string":"b"}`),
		calls("t1", "TodoWrite", `{"todos":[{"content":"Fix","status":"completed"},{"content":"Test","status":"in_progress"}]}`)))
	updated := f.add(t, edited, said(core.RoleTool, edit, answers("t1", text("ok"))))
	done := f.add(t, updated, said(core.RoleAssistant, text("Done.")))
	// A second attempt at the fix, which the user abandoned, and an alternative to its answer.
	again := f.add(t, answer, said(core.RoleUser, text("Fix it *another* way")))
	f.add(t, again, said(core.RoleAssistant, calls("p1", "apply_patch", `{"input":"*** Begin Patch\n*** Add File: b.go\n+package b\n*** End Patch"}`), text("One way.")))
	f.add(t, again, said(core.RoleAssistant, text("Another way.")))
	// The path continues.
	compaction := f.add(t, done, core.Message{Role: core.RoleUser, Kind: core.KindCompaction, Parts: []core.Part{{Type: core.PartSummary, Text: "# Summary\n\nWe fixed it."}}})
	thanks := f.add(t, compaction, said(core.RoleUser, text("شكرا")))
	denied := answers("d1", text("The user doesn't want to proceed with this tool use."))
	denied.IsError = true
	last := f.add(t, thanks, said(core.RoleAssistant, calls("d1", "mcp__linear__create_issue", `{"title":"Bug","team":"A","n":3}`), calls("never", "WebFetch", `{"url":"https://example.org"}`)))
	f.add(t, last, said(core.RoleTool, denied, answers("lost", core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Blob: "sha256:svg", Name: "x.svg"}})))
	f.labels = []core.Label{{Turn: f.messages[f.bySeq[fix]].Turn, UID: fix, Text: "the fix"}}
	return f
}

// shared is the one Renderer of the tests: they also show that it has no state between uses.
var shared = sync.OnceValue(New)

func export(t testing.TB, format string, f *forest, o ExportOptions) string {
	t.Helper()
	var out bytes.Buffer
	r := shared()
	write := r.HTML
	switch format {
	case "md":
		write = r.Markdown
	case "txt":
		write = r.Text
	}
	if err := write(t.Context(), &out, f, f.session.ID, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGoldenExports(t *testing.T) {
	for _, scope := range []Scope{ScopePath, ScopeAlternatives, ScopeTree} {
		for _, format := range []string{"html", "md", "txt"} {
			got := export(t, format, sample(t), ExportOptions{Scope: scope, Generator: "Coppice 1.0"})
			if format == "html" { // the sheets have tests of their own
				got = strings.Replace(strings.Replace(got, pageStyle(), "…", 1), exportScript, "…", 1)
				got = strings.Replace(got, html.EscapeString(policy()), "…", 1)
			}
			golden(t, string(scope)+"."+format, got)
		}
	}
}

func TestGoldenDetails(t *testing.T) {
	for _, detail := range []Detail{DetailCompact, DetailPrompts} {
		for _, format := range []string{"html", "md"} {
			got := export(t, format, sample(t), ExportOptions{Scope: ScopeTree, Detail: detail, Generator: "Coppice 1.0"})
			if format == "html" {
				_, got, _ = strings.Cut(got, "<body>")
				got = strings.Replace(got, exportScript, "…", 1)
			}
			golden(t, string(detail)+"."+format, got)
		}
	}
	if _, err := ParseDetail("half"); core.CodeOf(err) != core.Invalid {
		t.Errorf("an unknown detail: %v", err)
	}
}

// TestDetailsCountWhatTheyLeaveOut exports a turn of several answers with calls between them.
func TestDetailsCountWhatTheyLeaveOut(t *testing.T) {
	f := newForest(core.Session{ID: "s", Title: "Parser"})
	at := f.add(t, "", said(core.RoleUser, text("Fix the parser.")))
	for _, id := range []string{"c1", "c2", "c3"} {
		at = f.add(t, at, said(core.RoleAssistant, text("Now "+id+"."), calls(id, "Bash", `{"command":"true"}`)))
		at = f.add(t, at, said(core.RoleTool, answers(id, text("output of "+id))))
	}
	at = f.add(t, at, said(core.RoleAssistant, text("It is fixed.")))
	at = f.add(t, at, said(core.RoleAssistant, core.Part{Type: core.PartReasoning, Text: "One more look."}, calls("c4", "Bash", `{"command":"ls"}`)))
	f.add(t, at, said(core.RoleTool, answers("c4", text("output of c4"))))
	for _, format := range []string{"md", "html"} {
		got := export(t, format, f, ExportOptions{Detail: DetailPrompts})
		first, last := strings.Index(got, "3 steps, 3 calls of tools left out"), strings.Index(got, "1 step, 1 call of a tool left out")
		answer := strings.Index(got, "It is fixed.")
		if first < 0 || answer < first || last < answer || strings.Contains(got, "Now c2") || strings.Contains(got, "output of") || strings.Contains(got, "One more look") {
			t.Errorf("%s: prompts: %s", format, got[max(0, strings.Index(got, "Fix the parser")):])
		}
		got = export(t, format, f, ExportOptions{Detail: DetailCompact})
		if !strings.Contains(got, "Now c2.") || strings.Contains(got, "output of") || !strings.Contains(got, "Reasoning, 1 line left out") || strings.Count(got, "left out") < 5 {
			t.Errorf("%s: compact: %s", format, got[max(0, strings.Index(got, "Fix the parser")):])
		}
	}
}

// allowed are the elements that an export's page itself has.
var allowed = []string{"script", "style", "meta", "input", "button", "img", "select", "svg"}

func TestPageHoldsOneScriptAndOnlyWhatThePolicyLets(t *testing.T) {
	page := export(t, "html", sample(t), ExportOptions{Scope: ScopeTree})
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	content := map[string][]string{}
	csp := ""
	ids := map[string]int{}
	var links []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "script" || n.Data == "style" {
			content[n.Data] = append(content[n.Data], n.FirstChild.Data)
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				ids[a.Val]++
			case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
				links = append(links, a.Val[1:])
			case n.Data == "meta" && a.Key == "content" && csp == "" && strings.HasPrefix(a.Val, "default-src"):
				csp = a.Val
			}
		}
	}
	if len(content["script"]) != 1 || len(content["style"]) != 1 {
		t.Fatalf("%d scripts, %d styles", len(content["script"]), len(content["style"]))
	}
	want := fmt.Sprintf("default-src 'none'; img-src data:; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
		contentHash(content["style"][0]), contentHash(content["script"][0]))
	if csp != want {
		t.Errorf("the policy is\n%s\nwant\n%s", csp, want)
	}
	for id, count := range ids {
		if count > 1 {
			t.Errorf("id %s stands %d times", id, count)
		}
	}
	for _, link := range links {
		if ids[link] == 0 {
			t.Errorf("a link leads to #%s, which is not there", link)
		}
	}
	if problems := safety.Problems(page, allowed...); problems != nil {
		t.Errorf("%v", problems)
	}
	if strings.Contains(page, "onload") && !strings.Contains(page, "not shown here") {
		t.Error("an SVG is shown")
	}
}

func TestScriptAndSheetCannotEndTheirElement(t *testing.T) {
	for name, text := range map[string]string{"script": exportScript, "style": pageStyle()} {
		if strings.Contains(strings.ToLower(text), "</") || strings.Contains(text, "<!--") {
			t.Errorf("the %s holds markup", name)
		}
	}
	for _, name := range regexp.MustCompile(`getElementById\("([a-z]+)"\)|button\("([a-z]+)"`).FindAllStringSubmatch(exportScript, -1) {
		if !strings.Contains(export(t, "html", sample(t), ExportOptions{}), `id="`+name[1]+name[2]+`"`) {
			t.Errorf("the script asks for #%s%s", name[1], name[2])
		}
	}
}

// TestColorsAreTheWindows compares the page's variables with those of the window.
func TestColorsAreTheWindows(t *testing.T) {
	window, err := os.ReadFile("../../frontend/src/styles.css")
	if err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`(--[a-z0-9-]+): (#[0-9a-f]+);`)
	light, dark, _ := strings.Cut(string(window), `:root[data-theme="dark"]`)
	dark, _, _ = strings.Cut(dark, "}")
	page := exportSheet[:strings.Index(exportSheet, "@media print")]
	for theme, css := range map[string]string{"light": light, "dark": dark} {
		want := map[string]string{}
		for _, m := range variable.FindAllStringSubmatch(css, -1) {
			want[m[1]] = m[2]
		}
		for _, block := range regexp.MustCompile(`color-scheme: `+theme+`;[^}]*`).FindAllString(page, -1) {
			found := variable.FindAllStringSubmatch(block, -1)
			if len(found) < 15 {
				t.Errorf("%s: only %d colors", theme, len(found))
			}
			for _, m := range found {
				if want[m[1]] != m[2] {
					t.Errorf("%s %s is %s, the window's is %s", theme, m[1], m[2], want[m[1]])
				}
			}
		}
	}
	used := regexp.MustCompile(`var\((--[a-z0-9-]+)\)`).FindAllStringSubmatch(pageStyle(), -1)
	for _, m := range used {
		if !strings.Contains(exportSheet, m[1]+":") {
			t.Errorf("%s is used and not set", m[1])
		}
	}
}

// hostile puts a text into every field that a foreign file can fill.
func hostile(t testing.TB, x string) *forest {
	t.Helper()
	quoted := strings.TrimSpace(fmt.Sprintf("%q", strings.ToValidUTF8(x, "?")))
	quoted = regexp.MustCompile(`\\x[0-9a-f]{2}|\\[av]|\\U[0-9a-f]{8}`).ReplaceAllString(quoted, "?")
	object := `{"file_path":` + quoted + `,"old_string":` + quoted + `,"new_string":"y","command":` + quoted + `,` + quoted + `:` + quoted + `}`
	f := newForest(core.Session{
		ID: x, Name: x, Title: x, Task: x, Source: core.Source(x), SourceID: x, SourcePath: x, Agent: x, Model: x, WorkspacePath: x, StopReason: x,
	})
	everything := func(id string) []core.Part {
		result := answers(id, text(x), core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: x, Name: x, URI: x, Blob: x}},
			core.Part{Type: core.PartType(x), Native: []byte(quoted)})
		result.Structured = []byte(`{"structuredPatch":[{"oldStart":1,"newStart":1,"lines":[` + quoted + `]}],"filePath":` + quoted + `}`)
		result.Name = x
		return []core.Part{
			text(x),
			{Type: core.PartReasoning, Text: x},
			{Type: core.PartSummary, Text: x},
			calls(id, x, object), calls(id+"e", "Edit", object), calls(id+"b", "Bash", object), calls(id+"w", "Write", `{"file_path":`+quoted+`,"content":`+quoted+`}`),
			calls(id+"t", "TodoWrite", `{"todos":[{"content":`+quoted+`,"status":`+quoted+`}]}`), calls(id+"p", "apply_patch", `{"input":"*** Begin Patch\n*** Add File: "}`),
			{Type: core.PartToolCall, ID: id + "n", Name: x, Text: "*** Begin Patch\n*** Update File: " + x + "\n*** Move to: " + x + "\n-" + x + "\n+" + x},
			{Type: core.PartMedia, Media: &core.Media{MimeType: x, Name: x, URI: x, Blob: x}},
			{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Name: x, Blob: "sha256:dot", Width: 1, Height: 1}},
			{Type: core.PartType(x), Name: x, Native: []byte(quoted)},
			result,
		}
	}
	png, err := base64.StdEncoding.DecodeString(dot)
	if err != nil {
		t.Fatal(err)
	}
	f.blobs["sha256:dot"] = core.Blob{Data: png, MimeType: x}
	f.blobs[x] = core.Blob{Data: []byte(x), MimeType: "image/png"}
	parent := ""
	for i, m := range []core.Message{
		{Role: core.RoleUser, Kind: core.KindMessage},
		{Role: core.RoleAssistant, Kind: core.KindMessage},
		{Role: core.RoleTool, Kind: core.KindMessage},
		{Role: core.RoleUser, Kind: core.KindMeta},
		{Role: core.RoleUser, Kind: core.KindCompaction},
		{Role: core.Role(x), Kind: core.Kind(x)},
	} {
		m.Name, m.Agent, m.Model, m.Error, m.FinishReason, m.FinishRaw = x, x, x, x, x, x
		m.Parts = everything(fmt.Sprint(i))
		if i == 1 {
			f.add(t, parent, m)
		}
		parent = f.add(t, parent, m)
		f.labels = append(f.labels, core.Label{Turn: f.messages[len(f.messages)-1].Turn, UID: parent, Text: x})
	}
	return f
}

func TestNothingInAnyFieldBecomesActive(t *testing.T) {
	inert := regexp.MustCompile(`<a id="[a-z0-9]+"></a>|</?(details|summary|code|b)>`)
	for _, x := range safety.Corpus() {
		for _, scope := range []Scope{ScopeAlternatives, ScopeTree} {
			o := ExportOptions{Scope: scope, Generator: x}
			page := export(t, "html", hostile(t, x), o)
			if problems := safety.Problems(page, allowed...); problems != nil {
				t.Errorf("%q: %v", x, problems)
			}
			if n := strings.Count(page, "<script"); n != 1 {
				t.Errorf("%q: %d scripts", x, n)
			}
			document := export(t, "md", hostile(t, x), o)
			_, document, _ = strings.Cut(document[4:], "---\n")
			if problems := safety.Problems(forge(t, inert.ReplaceAllString(document, "")), "img"); problems != nil {
				t.Errorf("%q in Markdown: %v", x, problems)
			}
		}
		checkWindow(t, x)
	}
}

// checkWindow checks the HTML that the window would put on the page.
func checkWindow(t *testing.T, x string) {
	t.Helper()
	f := hostile(t, x)
	var markup []string
	for _, m := range view(t, f, 0, 0).Messages {
		for _, b := range m.Blocks {
			markup = append(markup, b.HTML)
			if b.Type != BlockTool {
				continue
			}
			d, err := shared().Detail(t.Context(), f, f.session, m.UID, b.Part, b.ResultUID)
			if err != nil {
				t.Fatal(err)
			}
			for _, field := range d.Arguments {
				markup = append(markup, field.HTML)
			}
			for _, change := range d.Diffs {
				for _, hunk := range change.Hunks {
					for _, line := range hunk.Lines {
						markup = append(markup, line.HTML)
					}
				}
			}
		}
	}
	if problems := safety.Problems(strings.Join(markup, "\n")); problems != nil {
		t.Errorf("%q in the window: %v", x, problems)
	}
}

func TestMarkdownFrontMatterIsYAML(t *testing.T) {
	for _, x := range append(safety.Corpus(), "a: b", "- x", "\"", "#", "---", "a\nb: c") {
		document := export(t, "md", hostile(t, x), ExportOptions{})
		matter, _, _ := strings.Cut(document[4:], "\n---\n")
		var got frontMatter
		if err := yaml.Unmarshal([]byte(matter), &got); err != nil {
			t.Errorf("%q: %v", x, err)
		}
		if got.Format != "coppice.markdown" || got.Messages != 7 {
			t.Errorf("%q: %+v", x, got)
		}
	}
}

// TestMarkdownOutline checks that no message's heading has a higher level than its turn's.
func TestMarkdownOutline(t *testing.T) {
	for _, scope := range []Scope{ScopePath, ScopeTree} {
		document := export(t, "md", sample(t), ExportOptions{Scope: scope})
		ours := regexp.MustCompile(`(?m)^(#{1,2}) (.*)$`)
		for _, m := range ours.FindAllStringSubmatch(document, -1) {
			known := m[1] == "#" && m[2] == "Refactor the auth module" || m[1] == "##" && regexp.MustCompile(`^(n\d+ · |Contents$|Branch \d+$)`).MatchString(m[2])
			if !known {
				t.Errorf("%s: a heading of a message: %s", scope, m[0])
			}
		}
	}
}

func TestScopesMatchTheirDescription(t *testing.T) {
	f := sample(t)
	words := map[string]map[string]string{
		"path": {"md": "Done.", "html": "Done."}, "sibling": {"md": "Fix it *another* way", "html": "Fix it <em>another</em> way"},
		"sibling's answer": {"md": "One way.", "html": "One way."}, "nested": {"md": "Another way.", "html": "Another way."},
	}
	want := map[Scope][]string{
		ScopePath:         {"path"},
		ScopeAlternatives: {"path", "sibling", "sibling's answer"},
		ScopeTree:         {"path", "sibling", "sibling's answer", "nested"},
	}
	for scope, held := range want {
		for _, format := range []string{"html", "md"} {
			got := export(t, format, f, ExportOptions{Scope: scope})
			for name, word := range words {
				count := len(regexp.MustCompile(`(?m)^(<div class="prose"><p dir="auto">|> |)`+regexp.QuoteMeta(word[format])+`(</p>)?$`).FindAllString(got, -1))
				if slices.Contains(held, name) && count != 1 || !slices.Contains(held, name) && count != 0 {
					t.Errorf("%s %s: %s stands %d times", format, scope, name, count)
				}
			}
		}
	}
	if got := export(t, "html", f, ExportOptions{}); !strings.Contains(got, "2 of 3 branches are not included (13 of 16 messages are).") {
		t.Errorf("what is left out is not said: %s", regexp.MustCompile(`class="omitted">[^<]*`).FindString(got))
	}
	other := export(t, "md", f, ExportOptions{LeafUID: f.messages[11].UID})
	if !strings.Contains(other, "Another way.") && !strings.Contains(other, "One way.") || strings.Contains(other, "Done.") {
		t.Error("the path to another leaf is not told")
	}
}

func TestExportOfNothing(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	for _, format := range []string{"html", "md"} {
		if got := export(t, format, f, ExportOptions{}); !strings.Contains(got, "Untitled session") || !strings.Contains(got, "before its first message") {
			t.Errorf("%s: %s", format, got)
		}
	}
}

func TestExportRedacts(t *testing.T) {
	f := sample(t)
	key := "sk-" + strings.Repeat("a1", 20)
	f.add(t, f.session.HeadUID, said(core.RoleUser, text("mail ann@example.org with "+key)))
	for _, format := range []string{"html", "md"} {
		got := export(t, format, f, ExportOptions{Scope: ScopeTree, Redactor: redact.New()})
		for _, leak := range []string{key, "ann@example.org", "/home/ann"} {
			if strings.Contains(got, leak) {
				t.Errorf("%s: %s is not taken out", format, leak)
			}
		}
		if !strings.Contains(got, "1 e-mail address") && !strings.Contains(got, "e-mail addresses") {
			t.Errorf("%s does not say what was replaced", format)
		}
	}
}

func TestExportStopsWhenAsked(t *testing.T) {
	if _, err := ParseScope("half"); core.CodeOf(err) != core.Invalid {
		t.Errorf("an unknown scope: %v", err)
	}
	var out bytes.Buffer
	err := New().HTML(t.Context(), &out, sample(t), "s", ExportOptions{Scope: "half"})
	if core.CodeOf(err) != core.Invalid {
		t.Errorf("an unknown scope: %v", err)
	}
}

func TestMarkdownStoresAttachments(t *testing.T) {
	var stored []string
	got := export(t, "md", sample(t), ExportOptions{Zone: time.UTC, Asset: func(m core.Media, b core.Blob) (string, error) {
		stored = append(stored, b.Hash)
		return "assets/" + m.Name, nil
	}})
	if !strings.Contains(got, `![shot.png](<assets/shot.png>)`) || !strings.Contains(got, `[x.svg](<assets/x.svg>)`) || strings.Contains(got, `![x.svg]`) || len(stored) != 2 {
		t.Errorf("stored %v", stored)
	}
}

func TestLongOutputsAreCut(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	a := f.add(t, "", said(core.RoleAssistant, calls("1", "Bash", `{"command":"x"}`)))
	b := f.add(t, a, said(core.RoleTool, answers("1", text("head"))))
	whole := f.messages[1]
	whole.Parts = []core.Part{answers("1", text("FIRST\n"+strings.Repeat("0123456789abcdef\n", 60<<20/17)+"LAST\n"))}
	f.whole[b] = whole
	for _, format := range []string{"html", "md"} {
		got := export(t, format, f, ExportOptions{})
		if len(got) > 200<<10 || !strings.Contains(got, "FIRST") || !strings.Contains(got, "LAST") || !strings.Contains(got, "left out") {
			t.Errorf("%s: %d bytes", format, len(got))
		}
	}
}

func TestMessageMarkdown(t *testing.T) {
	m := said(core.RoleAssistant, core.Part{Type: core.PartReasoning, Text: "a\nb"}, text("# c\n<d>\n"), calls("1", "Read", `{"path":"e"}`),
		answers("1", text("```\n\x1b[1mf")), core.Part{Type: core.PartMedia, Media: &core.Media{Name: "g"}})
	want := "> a\n> b\n\n# c\n<d>\n\n**Read** `e`\n\n```json\n{\n  \"path\": \"e\"\n}\n```\n\n````text\n```\nf\n````\n\n*g*"
	if got := New().MessageMarkdown(m); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestExportsMarkWhatTheModelDidNotSee has an output of which the model received only the beginning and the end.
func TestExportsMarkWhatTheModelDidNotSee(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	uid := f.add(t, "", said(core.RoleAssistant, calls("1", "Bash", `{"command":"make"}`)))
	part := text("head\n… 8,000 lines left out …\ntail\n")
	part.Truncated = &core.Truncated{SizeBytes: 4_200_000, LineCount: 12_345, Blob: "sha256:x", Shown: true}
	f.add(t, uid, said(core.RoleTool, answers("1", part)))
	for _, format := range []string{"html", "md"} {
		if got := export(t, format, f, ExportOptions{}); !strings.Contains(got, "The model was given this much of 12,345 lines (4.2 MB).") {
			t.Errorf("%s does not say so:\n%s", format, got)
		}
	}
}
