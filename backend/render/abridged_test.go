package render

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"coppice/backend/core"
	"coppice/backend/render/internal/safety"
)

// wide returns a session whose calls do not fit: long outputs, many arguments, long arguments, unknown parts.
func wide(t *testing.T) *forest {
	f := newForest(core.Session{ID: "0199f0c0-0000-7000-8000-000000000004", Title: "Wide", Source: core.SourceClaudeCode, WorkspacePath: "/w"})
	var members []string
	for i := range 260 {
		members = append(members, fmt.Sprintf(`"k%d":"v%d"`, i, i))
	}
	prompt := f.add(t, "", said(core.RoleUser, text("Look")))
	asked := f.add(t, prompt, said(core.RoleAssistant,
		calls("r", "Read", `{"file_path":"/w/a.go","offset":12,"limit":7,"pages":"3-4"}`),
		calls("g", "Grep", `{"pattern":"needle","path":"/w/src","glob":"*.tsx","-A":3}`),
		calls("b", "Bash", `{"command":"make","description":"Builds the thing","timeout":90000}`),
		calls("w", "WebFetch", `{"url":"https://example.org","prompt":"Find the\nanswer"}`),
		calls("m", "mcp__x__many", "{"+strings.Join(members, ",")+"}"),
		calls("e", "Edit", `{"file_path":"/w/b.go","old_string":"","new_string":""}`),
		calls("p", "apply_patch", `{"input":"no patch at all"}`),
		calls("big", "mcp__x__big", `{"title":"t","body":"`+strings.Repeat("long words ", 10<<10)+`"}`)))
	unknown := core.Part{Type: "hologram", Native: []byte(`{"x":"` + strings.Repeat("y", 20<<10) + `"}`)}
	f.add(t, asked, said(core.RoleTool, answers("r", text(strings.Repeat("line\n", 321))), answers("g", text("src/a.tsx:1\nsrc/b.tsx:2")),
		answers("b", unknown), answers("w", text("42")), answers("m", text("ok")), answers("e", text("done")), answers("p", text("ok")), answers("big", text("ok"))))
	return f
}

func TestExportsStateWhatTheyLeaveOut(t *testing.T) {
	for format, wanted := range map[string][]string{
		"md": {
			"abridged: true", "> Abridged: the output of tools that read", "· 321 lines left out", "· 2 lines left out", "pages `3-4`", "glob `*.tsx`", "-A `3`",
			"description `Builds the thing`", "timeout `90000`", "prompt:", "Find the\nanswer", "v259", "no patch at all", "left out …", "Cut here: this is the beginning of",
		},
		"html": {
			"Each place states it.", "60 more arguments left out", "Cut here: this is the beginning of 112.6 kB.", "Cut here: this is the beginning of 3 lines",
		},
	} {
		page := export(t, format, wide(t), ExportOptions{})
		for _, want := range wanted {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", format, want)
			}
		}
	}
}

// TestFrontMatterIsInert reads the head of an export as a forge without support for front matter does, and as YAML.
func TestFrontMatterIsInert(t *testing.T) {
	for _, hostile := range append(safety.Corpus(), "a\u202eb\x1b[31m", "---", "'", `"`, "a: b", "😀\u200d", "![x](https://example.org/x.png)") {
		f := newForest(core.Session{
			ID: "0199f0c0-0000-7000-8000-000000000005", Title: hostile, Source: core.Source(hostile), SourceID: hostile, Model: hostile, WorkspacePath: hostile,
		})
		f.add(t, "", core.Message{UID: hostile, Role: core.RoleUser, Parts: []core.Part{text("hi")}})
		page := export(t, "md", f, ExportOptions{Generator: hostile})
		_, rest, _ := strings.Cut(page, "---\n")
		head, _, found := strings.Cut(rest, "\n---\n")
		var matter frontMatter
		if err := yaml.Unmarshal([]byte(head), &matter); err != nil || !found {
			t.Errorf("%q: %v in\n%s", hostile, err, head)
		}
		if matter.Leaf != hostile || matter.Source != hostile {
			t.Errorf("%q came back as %q, %q", hostile, matter.Leaf, matter.Source)
		}
		if problems := safety.Problems(forge(t, page)); problems != nil {
			t.Errorf("%q: %v in\n%s", hostile, problems, head)
		}
	}
}
