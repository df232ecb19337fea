package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coppice/backend/core"
)

func TestCards(t *testing.T) {
	long := strings.Repeat("x", 300)
	cases := []struct {
		name, arguments, structured string
		want                        string // target, +added −removed, r for read-only
	}{
		{"Read", `{"file_path":"/w/a.go"}`, ``, "a.go r"},
		{"Read", `{"file_path":"/w/a.go","offset":10,"limit":5}`, ``, "a.go:10–14 r"},
		{"Read", `{"file_path":"/elsewhere/a.go"}`, ``, "/elsewhere/a.go r"},
		{"Read", `{"file_path":"/web/a.go"}`, ``, "/web/a.go r"},
		{"Write", `{"file_path":"/w/a.go","content":"a\nb\n"}`, `{"type":"create","structuredPatch":[]}`, "a.go +2 −0"},
		{"Write", `{"file_path":"/w/a.go","content":"a\nc\n"}`, `{"type":"update","originalFile":"a\nb\n"}`, "a.go +1 −1"},
		{"Edit", `{"file_path":"/w/a.go","old_string":"a","new_string":"b\nc"}`, ``, "a.go +2 −1"},
		{"MultiEdit", `{"file_path":"/w/a.go","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}`, ``, "a.go +1 −2"},
		{"NotebookEdit", `{"notebook_path":"/w/a.ipynb","new_source":"x"}`, ``, "a.ipynb +1 −0"},
		{"Bash", `{"command":"ls\n-l","description":"List"}`, ``, "ls -l"},
		{"Bash", `{"command":"` + long + `"}`, ``, long[:239] + "…"},
		{"Glob", `{"pattern":"**/*.go","path":"/w"}`, ``, "**/*.go r"},
		{"Grep", `{"pattern":"func main","path":"/w/cmd"}`, ``, "func main in cmd r"},
		{"LS", `{"path":"/w"}`, ``, ". r"},
		{"Task", `{"subagent_type":"explorer","description":"Look around","prompt":"…"}`, ``, "explorer: Look around"},
		{"TodoWrite", `{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"pending"}]}`, ``, "1 of 2 done"},
		{"WebFetch", `{"url":"https://e.org","prompt":"x"}`, ``, "https://e.org r"},
		{"WebSearch", `{"query":"trees"}`, ``, "trees r"},
		{"ExitPlanMode", `{"plan":"# Plan\n\nDo it"}`, ``, "# Plan Do it"},
		{"mcp__linear__create_issue", `{"n":1,"title":"Bug"}`, ``, "Bug"},
		{"mcp__files__read_file", `{"path":"/w/a"}`, ``, "a r"},
		{"shell", `{"command":["bash","-lc","go test"]}`, ``, "go test"},
		{"shell", `{"command":["ls","-l"]}`, ``, "ls -l"},
		{"exec_command", `{"cmd":"rg --files"}`, ``, "rg --files"},
		{"shell", `{"command":["apply_patch","*** Begin Patch\n*** Update File: /w/a\n@@\n-x\n+y\n*** End Patch"]}`, ``, "a +1 −1"},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Add File: b\n+z\n*** End Patch"}`, ``, "a and 1 other file +2 −1"},
		{"apply_patch", `{"patch":"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}`, ``, "x +1 −1"},
		{"apply_patch", `{}`, `{"changes":{"/w/a":{"add":{"content":"x\n"}},"b":{"update":{"unified_diff":"@@ -1 +1 @@\n-a\n+b\n"}}}}`, " +2 −1"},
		{"update_plan", `{"plan":[{"step":"a","status":"completed"},{"step":"b","status":"in_progress"}]}`, ``, "1 of 2 done"},
		{"replace", `{"file_path":"a","old_string":"x","new_string":"y"}`, `{"fileDiff":"--- a\n+++ a\n@@ -1 +1,2 @@\n-x\n+y\n+z\n","fileName":"a"}`, "a +2 −1"},
		{"run_shell_command", `{"command":"ls","description":"x"}`, ``, "ls"},
		{"edit", `{"path":"a","oldText":"x","newText":"y"}`, `{"diff":"-  1 x\n+  1 y\n   2 z\n"}`, "a +1 −1"},
		{"edit_file", `{"path":"a","old_text":"x","new_text":"y"}`, ``, "a +1 −1"},
		{"str_replace_editor", `{"command":"create","path":"a","file_text":"x\ny"}`, ``, "a +2 −0"},
		{"run_command", `{"command":"make"}`, ``, "make"},
		{"find_files", `{"pattern":"*.md"}`, ``, "*.md r"},
		{"delete_file", `{"path":"/w/a"}`, ``, "a"},
		{"todo", `{"items":[{"text":"a","done":true},"b"]}`, ``, "1 of 2 done"},
		{"never_heard_of", `{"a":{"b":1},"c":"first","d":"second"}`, ``, "first"},
		{"never_heard_of", `[]`, ``, ""},
		{"never_heard_of", `not json`, ``, ""},
		{"Edit", `{"file_path":5,"old_string":null}`, `"text"`, "5"},
	}
	for _, tc := range cases {
		t.Run(tc.name+tc.arguments[:min(40, len(tc.arguments))], func(t *testing.T) {
			call := core.Part{Type: core.PartToolCall, Name: tc.name, Arguments: json.RawMessage(tc.arguments)}
			b := shared().card(&call, &core.Part{Structured: json.RawMessage(tc.structured)}, "/w/")
			got := b.Target
			if b.Added+b.Removed > 0 {
				got += fmt.Sprintf(" +%d −%d", b.Added, b.Removed)
			}
			if b.ReadOnly {
				got += " r"
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestStates(t *testing.T) {
	failed := func(text string) *core.Part {
		return &core.Part{IsError: true, Result: []core.Part{{Type: core.PartText, Text: text}}}
	}
	cases := []struct {
		name   string
		call   core.Part
		result *core.Part
		want   ToolState
	}{
		{"no result", core.Part{}, nil, ToolMissing},
		{"run by the provider", core.Part{Server: true}, nil, ToolDone},
		{"a result", core.Part{}, &core.Part{}, ToolDone},
		{"a result that speaks of denials", core.Part{}, &core.Part{Result: []core.Part{{Type: core.PartText, Text: "user rejected"}}}, ToolDone},
		{"an error", core.Part{}, failed("exit code 1"), ToolFailed},
		{"Claude Code", core.Part{}, failed("The user doesn't want to proceed with this tool use. The tool use was rejected"), ToolDenied},
		{"Codex", core.Part{}, failed("exec command rejected by user"), ToolDenied},
		{"far in the output", core.Part{}, failed(strings.Repeat("x ", 500) + "user rejected"), ToolFailed},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := stateOf(&tc.call, tc.result); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func openCard(t *testing.T, call, result core.Part) ToolDetail {
	t.Helper()
	f := newForest(core.Session{ID: "s", WorkspacePath: "/w"})
	call.Type, call.ID, result.Type, result.ID = core.PartToolCall, "1", core.PartToolResult, "1"
	uid := f.add(t, "", said(core.RoleAssistant, text("x"), call))
	answer := f.add(t, uid, said(core.RoleTool, result))
	if result.StructuredBlob != "" {
		f.blobs[result.StructuredBlob] = core.Blob{Data: []byte(`{"filePath":"/w/a.go","structuredPatch":[{"oldStart":7,"newStart":7,"lines":["-x","+y"]}]}`)}
	}
	d, err := shared().Detail(t.Context(), f, f.session, uid, 1, answer)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDetailShowsADiffInsteadOfText(t *testing.T) {
	d := openCard(t, core.Part{Name: "Edit", Arguments: []byte(`{"file_path":"/w/a.go","old_string":"return 1","new_string":"return 2","replace_all":true}`)},
		core.Part{Result: []core.Part{text("ok")}})
	if len(d.Arguments) != 1 || d.Arguments[0].Name != "replace_all" || d.Arguments[0].Value != "true" {
		t.Errorf("arguments %+v", d.Arguments)
	}
	if len(d.Diffs) != 1 || d.Diffs[0].Path != "a.go" || d.Diffs[0].Added != 1 || d.Diffs[0].Removed != 1 {
		t.Fatalf("diffs %+v", d.Diffs)
	}
	want := DiffLine{Op: "-", Text: "return 1", HTML: `<span class="chroma-k">return</span> <span class="chroma-m">1</span>`}
	if got := d.Diffs[0].Hunks[0].Lines[0]; got != want {
		t.Errorf("got %+v", got)
	}
	if len(d.Result) != 1 || d.Result[0].Text != "ok" || d.Structured.Value != "" {
		t.Errorf("result %+v, structured %+v", d.Result, d.Structured)
	}
}

func TestDetailLoadsDataThatWereMovedAway(t *testing.T) {
	d := openCard(t, core.Part{Name: "Edit", Arguments: []byte(`{}`)}, core.Part{StructuredBlob: "sha256:data"})
	if len(d.Diffs) != 1 || d.Diffs[0].Hunks[0].Lines[0].OldLine != 7 {
		t.Errorf("diffs %+v", d.Diffs)
	}
}

// A model's arguments are shown unchanged, one click below the line that shortens them; only output of programs is
// cleaned.
func TestDetailShowsArgumentsToTheLastCharacter(t *testing.T) {
	command, err := json.Marshal(map[string]string{"command": "python3 evil.py #\recho ok\r\n# \x1b]\nls\u202e\x07", "note": "one\rtwo"})
	if err != nil {
		t.Fatal(err)
	}
	d := openCard(t, core.Part{Name: "Bash", Arguments: command}, core.Part{Result: []core.Part{text("10%\r100%")}})
	if got := d.Arguments[0].Value; got != "python3 evil.py #␍echo ok\n# ␛]\nls[U+202E]␇" {
		t.Errorf("command %q", got)
	}
	if got := d.Arguments[1].Value; got != "one␍two" {
		t.Errorf("argument %q", got)
	}
	if got := d.Result[0].Text; got != "100%" {
		t.Errorf("output %q", got)
	}
	d = openCard(t, core.Part{Name: "Edit", Arguments: []byte(`{"file_path":"/w/a.py","old_string":"a\r\n","new_string":"evil()\rprint()\r\n"}`)}, core.Part{})
	if got := d.Diffs[0].Hunks[0].Lines[1].Text; got != "evil()␍print()" {
		t.Errorf("line of the diff %q", got)
	}
}

func TestDetailShowsTasksCodeAndData(t *testing.T) {
	d := openCard(t, core.Part{Name: "TodoWrite", Arguments: []byte(`{"todos":[{"content":"<b>","status":"in_progress"}]}`)}, core.Part{})
	if f := d.Arguments[0]; !f.List || f.HTML != `<ul class="checklist"><li class="doing" dir="auto">◐ &lt;b&gt;</li></ul>` || f.Value != "◐ <b>" {
		t.Errorf("tasks %+v", f)
	}
	d = openCard(t, core.Part{Name: "Bash", Arguments: []byte(`{"command":"if true; then\nls\nfi"}`)}, core.Part{Result: []core.Part{text("\x1b[1ma\x1b[0m\r\n")}})
	if f := d.Arguments[0]; !f.Long || !strings.Contains(f.HTML, "chroma-k") || d.Result[0].Text != "a\n" {
		t.Errorf("command %+v, result %+v", f, d.Result)
	}
	d = openCard(t, core.Part{Name: "ask", Arguments: []byte(`{"q":{"a":[1]}}`)}, core.Part{Structured: []byte(`{"b":2}`), Result: []core.Part{text("two")}})
	if d.Arguments[0].Value != "{\n  \"a\": [\n    1\n  ]\n}" || d.Structured.Value != "{\n  \"b\": 2\n}" {
		t.Errorf("arguments %+v, structured %+v", d.Arguments, d.Structured)
	}
	d = openCard(t, core.Part{Name: "apply_patch", Text: "broken {"}, core.Part{IsError: true})
	if len(d.Arguments) != 1 || d.Arguments[0].Value != "broken {" {
		t.Errorf("what the model wrote: %+v", d.Arguments)
	}
}

func TestDetailStaysBelowAMegabyte(t *testing.T) {
	code := strings.Repeat("if (a < b && c > d) { return \"<tag>\"; }\n", 20_000)
	quoted, err := json.Marshal(code)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := json.Marshal(strings.Repeat("<", 2_000_000))
	if err != nil {
		t.Fatal(err)
	}
	for name, arguments := range map[string]string{
		"Write": `{"file_path":"a.js","content":` + string(quoted) + `}`,
		"Edit":  `{"file_path":"a.js","old_string":` + string(quoted) + `,"new_string":` + string(wide) + `}`,
		"other": `{"a":` + string(quoted) + `,"content":` + string(quoted) + `,"c":` + string(wide) + `,"code":` + string(quoted) + `}`,
	} {
		d := openCard(t, core.Part{Name: name, Arguments: []byte(arguments)}, core.Part{Result: []core.Part{text(code), text(code), text(code)}})
		data, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 1<<20 {
			t.Errorf("%s: %d bytes", name, len(data))
		}
		if name == "Write" && (d.Diffs[0].Added != 20_000 || d.Diffs[0].Omitted == 0) {
			t.Errorf("%s: +%d, %d left out", name, d.Diffs[0].Added, d.Diffs[0].Omitted)
		}
	}
}

// TestDetailShowsTheResultThatIsAskedFor has two answers to one call, as a rewind leaves them.
func TestDetailShowsTheResultThatIsAskedFor(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	call := f.add(t, "", said(core.RoleAssistant, calls("1", "Bash", `{"command":"date"}`)))
	first := f.add(t, call, said(core.RoleTool, answers("1", text("Monday"))))
	second := f.add(t, call, said(core.RoleTool, answers("1", text("Tuesday"))))
	for uid, want := range map[string]string{first: "Monday", second: "Tuesday", "": ""} {
		d, err := shared().Detail(t.Context(), f, f.session, call, 0, uid)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(d.Result) > 0 {
			got = d.Result[0].Text
		}
		if got != want {
			t.Errorf("result in %q: %q, want %q", uid, got, want)
		}
	}
	if _, err := shared().Detail(t.Context(), f, f.session, call, 0, "gone"); core.CodeOf(err) != core.NotFound {
		t.Errorf("a result that is gone: %v", err)
	}
}

// TestCutTextsAreMarked cuts texts in every possible way.
func TestCutTextsAreMarked(t *testing.T) {
	long := strings.Repeat("many words\n", 10_000)
	stored := core.Part{Type: core.PartText, Text: "the beginning", Truncated: &core.Truncated{SizeBytes: 9000, LineCount: 90, Blob: "sha256:a"}}
	shown := core.Part{Type: core.PartText, Text: "head … tail", Truncated: &core.Truncated{SizeBytes: 7000, LineCount: 70, Blob: "sha256:b", Shown: true}}
	d := openCard(t, core.Part{Name: "Bash", Arguments: []byte(`{"command":"make","note":` + strconv.Quote(long) + `}`)},
		core.Part{Structured: []byte(`{"log":` + strconv.Quote(long) + `}`), Result: []core.Part{text("all"), text(long), stored, shown}})
	type marks struct {
		cut, shown bool
		blob       string
	}
	var got []marks
	for _, b := range d.Result {
		got = append(got, marks{b.Cut, b.Shown, b.Blob})
	}
	if want := []marks{{}, {cut: true}, {cut: true, blob: "sha256:a"}, {shown: true, blob: "sha256:b"}}; !slices.Equal(got, want) {
		t.Errorf("results %+v, want %+v", got, want)
	}
	if d.Arguments[0].Cut || !d.Arguments[1].Cut {
		t.Errorf("arguments cut: %v, %v", d.Arguments[0].Cut, d.Arguments[1].Cut)
	}
	d = openCard(t, core.Part{Name: "ask", Arguments: []byte(`{}`)}, core.Part{Structured: []byte(`{"log":` + strconv.Quote(long) + `}`)})
	if !d.Structured.Cut {
		t.Error("data that are cut do not say so")
	}

	f := newForest(core.Session{ID: "s"})
	uid := ""
	for range 6 {
		uid = f.add(t, uid, said(core.RoleAssistant, text(long)))
	}
	f.add(t, uid, said(core.RoleAssistant, text("short"), stored, core.Part{Type: "video", Native: []byte(strconv.Quote(long))}))
	var cuts []bool
	for _, m := range view(t, f, 0, 0).Messages {
		for _, b := range m.Blocks {
			cuts = append(cuts, b.Cut)
		}
	}
	// Two of them fill the page.
	if want := []bool{false, false, true, true, true, true, false, true, true}; !slices.Equal(cuts, want) {
		t.Errorf("cut: %v, want %v", cuts, want)
	}
}

func TestDetailOfWhatIsNoCall(t *testing.T) {
	f := conversation(t)
	for part, want := range map[int64]core.Code{0: core.Invalid, 9: core.NotFound, -1: core.NotFound} {
		if _, err := shared().Detail(t.Context(), f, f.session, "uid-1", part, ""); core.CodeOf(err) != want {
			t.Errorf("part %d: %v", part, err)
		}
	}
	if _, err := shared().Detail(t.Context(), f, f.session, "none", 0, ""); core.CodeOf(err) != core.NotFound {
		t.Errorf("no such message: %v", err)
	}
	if d, err := shared().Detail(t.Context(), f, f.session, "uid-2", 0, ""); err != nil || d.Result[0].Text != "line\nline\n" {
		t.Errorf("a result by itself: %+v, %v", d, err)
	}
}
