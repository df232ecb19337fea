package render

import (
	"fmt"
	"slices"
	"testing"

	"coppice/backend/core"
)

// longTurn is a session of one prompt, steps pairs of a call and its result, and an answer.
func longTurn(t testing.TB, steps int) (*forest, core.Session) {
	t.Helper()
	f := newForest(core.Session{ID: "s", WorkspacePath: "/w"})
	uid := f.add(t, "", said(core.RoleUser, text("fix it")))
	for i := range steps {
		id := fmt.Sprint(i)
		uid = f.add(t, uid, said(core.RoleAssistant, text("step"), calls(id, "Bash", fmt.Sprintf(`{"command":"make %d"}`, i))))
		uid = f.add(t, uid, said(core.RoleTool, answers(id, text("ok"))))
	}
	f.add(t, uid, said(core.RoleAssistant, text("**Fixed.**")))
	session, _ := f.Session(t.Context(), "")
	return f, session
}

// A digest of a turn of any length reads its two ends.
func TestDigestsReadTheEnds(t *testing.T) {
	for _, steps := range []int{0, 1, 400} {
		f, session := longTurn(t, steps)
		f.reads = 0
		count := int64(2*steps + 2)
		got, err := shared().Digests(t.Context(), f, session, "", []Span{{0, count}})
		if err != nil || len(got) != 1 {
			t.Fatal(got, err)
		}
		d := got[0]
		if d.Prompt == nil || d.Prompt.Depth != 0 || d.Answer == nil || d.Answer.Depth != count-1 || len(d.Answer.Blocks) != 1 {
			t.Fatalf("%d steps: %+v", steps, d)
		}
		if d.HasWork != (steps > 0) {
			t.Errorf("%d steps: work %v", steps, d.HasWork)
		}
		if f.reads > promptReach+answerReach {
			t.Errorf("%d steps: %d reads", steps, f.reads)
		}
	}
}

func TestPromptAndAnswer(t *testing.T) {
	user, meta := said(core.RoleUser, text("do")), said(core.RoleUser, text("reminder"))
	meta.Kind = core.KindMeta
	call, said1 := said(core.RoleAssistant, calls("1", "Bash", `{}`)), said(core.RoleAssistant, text("words"))
	result := said(core.RoleTool, answers("1", text("ok")))
	for name, c := range map[string]struct {
		messages       []core.Message
		prompt, answer int
	}{
		"empty":                        {nil, -1, -1},
		"a prompt alone":               {[]core.Message{user}, 0, -1},
		"a reminder before the prompt": {[]core.Message{meta, user, said1}, 1, 2},
		"words before the last call":   {[]core.Message{user, said1, call, result}, 0, 1},
		"no words":                     {[]core.Message{user, call, result, call}, 0, 3},
		"a fork below a prompt":        {[]core.Message{said1, call}, -1, 0},
		"a reminder after the answer":  {[]core.Message{user, said1, meta}, 0, 1},
	} {
		if prompt, answer := promptAndAnswer(c.messages); prompt != c.prompt || answer != c.answer {
			t.Errorf("%s: got %d, %d", name, prompt, answer)
		}
	}
}

func TestTurnWorkAndCalls(t *testing.T) {
	f, session := longTurn(t, 300)
	turn := Span{0, 602}
	work, err := shared().TurnWork(t.Context(), f, session, "", turn)
	if err != nil || work.Steps != 301 || work.Calls != 300 || work.Partial {
		t.Fatalf("%+v %v", work, err)
	}
	page, err := shared().TurnCalls(t.Context(), f, session, "", turn, PhaseRan, 290, 1000)
	if err != nil || page.Total != 300 || len(page.Messages) != 10 {
		t.Fatalf("%d of %d, %v", len(page.Messages), page.Total, err)
	}
	first := page.Messages[0].Blocks[0]
	if first.Target != "make 290" || first.State != ToolDone || first.Part != 1 {
		t.Errorf("%+v", first)
	}
	if none, _ := shared().TurnCalls(t.Context(), f, session, "", turn, PhaseEdited, 0, 10); none.Total != 0 || none.Messages == nil {
		t.Errorf("%+v", none)
	}
}

// Where a prompt is answered at once, its reasoning is folded above the answer; where there were calls, it is part of the work.
func TestDigestKeepsTheReasoningOfASimpleAnswer(t *testing.T) {
	thought := core.Part{Type: core.PartReasoning, Text: "One word will do."}
	for _, c := range []struct {
		name    string
		answer  []core.Part
		steps   int
		blocks  []BlockType
		hasWork bool
	}{
		{"answered at once", []core.Part{thought, text("Yes.")}, 0, []BlockType{BlockReasoning, BlockProse}, false},
		{"after calls", []core.Part{thought, text("Yes.")}, 1, []BlockType{BlockProse}, true},
		{"with a call", []core.Part{thought, text("Yes."), calls("z", "Bash", `{"command":"ls"}`)}, 0, []BlockType{BlockProse}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newForest(core.Session{ID: "s", WorkspacePath: "/w"})
			uid := f.add(t, "", said(core.RoleUser, text("Will it do?")))
			for range c.steps {
				uid = f.add(t, uid, said(core.RoleAssistant, calls("a", "Bash", `{"command":"make"}`)))
				uid = f.add(t, uid, said(core.RoleTool, answers("a", text("ok"))))
			}
			f.add(t, uid, said(core.RoleAssistant, c.answer...))
			session, _ := f.Session(t.Context(), "")
			got, err := shared().Digests(t.Context(), f, session, "", []Span{{0, int64(2*c.steps + 2)}})
			if err != nil || got[0].Answer == nil {
				t.Fatal(got, err)
			}
			var blocks []BlockType
			for _, b := range got[0].Answer.Blocks {
				blocks = append(blocks, b.Type)
			}
			if !slices.Equal(blocks, c.blocks) || got[0].HasWork != c.hasWork {
				t.Errorf("blocks %v, work %v", blocks, got[0].HasWork)
			}
		})
	}
}
