package render

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
)

func view(t *testing.T, f *forest, from, limit int64) WindowView {
	t.Helper()
	w, err := f.Window(t.Context(), "", "", from, limit)
	if err != nil {
		t.Fatal(err)
	}
	session, _ := f.Session(t.Context(), "")
	got, err := shared().Window(t.Context(), f, session, w)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func conversation(t *testing.T) *forest {
	f := newForest(core.Session{ID: "s", WorkspacePath: "/home/ann/app"})
	a := f.add(t, "", said(core.RoleUser, text("fix\nit")))
	b := f.add(t, a, said(core.RoleAssistant, core.Part{Type: core.PartReasoning, Text: "first\nthen"}, text("**Looking.**"),
		calls("1", "Read", `{"file_path":"/home/ann/app/a.go","offset":3,"limit":4}`), calls("2", "Grep", `{"pattern":"x","path":"/home/ann/app/src"}`)))
	one, two := answers("1", text("line\nline\n")), answers("2", text("no"))
	two.IsError = true
	c := f.add(t, b, said(core.RoleTool, one))
	d := f.add(t, c, said(core.RoleTool, two))
	e := f.add(t, d, said(core.RoleAssistant, calls("3", "Edit", `{"file_path":"/home/ann/app/a.go","old_string":"x","new_string":"y\nz"}`)))
	three := answers("3", text("done"))
	three.DurationMs = 12
	g := f.add(t, e, said(core.RoleTool, three))
	h := f.add(t, g, said(core.RoleAssistant, calls("4", "Task", `{"description":"look","subagent_type":"explorer"}`), calls("5", "Bash", `{"command":"rm -rf /"}`)))
	four, five := answers("4", text("found")), answers("5", text("The user doesn't want to proceed with this tool use."))
	four.Structured, five.IsError = []byte(`{"agentId":"a1"}`), true
	i := f.add(t, h, said(core.RoleTool, four, five))
	f.add(t, i, said(core.RoleUser, text("more")))
	f.labels = []core.Label{{Turn: 1, UID: "uid-8", Text: "plan"}}
	f.children = []core.Session{{ID: "child", SourceID: "x/a1", ParentUID: h}}
	return f
}

func TestWindowPairsCallsAndResults(t *testing.T) {
	got := view(t, conversation(t), 0, 0)
	hidden := ""
	for _, m := range got.Messages {
		hidden += map[bool]string{true: "h", false: "."}[m.Hidden]
	}
	if hidden != "..hh.h.h." {
		t.Errorf("hidden: %s", hidden)
	}
	cards := []Block{}
	for _, m := range got.Messages {
		for _, b := range m.Blocks {
			if b.Type == BlockTool {
				b.SizeBytes, b.Lines, b.Preview = 0, 0, nil
				cards = append(cards, b)
			}
		}
	}
	want := []Block{
		{Type: BlockTool, Part: 2, CallID: "1", ToolName: "Read", Target: "a.go:3–6", State: ToolDone, ReadOnly: true, ResultUID: "uid-2"},
		{Type: BlockTool, Part: 3, CallID: "2", ToolName: "Grep", Target: "x in src", State: ToolFailed, ReadOnly: true, ResultUID: "uid-3"},
		{Type: BlockTool, CallID: "3", ToolName: "Edit", Target: "a.go", State: ToolDone, Added: 2, Removed: 1, DurationMs: 12, ResultUID: "uid-5"},
		{Type: BlockTool, CallID: "4", ToolName: "Task", Target: "explorer: look", State: ToolDone, ChildID: "child", ResultUID: "uid-7"},
		{Type: BlockTool, Part: 1, CallID: "5", ToolName: "Bash", Target: "rm -rf /", State: ToolDenied, ResultUID: "uid-7"},
	}
	for i := range want {
		if i >= len(cards) || !reflect.DeepEqual(cards[i], want[i]) {
			t.Errorf("card %d: got\n%+v\nwant\n%+v", i, cards[i], want[i])
		}
	}
	if m := got.Messages[8]; !m.TurnStart || m.Label != "plan" {
		t.Errorf("the labelled turn: %+v", m)
	}
	if got.Messages[0].Blocks[0].HTML != "<p dir=\"auto\">fix<br>\nit</p>\n" {
		t.Errorf("the prompt: %q", got.Messages[0].Blocks[0].HTML)
	}
	if b := got.Messages[1].Blocks[0]; b.Type != BlockReasoning || b.Text != "first" || b.Lines != 2 {
		t.Errorf("the reasoning: %+v", b)
	}
}

// TestWindowsAgree checks that a message looks the same in whichever window it is read.
func TestWindowsAgree(t *testing.T) {
	f := conversation(t)
	whole := view(t, f, 0, 0)
	for from := range whole.Length {
		for limit := int64(1); limit <= whole.Length-from; limit++ {
			part := view(t, f, from, limit)
			for i, m := range part.Messages {
				got, _ := json.Marshal(m)
				want, _ := json.Marshal(whole.Messages[from+int64(i)])
				if string(got) != string(want) {
					t.Errorf("window %d+%d, message %d: got\n%s\nwant\n%s", from, limit, i, got, want)
				}
			}
		}
	}
}

func TestWindowShowsWhatHasNoPlace(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	a := f.add(t, "", core.Message{Role: core.RoleUser, Kind: core.KindMeta, Parts: []core.Part{text("<reminder>\x1b[1mx")}})
	b := f.add(t, a, said(core.RoleTool, answers("lost", text("orphan"))))
	c := f.add(t, b, said(core.RoleAssistant, calls("9", "Nonsense", `{"n":1,"what":"this"}`), core.Part{Type: core.PartReasoning},
		core.Part{Type: core.PartReasoning, Redacted: true}, core.Part{Type: "future", Native: []byte(`{"a":1}`)},
		core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Blob: "sha256:x", Name: "a.png", Width: 2}}))
	f.add(t, c, core.Message{Role: core.RoleUser, Kind: core.KindCompaction, Parts: []core.Part{{Type: core.PartSummary, Text: "# Sum"}}})
	got := view(t, f, 0, 0)
	var types []string
	for _, m := range got.Messages {
		for _, b := range m.Blocks {
			types = append(types, fmt.Sprintf("%s:%s%s", b.Type, b.Text, b.Target))
		}
	}
	want := []string{
		"meta:<reminder>x", "result:orphan", "tool:this", "reasoning:Withheld by the provider", "other:{\n  \"a\": 1\n}", "media:", "summary:# Sum",
	}
	if strings.Join(types, "|") != strings.Join(want, "|") {
		t.Errorf("got %q", types)
	}
	if got.Messages[2].Blocks[0].State != ToolMissing {
		t.Errorf("a call without result: %+v", got.Messages[2].Blocks[0])
	}
}

