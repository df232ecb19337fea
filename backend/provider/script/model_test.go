package script_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/script"
)

// load returns a model that plays a script given as JSON.
func load(t *testing.T, text string) *script.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := script.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return script.New(s)
}

func user(text string) core.Message {
	return core.Message{Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: text}}}
}

func result(call core.Part, text string) core.Message {
	part := core.Part{Type: core.PartToolResult, ID: call.ID, Name: call.Name, Result: []core.Part{{Type: core.PartText, Text: text}}}
	return core.Message{Role: core.RoleTool, Kind: core.KindMessage, Parts: []core.Part{part}}
}

// ask reads a whole answer, and checks what every stream must guarantee: pieces, then one last event.
func ask(t *testing.T, ctx context.Context, m *script.Model, messages ...core.Message) (*core.Message, error) {
	t.Helper()
	r := core.Request{Model: "test", Messages: messages, Tools: []core.ToolSpec{{Name: "write_file"}}}
	return take(t, ctx, m, r)
}

func take(t *testing.T, ctx context.Context, m *script.Model, r core.Request) (*core.Message, error) {
	t.Helper()
	var pieces []string
	var last core.StreamEvent
	var failure error
	for event, err := range m.Stream(ctx, r) {
		if last.Message != nil {
			t.Fatalf("%v after the last event", event)
		}
		last, failure = event, err
		if event.Message != nil {
			continue
		}
		if err != nil {
			t.Fatalf("an error with a piece: %v", err)
		}
		for len(pieces) <= event.Index {
			pieces = append(pieces, "")
		}
		pieces[event.Index] += event.Text
	}
	if last.Message == nil || (last.Type == core.StreamDone) != (failure == nil) {
		t.Fatalf("the last event is %+v with %v", last, failure)
	}
	for i, part := range last.Message.Parts {
		said := part.Text
		if part.Arguments != nil {
			said = string(part.Arguments)
		}
		if said != pieces[i] {
			t.Errorf("part %d is %q, its pieces %q", i, said, pieces[i])
		}
	}
	return last.Message, failure
}

