package render

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"coppice/backend/core"
)

// previewOf returns the preview of a call in a window.
func previewOf(t *testing.T, call, result core.Part) *Preview {
	t.Helper()
	f := newForest(core.Session{ID: "s", WorkspacePath: "/w"})
	call.Type, call.ID, result.Type, result.ID = core.PartToolCall, "1", core.PartToolResult, "1"
	uid := f.add(t, "", said(core.RoleAssistant, call))
	f.add(t, uid, said(core.RoleTool, result))
	return view(t, f, 0, 0).Messages[0].Blocks[0].Preview
}

func bash(command string) core.Part {
	return core.Part{Name: "Bash", Arguments: []byte(`{"command":` + strconv.Quote(command) + `}`)}
}

func TestOutputPreviews(t *testing.T) {
	var ten strings.Builder
	for i := range 10 {
		fmt.Fprintf(&ten, "line %d\n", i)
	}
	failed := func(text string) core.Part {
		return core.Part{IsError: true, Result: []core.Part{{Type: core.PartText, Text: text}}}
	}
	done := func(text, data string) core.Part {
		return core.Part{Structured: json.RawMessage(data), Result: []core.Part{{Type: core.PartText, Text: text}}}
	}
	cases := []struct {
		name   string
		call   core.Part
		result core.Part
		want   string // text, lines above and below, exit code
	}{
		{"the last lines", bash("seq"), done(ten.String(), ``), "line 5|line 6|line 7|line 8|line 9 ↑5"},
		{"no output", bash("true"), done("", `{"stdout":""}`), "none"},
		{"no output, but a code", bash("true"), done("", `{"exitCode":0}`), " exit 0"},
		{"Claude Code", bash("make"), failed("Exit code 2\nmake: no rule\n"), "make: no rule exit 2"},
		{"Claude Code without output", bash("make"), failed("Exit code 1"), " exit 1"},
		{"Codex, older", bash("ls"), done("a\nb\n", `{"exit_code":0,"duration_seconds":0.1}`), "a|b exit 0"},
		{"Codex", bash("ls"), done("Exit code: 3\nWall time: 0.1 seconds\nOutput:\na\nb\n", ``), "a|b exit 3"},
		{"Codex, newer", bash("ls"), done("Chunk ID: 9\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\na\n", ``), "a exit 0"},
		{"Gemini CLI", bash("ls"), done("Command: ls\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)", ``), "a|b exit 0"},
		{"Gemini CLI, an error", bash("ls"), done("Command: ls\nOutput: (empty)\nError: no such file\nExit Code: 2\nSignal: 0", ``), "(empty)|no such file exit 2"},
		{"OpenCode", bash("ls"), done("a", `{"exit":7}`), "a exit 7"},
		{"Coppice", bash("ls"), done("a\nb\n(exit code 1 after 3ms)", ``), "a|b exit 1"},
		{"Coppice, a signal", bash("ls"), done("a\n(exit code 137, as by the signal \"killed\" after 3ms)", ``), "a exit 137"},
		{"a program that prints a code", bash("ls"), done("a\nexit code 4\n", ``), "a|exit code 4"},
		{"terminal sequences", bash("ls"), done("\x1b[1ma\x1b[0m\n10%\r100%\n", ``), "a|100%"},
		{"interrupted", bash("sleep"), core.Part{IsError: true, Structured: []byte(`{"interrupted":true}`), Result: []core.Part{text("a\n")}}, "a"},
		{"the reason of a failure", core.Part{Name: "Edit", Arguments: []byte(`{}`)}, failed("String to replace not found"), "String to replace not found"},
		{"a long reason", core.Part{Name: "Read", Arguments: []byte(`{}`)}, failed(ten.String()), "line 0|line 1|line 2|line 3|line 4|line 5|line 6|line 7 ↓2"},
		{"a denial", bash("rm"), failed("The user doesn't want to proceed with this tool use."), "none"},
		{"a denial with words", bash("rm"), failed("The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse git"), "use git"},
		{"a tool without output worth a line", core.Part{Name: "Read", Arguments: []byte(`{"file_path":"a"}`)}, done("text", ``), "none"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := describeOutput(previewOf(t, tc.call, tc.result)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func describeOutput(v *Preview) string {
	if v == nil {
		return "none"
	}
	got := strings.ReplaceAll(v.Text, "\n", "|")
	if v.Above > 0 {
		got += fmt.Sprintf(" ↑%d", v.Above)
	}
	if v.Below > 0 {
		got += fmt.Sprintf(" ↓%d", v.Below)
	}
	if v.ExitCode != nil {
		got += fmt.Sprintf(" exit %d", *v.ExitCode)
	}
	return got
}

// TestOutputPreviewOfALongOutput reads nothing but the message: the whole of the output is in a blob that does not exist here.
func TestOutputPreviewOfALongOutput(t *testing.T) {
	cut := core.Truncated{SizeBytes: 10 << 20, LineCount: 40_000, Blob: "sha256:missing", Tail: "cut line\nnext\nlast\n"}
	part := core.Part{Type: core.PartText, Text: "Exit code 1\nfirst\n", Truncated: &cut}
	v := previewOf(t, bash("make"), core.Part{IsError: true, Result: []core.Part{part}})
	if got := describeOutput(v); got != "cut line|next|last ↑39997 exit 1" {
		t.Errorf("got %q", got)
	}
	cut.Tail = "" // stored by an older version
	v = previewOf(t, bash("make"), core.Part{IsError: true, Result: []core.Part{part}})
	if got := describeOutput(v); got != "first ↓39998 exit 1" {
		t.Errorf("without the end: got %q", got)
	}
}

func TestChangePreviews(t *testing.T) {
	edit := func(lines int) core.Part {
		text, err := json.Marshal(strings.Repeat("new\n", lines))
		if err != nil {
			t.Fatal(err)
		}
		return core.Part{Name: "Edit", Arguments: []byte(`{"file_path":"/w/a.go","old_string":"old","new_string":` + string(text) + `}`)}
	}
	v := previewOf(t, edit(3), core.Part{Result: []core.Part{text("ok")}})
	if v == nil || v.Kind != PreviewChanges || len(v.Diffs) != 1 || len(v.Diffs[0].Hunks[0].Lines) != 4 || v.Diffs[0].Omitted != 0 {
		t.Errorf("a short edit: %+v", v)
	}
	v = previewOf(t, edit(1000), core.Part{Result: []core.Part{text("ok")}})
	if d := v.Diffs[0]; len(d.Hunks[0].Lines) != previewDiffLines || d.Omitted != 1001-previewDiffLines || d.Added != 1000 {
		t.Errorf("a long edit: %d lines, %d left out, +%d", len(d.Hunks[0].Lines), d.Omitted, d.Added)
	}
	if v := previewOf(t, edit(3), core.Part{IsError: true, Result: []core.Part{text("not found")}}); v.Kind != PreviewOutput || v.Text != "not found" {
		t.Errorf("an edit that failed: %+v", v)
	}
}

func TestOtherPreviews(t *testing.T) {
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf(`{"content":"step %d","status":%q}`, i, map[bool]string{true: "in_progress", false: "pending"}[i == 20]))
	}
	v := previewOf(t, core.Part{Name: "TodoWrite", Arguments: []byte(`{"todos":[` + strings.Join(many, ",") + `]}`)}, core.Part{})
	if len(v.Tasks) != previewTasks || v.Omitted != 24 || v.Tasks[3] != (Task{"step 20", "doing"}) {
		t.Errorf("tasks: %+v, %d left out", v.Tasks, v.Omitted)
	}
	v = previewOf(t, core.Part{Name: "WebSearch", Arguments: []byte(`{"query":"trees"}`)},
		core.Part{Structured: []byte(`{"results":[{"content":[{"title":"Oak","url":"https://e.org/oak"},{"title":"Trap","url":"javascript:alert(1)"},{"title":"Oak","url":"https://e.org/oak"}]},"text"]}`), Result: []core.Part{text("found")}})
	if len(v.Pages) != 1 || v.Pages[0] != (WebPage{"Oak", "https://e.org/oak"}) {
		t.Errorf("pages: %+v", v.Pages)
	}
	v = previewOf(t, core.Part{Name: "WebSearch", Arguments: []byte(`{"query":"trees"}`)},
		core.Part{Result: []core.Part{text("Web search results\n\nLinks: [{\"title\":\"Elm\",\"url\":\"https://e.org\"}]\n\nAn elm is a tree.")}})
	if len(v.Pages) != 1 || v.Pages[0].Title != "Elm" {
		t.Errorf("pages in the text: %+v", v.Pages)
	}
	v = previewOf(t, core.Part{Name: "WebFetch", Arguments: []byte(`{"url":"https://e.org"}`)}, core.Part{Result: []core.Part{text("# Elm <script>\n\n" + strings.Repeat("word ", 500))}})
	if !v.Cut || !strings.HasPrefix(v.HTML, "<h5") || strings.Contains(v.HTML, "<script") {
		t.Errorf("a page: %+v", v)
	}
	v = previewOf(t, core.Part{Name: "ExitPlanMode", Arguments: []byte(`{"plan":"# Plan\n\n1. Do it"}`)}, core.Part{IsError: true, Result: []core.Part{text("The user doesn't want to proceed with this tool use.")}})
	if v.Kind != PreviewPlan || v.Cut || !strings.Contains(v.HTML, "<li") {
		t.Errorf("a plan: %+v", v)
	}
	v = previewOf(t, core.Part{Name: "Task", Arguments: []byte(`{"description":"look","prompt":"…"}`)},
		core.Part{Structured: []byte(`{"totalToolUseCount":12,"totalTokens":3400}`), Result: []core.Part{text("**Found** it.")}})
	if v.Kind != PreviewAgent || v.Steps != 12 || v.Tokens != 3400 || !strings.Contains(v.HTML, "<strong>") {
		t.Errorf("a subagent: %+v", v)
	}
}

func TestPreviewsAreBounded(t *testing.T) {
	f := newForest(core.Session{ID: "s", WorkspacePath: "/w"})
	quoted, err := json.Marshal(strings.Repeat("if (a < b && c > d) { return \"<tag>\"; }\n", 2000))
	if err != nil {
		t.Fatal(err)
	}
	uid := ""
	for i := range 50 {
		id := strconv.Itoa(i)
		uid = f.add(t, uid, said(core.RoleAssistant, calls(id, "Edit", `{"file_path":"/w/a.js","old_string":"x","new_string":`+string(quoted)+`}`)))
		uid = f.add(t, uid, said(core.RoleTool, answers(id, text("ok"))))
	}
	data, err := json.Marshal(view(t, f, 0, 50))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 400<<10 {
		t.Errorf("%d bytes", len(data))
	}
}