func TestWindowStaysBelowAMegabyte(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	parent := ""
	for range 100 {
		parent = f.add(t, parent, said(core.RoleAssistant, text(strings.Repeat("word *and* word\n", 4000))))
	}
	whole := view(t, f, 0, 0)
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 1<<20 || len(whole.Messages) != 100 {
		t.Errorf("%d messages are %d bytes", len(whole.Messages), len(data))
	}
	if alone := view(t, f, 99, 1); len(alone.Messages[0].Blocks[0].HTML) < 64_000 {
		t.Error("a message asked for alone is cut")
	}
}

func TestReadingAroundAWindowIsBounded(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	parent := f.add(t, "", said(core.RoleAssistant, calls("never", "Bash", `{}`)))
	for range 1000 {
		parent = f.add(t, parent, said(core.RoleUser, text("x")))
	}
	f.reads = 0
	view(t, f, 0, 10)
	if f.reads > 10+reach {
		t.Errorf("%d messages were read", f.reads)
	}
}

func TestImagesOfResultsAreOnTheirCards(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	shot := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Blob: "sha256:shot", Name: "shot.png", Width: 640, Height: 480}}
	lost := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", URI: "file-service://file-1"}}
	sound := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "audio/wav", Blob: "sha256:sound"}}
	a := f.add(t, "", said(core.RoleUser, text("draw")))
	b := f.add(t, a, said(core.RoleAssistant, calls("1", "screenshot", `{}`)))
	f.add(t, b, said(core.RoleTool, answers("1", text("taken"), shot, lost, sound), answers("nobody's", shot)))
	got := view(t, f, 0, 0)
	want := []Block{{Type: BlockMedia, Part: 1, MimeType: "image/png", Blob: "sha256:shot", Name: "shot.png", Width: 640, Height: 480}}
	if images := got.Messages[1].Blocks[0].Images; !reflect.DeepEqual(images, want) {
		t.Errorf("on the card of the call: %+v", images)
	}
	want[0].Part = 0
	if blocks := got.Messages[2].Blocks; len(blocks) != 1 || !reflect.DeepEqual(blocks[0].Images, want) {
		t.Errorf("on the card of a result without a call: %+v", blocks)
	}
	if images := got.Messages[0].Blocks[0].Images; images != nil {
		t.Errorf("of a prompt: %+v", images)
	}
}

// TestWindowShowsHiddenCharacters searches everything that the window gets of a message for characters that reverse or
// hide text.
func TestWindowShowsHiddenCharacters(t *testing.T) {
	const hostile = "a\x1b[31m\u202eb\u2066"
	f := newForest(core.Session{ID: "s", Source: core.SourceClaudeCode})
	prompt := f.add(t, "", said(core.RoleUser, text(hostile)))
	f.add(t, prompt, core.Message{
		Role: core.RoleAssistant, Kind: core.KindMessage, Name: hostile, Agent: hostile, Model: hostile, Error: hostile,
		Parts: []core.Part{text(hostile), calls("c", hostile, `{"command":"`+"a\u202eb"+`"}`), {Type: core.PartMedia, Media: &core.Media{Name: hostile, MimeType: hostile, URI: hostile}}},
	})
	f.labels = []core.Label{{UID: prompt, Text: hostile}}
	w, err := f.Window(t.Context(), "s", "", 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	view, err := shared().Window(t.Context(), f, f.session, w)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{`\u001b`, "\u202e", "\u2066"} {
		if at := strings.Index(string(data), hidden); at >= 0 {
			t.Errorf("%q is shown as it is: …%s", hidden, data[max(0, at-80):at+10])
		}
	}
}