func text(m *core.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		if p.Type == core.PartText {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

const story = `{"name": "story", "turns": [
	{"match": "(?i)weather", "alternatives": [[{"text": "Rain."}]]},
	{"alternatives": [
		[{"text": "first", "toolCalls": [{"name": "write_file", "arguments": {"path": "a", "content": "{{prompt}}"}}]}, {"text": "wrote: {{result}}"}],
		[{"text": "second", "toolCalls": [{"name": "write_file", "arguments": {}}]}, {"text": "wrote as well"}]
	]},
	{"alternatives": [[{"text": "turn {{turn}}: {{prompt}}"}]]}
]}`

func TestTurnsFollowThePrompts(t *testing.T) {
	m := load(t, story)
	said := []core.Message{}
	for _, c := range []struct{ prompt, want string }{
		{"one", "first"},
		{"The weather?", "Rain."},
		{"two\n  lines", "turn 3: two lines"},
		{"again", "first"}, // after the last it starts again
	} {
		said = append(said, user(c.prompt))
		answer, err := ask(t, t.Context(), m, said...)
		if err != nil || text(answer) != c.want {
			t.Errorf("%s: got %q, %v", c.prompt, text(answer), err)
		}
		said = append(said, *answer)
	}
}

// A second process knows only the conversation, and continues where the first one stopped.
func TestPositionIsInTheConversation(t *testing.T) {
	prompt := user("say \"hi\"\n{{result}}")
	first := load(t, story)
	if _, err := ask(t, t.Context(), first, prompt); err != nil {
		t.Fatal(err)
	}
	second, err := ask(t, t.Context(), first, prompt)
	if err != nil || text(second) != "second" {
		t.Fatalf("got %q, %v", text(second), err)
	}
	last, err := ask(t, t.Context(), load(t, story), prompt, *second, result(second.Parts[1], "ok"))
	if err != nil || text(last) != "wrote as well" {
		t.Errorf("got %q, %v", text(last), err)
	}
}

func TestAlternativesRotateByPrompt(t *testing.T) {
	m := load(t, story)
	var got []string
	for _, prompt := range []string{"a", "a", "b", "a", "b"} {
		answer, err := ask(t, t.Context(), m, user(prompt))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, text(answer))
	}
	if want := []string{"first", "second", "first", "first", "second"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCallsAreWholeAndFilled(t *testing.T) {
	answer, err := ask(t, t.Context(), load(t, story), user("say \"hi\"\n\\"))
	if err != nil {
		t.Fatal(err)
	}
	call := answer.Parts[1]
	var arguments struct{ Path, Content string }
	if err := json.Unmarshal(call.Arguments, &arguments); err != nil || arguments.Content != `say "hi" \` {
		t.Errorf("got %s, %v", call.Arguments, err)
	}
	other, err := ask(t, t.Context(), load(t, story), user("x"))
	if err != nil || other.Parts[1].ID == call.ID || call.ID == "" {
		t.Errorf("IDs %q and %q, %v", call.ID, other.Parts[1].ID, err)
	}
	if answer.FinishReason != core.FinishToolCall || answer.Usage == nil || answer.Usage.OutputTokens == 0 {
		t.Errorf("got %+v", answer)
	}
}

func TestBrokenArgumentsStayText(t *testing.T) {
	m := load(t, `{"name": "x", "turns": [{"alternatives": [[{"toolCalls": [
		{"name": "write_file", "arguments": "{\"path\": "}, {"name": "write_file", "arguments": ""}, {"name": "write_file"}
	]}]]}]}`)
	answer, err := ask(t, t.Context(), m, user("x"))
	if err != nil || len(answer.Parts) != 3 {
		t.Fatalf("got %+v, %v", answer, err)
	}
	if p := answer.Parts[0]; p.Arguments != nil || p.Text != `{"path": ` {
		t.Errorf("got %+v", p)
	}
	for _, p := range answer.Parts[1:] {
		if string(p.Arguments) != "{}" {
			t.Errorf("got %+v", p)
		}
	}
}

func TestNoCallsWithoutTools(t *testing.T) {
	m := load(t, story)
	for _, r := range []core.Request{
		{Messages: []core.Message{user("x")}},
		{Messages: []core.Message{user("y")}, Tools: []core.ToolSpec{{Name: "write_file"}}, ToolChoice: core.ToolChoiceNone},
	} {
		answer, err := take(t, t.Context(), m, r)
		if err != nil || len(answer.Parts) != 1 || answer.FinishReason != core.FinishStop {
			t.Errorf("got %+v, %v", answer, err)
		}
	}
}

func TestFaultsPassWhenTriedAgain(t *testing.T) {
	m := load(t, `{"name": "x", "turns": [{"alternatives": [
		[{"text": "äöü and more", "error": {"code": "overloaded", "retryAfterMs": 70, "times": 2}}],
		[{"text": "äöü and more", "cutAfterBytes": 3}],
		[{"reasoning": "why", "text": "never", "error": {"code": "auth", "message": "who are you", "times": -1}}]
	]}]}`)
	steps := []struct {
		code   core.Code
		text   string
		waitMs int64
	}{
		{core.Overloaded, "äöü and more", 70},
		{core.Overloaded, "äöü and more", 70},
		{"", "äöü and more", 0},
		{core.TruncatedStream, "ä", 0},
		{"", "äöü and more", 0},
		{core.Auth, "never", 0},
		{core.Auth, "never", 0},
	}
	for i, s := range steps {
		answer, err := ask(t, t.Context(), m, user("x"))
		if core.CodeOf(err) != s.code || text(answer) != s.text {
			t.Errorf("%d: got %q, %v", i, text(answer), err)
		}
		if e, ok := err.(*core.Error); ok && e.RetryAfterMs != s.waitMs { //nolint:errorlint // it is the error itself
			t.Errorf("%d: wait %d", i, e.RetryAfterMs)
		}
	}
}

// A partial call is not a call, at whatever byte the stream is cut.
func TestCutStreamsGiveNoCall(t *testing.T) {
	for cut := range 24 {
		data := fmt.Sprintf(`{"name": "x", "turns": [{"alternatives": [[{"text": "héllo", "toolCalls":
			[{"name": "write_file", "arguments": {"path": "ü.txt"}}], "cutAfterBytes": %d}]]}]}`, cut)
		answer, err := ask(t, t.Context(), load(t, data), user("x"))
		if core.CodeOf(err) != core.TruncatedStream || answer.FinishReason == core.FinishToolCall {
			t.Fatalf("%d: got %+v, %v", cut, answer, err)
		}
		for _, p := range answer.Parts {
			if p.Type != core.PartText || !strings.HasPrefix("héllo", p.Text) {
				t.Errorf("%d: got %+v", cut, p)
			}
		}
	}
}

// A script whose last step calls tools repeats the calls, so that loop detection can be tested.
func TestLastStepRepeatsWhileItCalls(t *testing.T) {
	m := load(t, `{"name": "x", "turns": [{"alternatives": [[{"toolCalls": [{"name": "write_file"}]}]]}]}`)
	said := []core.Message{user("x")}
	for range 5 {
		answer, err := ask(t, t.Context(), m, said...)
		if err != nil || len(answer.Parts) != 1 {
			t.Fatalf("got %+v, %v", answer, err)
		}
		said = append(said, *answer, result(answer.Parts[0], "ok"))
	}
	m = load(t, `{"name": "x", "turns": [{"alternatives": [[{"text": "end"}]]}]}`)
	if _, err := ask(t, t.Context(), m, said...); core.CodeOf(err) != core.Invalid || core.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
}

func TestCancelEndsAtOnce(t *testing.T) {
	m := load(t, `{"name": "x", "tokensPerSecond": 1000, "turns": [{"alternatives": [[{"text": "a long answer of many pieces"}], [{"text": "x", "delayMs": 3600000}]]}]}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	count := 0
	for event, err := range m.Stream(ctx, core.Request{Messages: []core.Message{user("x")}}) {
		if count++; count == 2 {
			cancel()
		}
		if event.Message != nil && (event.Type != core.StreamAborted || core.CodeOf(err) != core.Canceled || !strings.HasPrefix("a long answer", text(event.Message)) || text(event.Message) == "") {
			t.Errorf("got %+v, %v", event, err)
		}
	}
	if count != 3 {
		t.Errorf("%d events", count)
	}
	if answer, err := ask(t, ctx, m, user("x")); core.CodeOf(err) != core.Canceled || len(answer.Parts) != 0 {
		t.Errorf("got %+v, %v", answer, err)
	}
	for range m.Stream(t.Context(), core.Request{Messages: []core.Message{user("y")}}) {
		break // leaving early must not panic
	}
}

func TestContextOverflows(t *testing.T) {
	m := load(t, `{"name": "small", "contextTokens": 10, "turns": [{"alternatives": [[{"text": "ok"}]]}]}`)
	if _, err := take(t, t.Context(), m, core.Request{Messages: []core.Message{user(strings.Repeat("x", 40))}}); err != nil {
		t.Error(err)
	}
	_, err := take(t, t.Context(), m, core.Request{Messages: []core.Message{user(strings.Repeat("x", 41))}})
	if core.CodeOf(err) != core.ContextOverflow {
		t.Errorf("got %v", err)
	}
}

func TestUsageIsGivenOrReckoned(t *testing.T) {
	m := load(t, `{"name": "x", "turns": [{"alternatives": [
		[{"reasoning": "12345678", "text": "1234"}],
		[{"text": "x", "usage": {"inputTokens": 10, "outputTokens": 5, "cacheReadTokens": 3, "cacheWriteTokens": 2, "reasoningTokens": 1}, "costNanoUsd": 77, "finishReason": "length"}]
	]}]}`)
	answer, err := ask(t, t.Context(), m, user("x"))
	if err != nil || answer.Usage.OutputTokens != 3 || answer.Usage.ReasoningTokens != 2 || answer.CostNanoUSD != nil {
		t.Errorf("got %+v, %v", answer.Usage, err)
	}
	answer, err = ask(t, t.Context(), m, user("x"))
	if u := answer.Usage; err != nil || u.InputTokens != 10 || u.OutputTokens != 5 || u.CacheReadTokens != 3 || u.CacheWriteTokens != 2 || u.ReasoningTokens != 1 ||
		*answer.CostNanoUSD != 77 || answer.FinishReason != core.FinishLength {
		t.Errorf("got %+v, %v", answer, err)
	}
}

func TestDemoNamesItself(t *testing.T) {
	s, err := script.Open(script.Demo)
	if err != nil {
		t.Fatal(err)
	}
	s.TokensPerSecond = 0
	m := script.New(s)
	calls, reasoning, code, table := 0, 0, 0, 0
	for _, prompt := range []string{"hello", "write a note", "show me code"} {
		answers := map[string]bool{}
		for range 3 {
			said := []core.Message{user("hi"), {Role: core.RoleAssistant}, user(prompt)}
			if prompt == "hello" {
				said = said[2:]
			}
			for {
				answer, err := ask(t, t.Context(), m, said...)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(text(answer), "(scripted answer, no model was called)") {
					t.Errorf("%s: %q does not say that it is scripted", prompt, text(answer))
				}
				answers[text(answer)] = true
				code += strings.Count(text(answer), "```\n")
				table += strings.Count(text(answer), "|---|")
				said = append(said, *answer)
				if answer.Parts[0].Type == core.PartReasoning {
					reasoning++
				}
				if answer.FinishReason != core.FinishToolCall {
					break
				}
				calls++
				said = append(said, result(answer.Parts[len(answer.Parts)-1], "written"))
			}
		}
		if len(answers) < 2 {
			t.Errorf("%s: always the same answer", prompt)
		}
	}
	if calls == 0 || reasoning == 0 || code == 0 || table == 0 {
		t.Errorf("%d calls, %d reasoning, %d code, %d tables", calls, reasoning, code, table)
	}
}
