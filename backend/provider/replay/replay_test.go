package replay_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/provider/replay"
)

// recording builds a tree, message by message.
type recording []core.Message

func (r *recording) add(parent string, role core.Role, parts ...core.Part) string {
	uid := fmt.Sprint(len(*r))
	*r = append(*r, core.Message{UID: uid, ParentUID: parent, Role: role, Kind: core.KindMessage, Parts: parts, Model: "anthropic/claude"})
	return uid
}

func (r *recording) all() iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for _, m := range *r {
			if !yield(m, nil) {
				return
			}
		}
	}
}

// path returns the messages that a model receives at a message.
func (r *recording) path(uid string) []core.Message {
	var path []core.Message
	for uid != "" {
		for _, m := range *r {
			if m.UID == uid {
				path = append([]core.Message{m}, path...)
				uid = m.ParentUID
				break
			}
		}
	}
	return path
}

func text(s string) core.Part { return core.Part{Type: core.PartText, Text: s} }

func call(id string) core.Part {
	return core.Part{Type: core.PartToolCall, ID: id, Name: "read_file", Arguments: []byte(`{"path":"a"}`), Native: []byte(`{"secret":1}`)}
}

func result(id, s string) core.Part {
	return core.Part{Type: core.PartToolResult, ID: id, Result: []core.Part{text(s)}}
}

func load(t *testing.T, r *recording) *replay.Model {
	t.Helper()
	m, err := replay.New("session", r.all())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ask(t *testing.T, m *replay.Model, messages ...core.Message) (*core.Message, error) {
	t.Helper()
	var last core.StreamEvent
	var failure error
	for event, err := range m.Stream(t.Context(), core.Request{Model: "session", Messages: messages}) {
		if last.Message != nil {
			t.Fatal("an event after the last")
		}
		last, failure = event, err
	}
	if last.Message == nil || (last.Type == core.StreamDone) != (failure == nil) {
		t.Fatalf("the last event is %+v, %v", last, failure)
	}
	return last.Message, failure
}

func said(m *core.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(p.Text + p.ID)
	}
	return b.String()
}

func TestSameWordsGetTheSameAnswer(t *testing.T) {
	var r recording
	prompt := r.add("", core.RoleUser, text("look at  a"))
	first := r.add(prompt, core.RoleAssistant, text("looking"), call("c1"), call("c2"))
	r[1].Usage = &core.Usage{InputTokens: 100, OutputTokens: 20, CacheReadTokens: 50, Native: []byte(`{}`)}
	cost := int64(5)
	r[1].CostNanoUSD = &cost
	tool := r.add(first, core.RoleTool, result("c1", "A"))
	tool = r.add(tool, core.RoleTool, result("c2", "B")) // the engine puts both into one message
	r.add(tool, core.RoleAssistant, text("it says A and B"))

	m := load(t, &r)
	user := core.Message{Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{text("look\nat a")}}
	answer, err := ask(t, m, user)
	if err != nil || said(answer) != "lookingc1c2" || answer.FinishReason != core.FinishToolCall {
		t.Fatalf("got %+v, %v", answer, err)
	}
	if u := answer.Usage; u.InputTokens != 100 || u.OutputTokens != 20 || u.CacheReadTokens != 50 || *answer.CostNanoUSD != 0 {
		t.Errorf("usage %+v, cost %d", u, *answer.CostNanoUSD)
	}
	if answer.Parts[1].Native != nil || answer.Origin.Provider != "replay" || answer.Origin.ResponseModel != "anthropic/claude" {
		t.Errorf("got %+v", answer)
	}
	results := core.Message{Role: core.RoleTool, Kind: core.KindMessage, Parts: []core.Part{result("c1", "A"), result("c2", "B")}}
	answer, err = ask(t, m, user, *answer, results)
	if err != nil || said(answer) != "it says A and B" || answer.FinishReason != core.FinishStop {
		t.Errorf("got %+v, %v", answer, err)
	}
	results.Parts[1] = result("c2", "something else today")
	answer, err = ask(t, m, user, core.Message{Role: core.RoleAssistant}, results)
	if err != nil || said(answer) != "it says A and B" {
		t.Errorf("with another result: got %+v, %v", answer, err)
	}
}

