package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/compact"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// notices returns the notices that a bench has seen.
func (b *bench) notices() (texts []string) {
	for _, e := range b.events {
		if e.Type == engine.EventNotice {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// echo returns a model that answers every prompt with its number, and refuses a context of more than limit tokens; 0: none.
func echo(limit int64) *actor {
	return &actor{act: func(_ context.Context, n int, q core.Request) (core.Message, error) {
		size := compact.SizeOf(q.Messages).Plus(compact.FixedSize(q.System, q.Tools))
		if limit > 0 && size.Tokens > limit {
			return core.Message{}, core.E(core.ContextOverflow, "the conversation has %d tokens", size.Tokens)
		}
		return text(fmt.Sprint("answer ", n)), nil
	}}
}

// chat has a session of so many turns and returns its id. change sets up each task.
func (b *bench) chat(tb testing.TB, model engine.Model, turns int, change func(turn int, task *engine.Task)) string {
	tb.Helper()
	id := ""
	for turn := range turns {
		task := b.task(model, fmt.Sprintf("question %d %s", turn, strings.Repeat("word ", 40)))
		task.SessionID = id
		change(turn, &task)
		id = must(b.Run(tb.Context(), task))(tb).SessionID
	}
	return id
}

// At 61 messages 12 remain: the system prompt, the summary and the newest ten. The path keeps them all.
func TestCompactsAutomatically(t *testing.T) {
	b := newBench(t)
	model := echo(0)
	id := b.chat(t, model, 31, func(_ int, task *engine.Task) {
		task.Context = compact.Defaults(core.CompactSimple, false)
	})
	if !slices.Contains(b.notices(), "context compacted: 52 → 11 messages") && !slices.Contains(b.notices(), "context compacted: 52 → 12 messages") {
		t.Errorf("notices %q", b.notices())
	}
	path := must(b.db.Conversation(t.Context(), id, ""))(t)
	if len(path) != 63 {
		t.Errorf("the path has %d messages", len(path))
	}
	at := slices.IndexFunc(path, func(m core.Message) bool { return m.Kind == core.KindCompaction })
	c, ok := path[at].Compaction()
	if !ok || c.Why != core.WhyMessages || c.MessagesBefore != 52 || c.CoveredMessages+c.MessagesAfter < 51 || !strings.HasPrefix(path[at].Text(), compact.Tag) {
		t.Errorf("%+v", c)
	}
	last := model.requests[len(model.requests)-1]
	if len(last.Messages) > 25 || !strings.Contains(all(&last.Messages[0]), "Context summary of") {
		t.Errorf("the model was sent %d messages", len(last.Messages))
	}
	// What the model was sent can be rebuilt, before and after the compaction.
	for i := range path {
		if path[i].Role != core.RoleAssistant {
			continue
		}
		c, err := b.ContextOf(t.Context(), id, path[i].UID, core.RunState{})
		if err != nil || c.Sent == nil || c.State.Context.Strategy != core.CompactSimple {
			t.Fatalf("message %d: %v, sent %+v", i, err, c.Sent)
		}
	}
	// Another branch is not affected.
	other := b.task(model, "elsewhere")
	other.SessionID, other.From = id, path[20].UID
	must(b.Run(t.Context(), other))(t)
	if sent := model.requests[len(model.requests)-1].Messages; strings.Contains(all(&sent[0]), compact.Tag) || len(sent) != 21 {
		t.Errorf("the other branch was sent %d messages, from %q", len(sent), all(&sent[0]))
	}
	b.sound(t)
}

// A provider that refuses the context as too long gets a shorter one, until it accepts it.
func TestOverflowIsCompacted(t *testing.T) {
	for _, strategy := range []core.CompactionStrategy{core.CompactSimple, core.CompactCodeAware, core.CompactRoleBudget, core.CompactLLM, core.CompactWindow} {
		t.Run(string(strategy), func(t *testing.T) {
			b := newBench(t)
			model := echo(1500)
			id := b.chat(t, model, 40, func(_ int, task *engine.Task) {
				task.Context = core.ContextPlan{Strategy: strategy, KeepMessages: 10}
			})
			path := b.path(t, id)
			if compactions := len(slices.DeleteFunc(slices.Clone(path), func(line string) bool { return !strings.HasPrefix(line, "user/compaction") })); compactions == 0 || compactions > 20 {
				t.Errorf("%d compactions:\n%s", compactions, strings.Join(path, "\n"))
			}
			if answers := len(slices.DeleteFunc(path, func(line string) bool { return !strings.HasPrefix(line, "assistant answer") })); answers != 40 {
				t.Errorf("%d answers", answers)
			}
			b.sound(t)
		})
	}
}

// A session that stopped because its context was full continues when it may be compacted.
func TestContextFullIsNoDeadEnd(t *testing.T) {
	b := newBench(t)
	model := echo(0)
	full := func(_ int, task *engine.Task) { task.Info.ContextTokens = 700 }
	id := ""
	for turn := 0; ; turn++ {
		task := b.task(model, "question "+strings.Repeat("word ", 60))
		task.SessionID = id
		full(turn, &task)
		model.act = func(context.Context, int, core.Request) (core.Message, error) {
			m := text("answer " + strings.Repeat("word ", 60))
			m.Usage = &core.Usage{InputTokens: int64(100 * (turn + 1)), OutputTokens: 80}
			return m, nil
		}
		result := must(b.Run(t.Context(), task))(t)
		id = result.SessionID
		if result.Run.StopReason == core.StopContextFull {
			break
		}
		if turn > 20 {
			t.Fatal("the context is never full")
		}
	}
	task := b.task(model, "")
	task.SessionID, task.Context = id, compact.Defaults(core.CompactSimple, true)
	full(0, &task)
	result := must(b.Run(t.Context(), task))(t)
	if result.Run.StopReason != core.StopDone {
		t.Errorf("%+v, notices %q", result.Run, b.notices())
	}
	b.sound(t)
}

// What cannot be made to fit is named.
func TestWhatDoesNotFitIsNamed(t *testing.T) {
	b := newBench(t)
	task := b.task(echo(500), "question "+strings.Repeat("word ", 4000))
	task.Context = compact.Defaults(core.CompactSimple, false)
	result := must(b.Run(t.Context(), task))(t)
	if result.Run.StopReason != core.StopContextFull || !strings.Contains(strings.Join(b.notices(), "\n"), "the newest turn is too large: the system prompt and the tools have about") {
		t.Errorf("%+v: %q", result.Run, b.notices())
	}
}

// A model writes the summary; its usage and cost are in the totals, and its failure changes nothing but them.
func TestSummaryByAModel(t *testing.T) {
	b := newBench(t)
	model := echo(0)
	summarizer := &actor{act: func(_ context.Context, n int, q core.Request) (core.Message, error) {
		if len(q.Tools) > 0 || !strings.Contains(q.Messages[0].Text(), "<conversation>") || q.Model != "small" {
			t.Errorf("request %+v", q)
		}
		if n == 1 {
			return text("half a summ"), core.E(core.Unavailable, "gone")
		}
		return text("## Completed\nquestions"), nil
	}}
	with := func(_ int, task *engine.Task) {
		task.Context = core.ContextPlan{Strategy: core.CompactLLM, TriggerTurns: 6, KeepTurns: 2}
		task.Summarizer = &engine.Summarizer{Ref: "demo/small", Model: summarizer, Info: core.ModelInfo{Provider: "demo", ID: "small"}}
	}
	id := b.chat(t, model, 5, with)
	before := must(b.db.Session(t.Context(), id))(t)
	task := b.task(model, "sixth")
	task.SessionID = id
	with(0, &task)
	must(b.Run(t.Context(), task))(t)
	if n := len(model.requests[5].Messages); n != 11 || !strings.Contains(strings.Join(b.notices(), "\n"), "context not compacted: gone") {
		t.Errorf("%d messages, notices %q", n, b.notices())
	}
	after := must(b.db.Session(t.Context(), id))(t)
	if *after.CostNanoUSD != *before.CostNanoUSD+20_000_000 {
		t.Errorf("the failed summary is not counted: %d, then %d", *before.CostNanoUSD, *after.CostNanoUSD)
	}
	task = b.task(model, "seventh")
	task.SessionID = id
	with(0, &task)
	result := must(b.Run(t.Context(), task))(t)
	if result.Run.CostNanoUSD != 20_000_000 || result.Run.StepCount != 1 || result.Run.InputTokens != 200 {
		t.Errorf("%+v", result.Run)
	}
	stored := must(b.db.Runs(t.Context(), id))(t)
	if last := stored[len(stored)-1]; last.CostNanoUSD != 20_000_000 || last.StepCount != 1 || last.InputTokens != 200 {
		t.Errorf("stored %+v", last)
	}
	total, sum := must(b.db.Session(t.Context(), id))(t), core.ModelCost{}
	for _, one := range must(b.db.ModelCosts(t.Context(), id))(t) {
		sum.StepCount, sum.InputTokens = sum.StepCount+one.StepCount, sum.InputTokens+one.InputTokens
		*total.CostNanoUSD -= *one.CostNanoUSD
	}
	if *total.CostNanoUSD != 0 || sum.StepCount != total.StepCount || sum.InputTokens != total.InputTokens {
		t.Errorf("the costs of the models differ from the session's by %d: %+v of %+v", *total.CostNanoUSD, sum, total)
	}
	if sent := model.requests[6].Messages; !strings.Contains(all(&sent[0]), "## Completed\nquestions") || compact.Turns(sent) != 2 {
		t.Errorf("the model was sent %d messages from %q", len(sent), all(&sent[0]))
	}
	b.sound(t)
}

// The user compacts a session: its status stays, and a resume has nothing to answer.
func TestCompactOnRequest(t *testing.T) {
	b := newBench(t)
	model := echo(0)
	id := b.chat(t, model, 8, func(int, *engine.Task) {})
	task := b.task(model, "")
	task.SessionID, task.Context = id, core.ContextPlan{Strategy: core.CompactSimple, KeepMessages: 4}
	c := must(b.Compact(t.Context(), task, "the numbers"))(t)
	if c.Focus != "the numbers" || c.Why != core.WhyRequested || c.MessagesBefore != 17 || c.MessagesAfter > 6 {
		t.Errorf("%+v", c)
	}
	if _, err := b.Compact(t.Context(), task, ""); core.CodeOf(err) != core.Conflict || !strings.Contains(err.Error(), "nothing to compact") {
		t.Errorf("a second time: %v", err)
	}
	_, err := b.Run(t.Context(), task)
	if core.CodeOf(err) != core.Conflict || !strings.Contains(err.Error(), "complete") {
		t.Errorf("a complete session continues: %v", err)
	}
	if s := must(b.db.Session(t.Context(), id))(t); s.Status != core.StatusSuccess || s.StepCount != 8 {
		t.Errorf("%+v", s)
	}
	task.Prompt = []core.Part{{Type: core.PartText, Text: "more"}}
	must(b.Run(t.Context(), task))(t)
	sent := model.requests[len(model.requests)-1].Messages
	if len(sent) > 6 || sent[len(sent)-1].Text() != "more" {
		t.Errorf("the model was sent %d messages", len(sent))
	}
	b.sound(t)
}

// A chat of 2,000 turns with a small window runs to its end, with exact totals and a context of constant size.
func TestTwoThousandTurns(t *testing.T) {
	b := newBench(t)
	turns := 2000
	if testing.Short() {
		turns = 100
	}
	largest := int64(0)
	model := &actor{act: func(_ context.Context, n int, q core.Request) (core.Message, error) {
		size := compact.SizeOf(q.Messages).Tokens
		largest = max(largest, size)
		m := text(fmt.Sprint("answer ", n, " ", strings.Repeat("word ", 20)))
		m.Usage = &core.Usage{InputTokens: size, OutputTokens: 30}
		return m, nil
	}}
	said := 0
	task := b.task(model, "question 0")
	task.Context, task.Info.ContextTokens = compact.Defaults(core.CompactCodeAware, true), 4000
	task.Tools, task.Observe = nil, nil
	task.Review = func(context.Context, core.Message) (engine.Review, error) {
		if said++; said == turns {
			return engine.Review{}, nil
		}
		return engine.Review{Text: fmt.Sprintf("question %d", said)}, nil
	}
	result := must(b.Run(t.Context(), task))(t)
	input := int64(0)
	for i := range model.requests {
		input += compact.SizeOf(model.requests[i].Messages).Tokens
	}
	s := must(b.db.Session(t.Context(), result.SessionID))(t)
	if result.Run.StopReason != core.StopDone || s.StepCount != int64(turns) || s.TurnCount != int64(turns) || *s.CostNanoUSD != int64(turns)*10_000_000 || s.InputTokens != input ||
		result.Run.CostNanoUSD != int64(turns)*10_000_000 || result.Run.InputTokens != input {
		t.Errorf("%+v, session %+v", result.Run, s)
	}
	if end := must(b.db.ContextPath(t.Context(), result.SessionID, ""))(t); len(end) > 100 {
		t.Errorf("a run that continues reads %d messages", len(end))
	}
	if largest > 4000*95/100 {
		t.Errorf("the largest context has %d tokens", largest)
	}
	b.sound(t)
}

// anyTalk draws a conversation with calls.
func anyTalk(t *rapid.T) []core.Message {
	words := rapid.SampledFrom([]string{"short", "日本語 🙂", "```go\nx := 1\n```", strings.Repeat("many words ", 40), strings.Repeat("日本語", 300)})
	var path []core.Message
	add := func(role core.Role, parts ...core.Part) {
		path = append(path, core.Message{UID: fmt.Sprint("u", len(path)), Role: role, Kind: core.KindMessage, Parts: parts})
	}
	for range rapid.IntRange(1, 30).Draw(t, "turns") {
		add(core.RoleUser, core.Part{Type: core.PartText, Text: words.Draw(t, "prompt")})
		for range rapid.IntRange(0, 3).Draw(t, "steps") {
			var calls, results []core.Part
			for range rapid.IntRange(1, 2).Draw(t, "calls") {
				id := fmt.Sprint("c", len(path), "x", len(calls))
				calls = append(calls, core.Part{Type: core.PartToolCall, ID: id, Name: "read", Arguments: json.RawMessage(`{"text":"a"}`)})
				results = append(results, core.Part{Type: core.PartToolResult, ID: id, Name: "read", Result: []core.Part{{Type: core.PartText, Text: words.Draw(t, "output")}}})
			}
			add(core.RoleAssistant, calls...)
			add(core.RoleTool, results...)
		}
		add(core.RoleAssistant, core.Part{Type: core.PartText, Text: words.Draw(t, "answer")})
	}
	add(core.RoleUser, core.Part{Type: core.PartText, Text: "now?"})
	return path
}

// Every protocol accepts the context of every strategy.
func TestEveryProtocolAcceptsCompactedContexts(t *testing.T) {
	for name, p := range protocols() {
		handler, _ := p.serve()
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		model := p.open(server.URL)
		for _, strategy := range core.CompactionStrategies() {
			if strategy == core.CompactNone {
				continue
			}
			t.Run(name+"/"+string(strategy), func(t *testing.T) {
				sent := 0
				rapid.Check(t, func(t *rapid.T) {
					if sent >= 20 { // a request each
						return
					}
					path := anyTalk(t)
					in := compact.Input{Path: path, Plan: compact.Defaults(strategy, true), Sent: engine.Replayable, Why: core.WhyOverflow, WindowTokens: 8000, LimitTokens: 1000}
					r, err := compact.Compact(in)
					if err == nil && r.Request != nil {
						m := text("a summary")
						r, err = r.Answered(&m)
					}
					if err != nil {
						return
					}
					r.Message.UID = "s"
					sent++
					q := core.Request{Model: "one", System: "You are a test.", Messages: engine.Replayable(append(path, r.Message)), Tools: []core.ToolSpec{
						{Name: "read", Description: "reads", Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)},
					}}
					for _, err := range model.Stream(context.Background(), q) {
						if err != nil {
							t.Fatalf("%v\n%+v", err, q.Messages)
						}
					}
				})
				if sent == 0 {
					t.Error("nothing was sent")
				}
			})
		}
	}
}

// all returns the texts of a message, a summary included.
func all(m *core.Message) string {
	var texts []string
	for _, p := range m.Parts {
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, "\n")
}

// TestContextPath compares the context of the end of a path that is read with that of the whole path, for random trees with
// compactions of Coppice and of other tools.
func TestContextPath(t *testing.T) {
	b := newBench(t)
	trees := 0
	rapid.Check(t, func(rt *rapid.T) {
		if trees++; trees > 25 { // a transaction for each message
			return
		}
		ctx := t.Context()
		s := must(b.db.CreateSession(ctx, core.Session{}))(t)
		uids := []string{""}
		uid := rapid.Custom(func(t *rapid.T) string { return rapid.SampledFrom(uids).Draw(t, "uid") })
		for i := range rapid.IntRange(1, 15).Draw(rt, "messages") {
			m := core.Message{UID: fmt.Sprint(s.ID, "m", i), ParentUID: uids[len(uids)-1], Role: core.RoleUser, Kind: core.KindMessage}
			if rapid.IntRange(0, 4).Draw(rt, "fork") == 0 {
				m.ParentUID = uid.Draw(rt, "parent")
			}
			call := fmt.Sprint("c", i)
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0:
				m.Parts = []core.Part{{Type: core.PartText, Text: fmt.Sprint("prompt ", i)}}
			case 1, 2:
				m.Role = core.RoleAssistant
				m.Parts = []core.Part{{Type: core.PartText, Text: fmt.Sprint("answer ", i)}, {Type: core.PartToolCall, ID: call, Name: "read"}}
			case 3:
				m.Role = core.RoleTool
				result := []core.Part{{Type: core.PartText, Text: strings.Repeat("output ", 60)}}
				m.Parts = []core.Part{{Type: core.PartToolResult, ID: fmt.Sprint("c", i-1), Name: "read", Result: result}}
			default:
				m.Kind, m.Parts = core.KindCompaction, []core.Part{{Type: core.PartSummary, Text: fmt.Sprint("summary ", i)}}
				if c := (core.Compaction{Strategy: core.CompactSimple, FirstKept: uid.Draw(rt, "first"), BlankedBefore: uid.Draw(rt, "blanked")}); c.FirstKept != "" {
					m.Meta = c.Meta()
				}
			}
			must(b.db.Append(ctx, s.ID, m))(t)
			uids = append(uids, m.UID)
		}
		for _, leaf := range uids {
			whole, end := must(b.db.Conversation(ctx, s.ID, leaf))(t), must(b.db.ContextPath(ctx, s.ID, leaf))(t)
			if len(end) > len(whole) || len(whole) > 0 && end[len(end)-1].UID != whole[len(whole)-1].UID {
				rt.Fatalf("%d of %d messages", len(end), len(whole))
			}
			if want, got := engine.Replayable(whole), engine.Replayable(end); !reflect.DeepEqual(got, want) {
				rt.Fatalf("the context of %q is\n%+v, want\n%+v", leaf, got, want)
			}
		}
	})
}