func TestAlternativesRotate(t *testing.T) {
	var r recording
	prompt := r.add("", core.RoleUser, text("hello"))
	r.add(prompt, core.RoleAssistant, text("one"))
	r.add(prompt, core.RoleAssistant, text("broken"))
	r[2].FinishReason = core.FinishError
	r.add(prompt, core.RoleAssistant, text("two"))
	m := load(t, &r)
	for _, want := range []string{"one", "two", "one"} {
		if answer, err := ask(t, m, r[0]); err != nil || said(answer) != want {
			t.Errorf("got %+v, %v, want %s", answer, err, want)
		}
	}
}

// Some tools record the text and the call of one answer as two messages.
func TestSplitAnswersAreOne(t *testing.T) {
	var r recording
	prompt := r.add("", core.RoleUser, text("hello"))
	begin := r.add(prompt, core.RoleAssistant, text("let me see"))
	r.add(begin, core.RoleAssistant, call("c1"))
	r.add(begin, core.RoleAssistant, call("c2"))
	m := load(t, &r)
	for _, want := range []string{"let me seec1", "let me seec2"} {
		if answer, err := ask(t, m, r[0]); err != nil || said(answer) != want || answer.FinishReason != core.FinishToolCall {
			t.Errorf("got %+v, %v, want %s", answer, err, want)
		}
	}
}

func TestNearestPrompt(t *testing.T) {
	var r recording
	for _, p := range []string{"please refactor the auth module", "what is the weather in Paris"} {
		r.add(r.add("", core.RoleUser, text(p)), core.RoleAssistant, text("answer to "+p))
	}
	m := load(t, &r)
	ask1 := func(s string) (*core.Message, error) {
		return ask(t, m, core.Message{Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{text(s)}})
	}
	if answer, err := ask1("Refactor the auth module, please!"); err != nil || said(answer) != "answer to please refactor the auth module" {
		t.Errorf("got %+v, %v", answer, err)
	}
	if _, err := ask1("write a poem"); core.CodeOf(err) != core.NotFound || core.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
	if _, err := ask(t, m, r[0], r[1], core.Message{Role: core.RoleTool, Parts: []core.Part{result("x", "y")}}); core.CodeOf(err) != core.NotFound {
		t.Errorf("got %v", err)
	}
}

func TestSessionsThatCannotBeReplayed(t *testing.T) {
	var r recording
	r.add("", core.RoleUser, text("hello"))
	if _, err := replay.New("s", r.all()); core.CodeOf(err) != core.Invalid {
		t.Errorf("got %v", err)
	}
	broken := func(yield func(core.Message, error) bool) { yield(core.Message{}, errors.New("disk")) }
	if _, err := replay.New("s", broken); err == nil || core.CodeOf(err) != core.Internal {
		t.Errorf("got %v", err)
	}
}

// For every recorded tree, each place that has answers returns one of them, and repeated calls return all of them in
// turn.
func TestEveryAnswerCanBePlayed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var r recording
		uids := []string{r.add("", core.RoleUser, text("prompt 0"))}
		for i := range rapid.IntRange(1, 30).Draw(rt, "size") {
			parent := rapid.IntRange(0, len(uids)-1).Draw(rt, "parent")
			switch r[parent].Role {
			case core.RoleUser, core.RoleTool:
				uids = append(uids, r.add(uids[parent], core.RoleAssistant, text(fmt.Sprintf("answer %d", i)), call(fmt.Sprintf("c%d", i))))
			default:
				if rapid.Bool().Draw(rt, "tool") {
					uids = append(uids, r.add(uids[parent], core.RoleTool, result("c", fmt.Sprintf("result %d", i))))
				} else {
					uids = append(uids, r.add(uids[parent], core.RoleUser, text(fmt.Sprintf("prompt %d", i))))
				}
			}
		}
		model, err := replay.New("s", r.all())
		if len(uids) == 1 {
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		for _, m := range r {
			if m.Role == core.RoleAssistant {
				continue
			}
			want, got := map[string]bool{}, map[string]bool{}
			for _, child := range r {
				if child.ParentUID == m.UID && child.Role == core.RoleAssistant {
					want[said(&child)] = true
				}
			}
			for range want {
				answer, err := ask(t, model, r.path(m.UID)...)
				if err != nil {
					rt.Fatal(err)
				}
				got[said(answer)] = true
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				rt.Fatalf("after %s: got %v, want %v", m.UID, got, want)
			}
		}
	})
}
