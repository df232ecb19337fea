package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// actor is a model whose answer is a function of the conversation.
type actor struct {
	mu       sync.Mutex
	requests []core.Request
	act      func(ctx context.Context, n int, q core.Request) (core.Message, error)
}

func (a *actor) Stream(ctx context.Context, q core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		a.mu.Lock()
		q.Messages = slices.Clone(q.Messages)
		a.requests = append(a.requests, q)
		n := len(a.requests)
		a.mu.Unlock()
		m, err := a.act(ctx, n, q)
		for i, p := range m.Parts {
			if p.Text != "" && !yield(core.StreamEvent{Type: core.StreamText, Index: i, Text: p.Text}, nil) {
				return
			}
		}
		if err != nil {
			yield(core.StreamEvent{Type: core.StreamAborted, Message: &m}, err)
			return
		}
		m.Role = core.RoleAssistant
		if m.Usage == nil {
			m.Usage = &core.Usage{InputTokens: 100, OutputTokens: 10}
		}
		if m.FinishReason == "" {
			m.FinishReason = core.FinishStop
		}
		yield(core.StreamEvent{Type: core.StreamDone, Message: &m}, nil)
	}
}

func text(s string) core.Message {
	return core.Message{Parts: []core.Part{{Type: core.PartText, Text: s}}}
}

// calling returns an answer with calls, written as id:name:text.
func calling(calls ...string) core.Message {
	m := core.Message{FinishReason: core.FinishToolCall}
	for _, c := range calls {
		f := strings.SplitN(c, ":", 3)
		arguments, _ := json.Marshal(map[string]string{"text": f[2]})
		m.Parts = append(m.Parts, core.Part{Type: core.PartToolCall, ID: f[0], Name: f[1], Arguments: arguments})
	}
	return m
}

// says returns a model that answers with each message in turn, by how many finished answers the request has.
func says(answers ...core.Message) *actor {
	return &actor{act: func(_ context.Context, _ int, q core.Request) (core.Message, error) {
		n := 0
		for _, m := range q.Messages {
			if m.Role == core.RoleAssistant && !m.BrokeOff() {
				n++
			}
		}
		if n >= len(answers) {
			return text("nothing more to say"), nil
		}
		return answers[n], nil
	}}
}

// tool is a tool whose behaviour a test sets.
type tool struct {
	name       string
	parameters json.RawMessage
	access     core.Access
	run        func(ctx context.Context, call core.ToolCall) core.ToolResult
}

func (t tool) Spec() core.ToolSpec { return core.ToolSpec{Name: t.name, Parameters: t.parameters} }

func (t tool) Access(_ context.Context, arguments json.RawMessage) (core.Access, error) {
	var a struct{ Text string }
	if err := json.Unmarshal(arguments, &a); err != nil {
		return core.Access{}, core.E(core.Invalid, "text must be a string")
	}
	access := t.access
	if access.Targets == nil {
		access.Targets = []string{a.Text}
	}
	access.Title = t.name + " " + a.Text
	return access, nil
}

func (t tool) Run(ctx context.Context, call core.ToolCall) core.ToolResult {
	if t.run != nil {
		return t.run(ctx, call)
	}
	return core.TextResult(t.name + " did " + string(call.Arguments))
}

func reader() tool {
	return tool{name: "read", access: core.Access{Effect: core.EffectRead, Idempotent: true}}
}
func writer() tool  { return tool{name: "write", access: core.Access{Effect: core.EffectWrite}} }
func command() tool { return tool{name: "run", access: core.Access{Effect: core.EffectExecute}} }

// cents is a price of one cent a call for every model except those called unknown.
type cents struct{}

func (cents) Cost(_, model string, _ core.Usage, _ int64) (int64, bool) {
	return 10_000_000, model != "unknown"
}

// bench is an engine on a library of its own.
type bench struct {
	*engine.Engine
	db     *sqlite.DB
	events []engine.Event
}

func newBench(tb testing.TB) *bench {
	tb.Helper()
	return benchAt(tb, libraryIn(tb, tb.TempDir()))
}

func benchAt(tb testing.TB, path string) *bench {
	tb.Helper()
	db, err := sqlite.Open(tb.Context(), path, sqlite.Options{})
	check(tb, err)
	tb.Cleanup(func() { db.Close() })
	b := &bench{Engine: &engine.Engine{Store: db, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	tb.Cleanup(func() {
		if b.rebuilds(tb) > 0 {
			b.travels(tb)
		}
	})
	return b
}

// clock advances a millisecond with each call. Parallel calls use it at once.
func clock() func() int64 {
	var at atomic.Int64
	at.Store(1_700_000_000_000)
	return func() int64 { return at.Add(1) }
}

func (b *bench) task(model engine.Model, prompt string) engine.Task {
	task := engine.Task{
		Agent: core.Agent{Name: "build"}, System: "You are a test.", ModelRef: "demo/one", Model: model, Info: core.ModelInfo{Provider: "demo", ID: "one"},
		Mode: core.ModeYolo, WorkspacePath: "/work", Tools: []engine.Tool{reader(), writer(), command()},
		Observe: func(e engine.Event) { b.events = append(b.events, e) },
	}
	if prompt != "" {
		task.Prompt = []core.Part{{Type: core.PartText, Text: prompt}}
	}
	return task
}

// path writes the path to a session's head, one line for each message.
func (b *bench) path(tb testing.TB, sessionID string) []string {
	tb.Helper()
	lines := []string{}
	for m, err := range b.db.PathMessages(tb.Context(), sessionID, "") {
		check(tb, err)
		line := string(m.Role)
		if m.Kind != core.KindMessage {
			line += "/" + string(m.Kind)
		}
		if m.FinishReason == core.FinishAborted {
			line += "/aborted"
		}
		for _, p := range m.Parts {
			switch p.Type {
			case core.PartToolCall:
				line += " call:" + p.ID
			case core.PartToolResult:
				line += fmt.Sprintf(" result:%s:%.40s", p.ID, p.Result[0].Text)
			default:
				line += fmt.Sprintf(" %.60s", strings.ReplaceAll(p.Text, "\n", " "))
			}
		}
		if cites := m.Cites(); len(cites) > 0 {
			line += " cites:" + strings.Join(cites, ",")
		}
		lines = append(lines, line)
	}
	return lines
}

func (b *bench) sound(tb testing.TB) {
	tb.Helper()
	flaws, err := b.db.Check(tb.Context(), nil)
	check(tb, err)
	if len(flaws) > 0 {
		tb.Error(flaws)
	}
	running, err := b.db.RunningRuns(tb.Context())
	check(tb, err)
	if len(running) > 0 {
		tb.Errorf("still running: %+v", running)
	}
}

func same(tb testing.TB, got []string, want ...string) {
	tb.Helper()
	if !slices.Equal(got, want) {
		tb.Errorf("is\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestRunToTheEnd(t *testing.T) {
	b := newBench(t)
	model := says(calling("c1:read:a", "c2:read:b", "c3:write:c"), text("All done."))
	task := b.task(model, "do it")
	task.Name = "first"
	result, err := b.Run(t.Context(), task)
	check(t, err)
	if result.Run.StopReason != core.StopDone || result.Run.Status != core.StatusSuccess || result.Answer != "All done." || result.Run.StepCount != 2 ||
		result.Run.InputTokens != 200 || result.Run.OutputTokens != 20 || result.Run.CostNanoUSD != 20_000_000 {
		t.Errorf("result %+v", result)
	}
	same(t, b.path(t, result.SessionID), "user do it", "assistant call:c1 call:c2 call:c3",
		`tool result:c1:read did {"text":"a"} result:c2:read did {"text":"b"} result:c3:write did {"text":"c"}`, "assistant All done.")
	s, err := b.db.Session(t.Context(), "first")
	check(t, err)
	if s.Title != "do it" || s.Status != core.StatusSuccess || s.StopReason != "llm_done" || s.Model != "demo/one" || s.Agent != "build" ||
		s.WorkspacePath != "/work" || s.TurnCount != 1 || *s.CostNanoUSD != 20_000_000 {
		t.Errorf("session %+v", s)
	}
	if q := model.requests[1]; q.System != "You are a test." || len(q.Messages) != 3 || q.Messages[2].Role != core.RoleTool || len(q.Tools) != 3 {
		t.Errorf("request %+v", q)
	}
	b.sound(t)
}

// A session continues with exactly the messages it had, and its totals continue.
func TestResumeWithFurtherTask(t *testing.T) {
	b := newBench(t)
	first, err := b.Run(t.Context(), b.task(says(calling("c1:read:a"), text("one")), "first task"))
	check(t, err)
	_, err = b.Run(t.Context(), engine.Task{SessionID: first.SessionID, Model: says(), Mode: core.ModeYolo})
	if core.CodeOf(err) != core.Conflict || !strings.Contains(err.Error(), "complete") {
		t.Errorf("a complete session went on: %v", err)
	}
	model := says(text("x"), text("x"), text("two"))
	task := b.task(model, "second task")
	task.SessionID = first.SessionID
	second, err := b.Run(t.Context(), task)
	check(t, err)
	if second.SessionID != first.SessionID || second.Answer != "two" {
		t.Errorf("result %+v", second)
	}
	roles := []core.Role{}
	for _, m := range model.requests[0].Messages {
		roles = append(roles, m.Role)
	}
	if !slices.Equal(roles, []core.Role{core.RoleUser, core.RoleAssistant, core.RoleTool, core.RoleAssistant, core.RoleUser}) {
		t.Errorf("the model was sent %v", roles)
	}
	s, err := b.db.Session(t.Context(), first.SessionID)
	check(t, err)
	if s.StepCount != 3 || s.TurnCount != 2 || *s.CostNanoUSD != 30_000_000 {
		t.Errorf("session %+v", s)
	}
	b.sound(t)
}

func TestEditRegenerateAndBranch(t *testing.T) {
	b := newBench(t)
	first, err := b.Run(t.Context(), b.task(says(text("one")), "question"))
	check(t, err)
	window, err := b.db.Window(t.Context(), first.SessionID, "", 0, 0)
	check(t, err)
	again := b.task(says(text("another one")), "")
	again.SessionID, again.From = first.SessionID, window.Messages[0].UID
	_, err = b.Run(t.Context(), again)
	check(t, err)
	same(t, b.path(t, first.SessionID), "user question", "assistant another one")
	edited := b.task(says(text("an answer to that")), "edited question")
	edited.SessionID, edited.Root = first.SessionID, true
	_, err = b.Run(t.Context(), edited)
	check(t, err)
	same(t, b.path(t, first.SessionID), "user edited question", "assistant an answer to that")
	s, err := b.db.Session(t.Context(), first.SessionID)
	check(t, err)
	if s.BranchCount != 3 || s.MessageCount != 5 {
		t.Errorf("session %+v", s)
	}
	b.sound(t)
}

func TestLimits(t *testing.T) {
	forever := func() *actor {
		return &actor{act: func(_ context.Context, n int, q core.Request) (core.Message, error) {
			if q.ToolChoice == core.ToolChoiceNone {
				return text("this is how it stands"), nil
			}
			return calling(fmt.Sprintf("c%d:read:%d", n, n)), nil
		}}
	}
	for name, c := range map[string]struct {
		budget core.Budget
		window int64
		reason core.StopReason
		steps  int64
		answer string
	}{
		"steps":   {core.Budget{Steps: 3}, 0, core.StopMaxSteps, 4, "this is how it stands"},
		"cost":    {core.Budget{CostNanoUSD: 25_000_000}, 0, core.StopBudget, 3, "The agent stopped (budget_exceeded). Steps completed: 3."},
		"tokens":  {core.Budget{Tokens: 300}, 0, core.StopBudget, 3, "The agent stopped (budget_exceeded). Steps completed: 3."},
		"context": {core.Budget{}, 120, core.StopContextFull, 2, "this is how it stands"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			model := forever()
			task := b.task(model, "go")
			task.Budget, task.Info.ContextTokens = c.budget, c.window
			result, err := b.Run(t.Context(), task)
			check(t, err)
			if result.Run.StopReason != c.reason || result.Run.Status != core.StatusPartial || result.Run.StepCount != c.steps || result.Answer != c.answer {
				t.Errorf("result %+v", result)
			}
			if c.reason == core.StopBudget { // a larger budget lets it continue
				task.SessionID, task.Prompt, task.Budget = result.SessionID, nil, core.Budget{CostNanoUSD: 45_000_000}
				more, err := b.Run(t.Context(), task)
				check(t, err)
				if more.Run.StepCount != 2 || more.Run.StopReason != core.StopBudget {
					t.Errorf("went on with %+v", more.Run)
				}
			}
			b.sound(t)
		})
	}
}

func TestBudgetNeedsPrice(t *testing.T) {
	b := newBench(t)
	task := b.task(says(calling("c:read:a"), text("no")), "go")
	task.Info.ID, task.Budget = "unknown", core.Budget{CostNanoUSD: 1}
	result, err := b.Run(t.Context(), task)
	check(t, err)
	if result.Run.StopReason != core.StopBudget || result.Run.StepCount != 1 || result.Run.UnpricedSteps != 1 {
		t.Errorf("result %+v", result.Run)
	}
}

func TestTimeout(t *testing.T) {
	b := newBench(t)
	model := &actor{act: func(ctx context.Context, _ int, q core.Request) (core.Message, error) {
		if q.ToolChoice == core.ToolChoiceNone {
			return text("so far so good"), nil
		}
		<-ctx.Done()
		return text("half an ans"), core.Wrap(core.Canceled, ctx.Err(), "stopped")
	}}
	task := b.task(model, "go")
	task.Budget.TimeoutMs = 20
	result, err := b.Run(t.Context(), task)
	check(t, err)
	if result.Run.StopReason != core.StopTimeout || result.Answer != "so far so good" {
		t.Errorf("result %+v", result)
	}
	same(t, b.path(t, result.SessionID), "user go", "assistant/aborted half an ans",
		"user/meta [SYSTEM] The work stops here: the time of 20ms is over. Do n", "assistant so far so good")
	b.sound(t)
}

// A run whose time is up does not wait for a server that cannot give the last answer now.
func TestLastWordIsAskedForOnce(t *testing.T) {
	b := newBench(t)
	var closing int
	model := &actor{act: func(ctx context.Context, _ int, q core.Request) (core.Message, error) {
		if q.ToolChoice == core.ToolChoiceNone {
			closing++
			return core.Message{}, core.E(core.Overloaded, "too many people")
		}
		<-ctx.Done()
		return core.Message{}, core.Wrap(core.Canceled, ctx.Err(), "stopped")
	}}
	task := b.task(model, "go")
	task.Budget.TimeoutMs = 20
	result, err := b.Run(t.Context(), task)
	check(t, err)
	if result.Run.StopReason != core.StopTimeout || closing != 1 {
		t.Errorf("asked %d times: %+v", closing, result)
	}
	b.sound(t)
}

// The instruction to end the work is valid once: a session that continues after a closing answer, or after one that
// failed, does not get it again.
func TestClosingIsNotPartOfLaterRequests(t *testing.T) {
	for name, fails := range map[string]bool{"answered": false, "failed": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			model := &actor{act: func(_ context.Context, _ int, q core.Request) (core.Message, error) {
				switch {
				case q.ToolChoice == core.ToolChoiceNone && fails:
					return core.Message{}, core.E(core.Overloaded, "busy")
				case q.ToolChoice == core.ToolChoiceNone:
					return text("one file is read"), nil
				case len(q.Messages) > 2:
					return text("done"), nil
				}
				return calling("c1:read:a"), nil
			}}
			task := b.task(model, "go")
			task.Budget.Steps = 1
			result := must(b.Run(t.Context(), task))(t)
			closing := model.requests[1].Messages
			if last := closing[len(closing)-1]; result.Run.StopReason != core.StopMaxSteps || !strings.Contains(last.Parts[0].Text, "The work stops here") {
				t.Fatalf("%+v was asked to close with %+v", result.Run, closing)
			}
			task = b.task(model, "")
			task.SessionID = result.SessionID
			if result := must(b.Run(t.Context(), task))(t); result.Answer != "done" {
				t.Errorf("continued with %+v", result)
			}
			for _, m := range model.requests[2].Messages {
				for _, p := range m.Parts {
					if strings.Contains(p.Text, "The work stops here") {
						t.Errorf("the model is asked to stop again: %+v", m)
					}
				}
			}
			b.sound(t)
		})
	}
}

// A provider that refuses a conversation as it is, and without foreign blocks, is sent a summary of what came before the prompt.
func TestRefusedConversationIsSummarized(t *testing.T) {
	b := newBench(t)
	first := must(b.Run(t.Context(), b.task(says(text("one")), "paint the door")))(t)
	model := &actor{act: func(_ context.Context, n int, _ core.Request) (core.Message, error) {
		if n < 3 {
			return core.Message{}, core.E(core.Invalid, "messages.1: unexpected block")
		}
		return text("done"), nil
	}}
	task := b.task(model, "and the fence")
	task.SessionID = first.SessionID
	must(b.Run(t.Context(), task))(t)
	sent := model.requests[2].Messages
	if len(sent) != 1 || len(sent[0].Parts) != 3 {
		t.Fatalf("the model was sent %+v", sent)
	}
	summary, mark, prompt := sent[0].Parts[0].Text, sent[0].Parts[1].Text, sent[0].Parts[2].Text
	if !strings.Contains(summary, "1. paint the door") || strings.Contains(summary, "fence") || mark != "[The user's message:]" || prompt != "and the fence" {
		t.Errorf("the model was sent %q, %q, %q", summary, mark, prompt)
	}
}

// Two messages of the user without an answer between them stay two.
func TestPromptsStayApart(t *testing.T) {
	b := newBench(t)
	model := &actor{act: func(_ context.Context, n int, _ core.Request) (core.Message, error) {
		if n == 1 {
			return core.Message{}, core.E(core.Auth, "no key")
		}
		return text("done"), nil
	}}
	result, err := b.Run(t.Context(), b.task(model, "paint the door"))
	if core.CodeOf(err) != core.Auth {
		t.Fatal(err)
	}
	task := b.task(model, "no, the fence")
	task.SessionID = result.SessionID
	must(b.Run(t.Context(), task))(t)
	sent := model.requests[1].Messages
	if len(sent) != 1 || len(sent[0].Parts) != 3 || sent[0].Parts[1].Text != "[The user sent a further message:]" {
		t.Errorf("the model was sent %+v", sent)
	}
}

// What an interrupted answer cost is estimated and marked, or unknown, and never 0.
func TestInterruptedAnswersCost(t *testing.T) {
	for model, want := range map[string]struct{ cost, unpriced int64 }{"one": {10_000_000, 0}, "unknown": {0, 1}} {
		t.Run(model, func(t *testing.T) {
			b := newBench(t)
			ctx, cancel := context.WithCancel(t.Context())
			task := b.task(&actor{act: func(context.Context, int, core.Request) (core.Message, error) {
				return text("half of the answer"), core.Wrap(core.Canceled, context.Canceled, "stopped")
			}}, "go")
			task.Info.ID = model
			task.Observe = func(e engine.Event) {
				if e.Type == engine.EventDelta {
					cancel()
				}
			}
			result := must(b.Run(ctx, task))(t)
			if result.Run.CostNanoUSD != want.cost || result.Run.UnpricedSteps != want.unpriced || result.Run.OutputTokens != 5 || result.Run.InputTokens == 0 {
				t.Errorf("the run cost %+v", result.Run)
			}
			runs := must(b.db.Runs(t.Context(), result.SessionID))(t)
			if runs[0].CostNanoUSD != want.cost || runs[0].UnpricedSteps != want.unpriced {
				t.Errorf("the stored run cost %+v", runs[0])
			}
			path := must(b.db.Conversation(t.Context(), result.SessionID, ""))(t)
			if last := path[len(path)-1]; !last.Usage.IsEstimated() || (last.CostNanoUSD == nil) != (model == "unknown") {
				t.Errorf("the answer has the usage %+v, the cost %v", last.Usage, last.CostNanoUSD)
			}
		})
	}
}

func TestInterrupt(t *testing.T) {
	for name, c := range map[string]struct {
		cause  error
		reason core.StopReason
	}{"user": {nil, core.StopUserInterrupt}, "system": {engine.Interrupt{Reason: core.StopTerminated}, core.StopTerminated}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			slow := command()
			slow.run = func(ctx context.Context, _ core.ToolCall) core.ToolResult {
				cancel(c.cause)
				<-ctx.Done()
				return core.ErrorResult("some output")
			}
			task := b.task(says(calling("c1:run:x", "c2:write:y"), text("done")), "go")
			task.Tools = []engine.Tool{slow, writer()}
			result, err := b.Run(ctx, task)
			check(t, err)
			if result.Run.StopReason != c.reason || result.Run.Status != core.StatusInterrupted {
				t.Errorf("result %+v", result.Run)
			}
			same(t, b.path(t, result.SessionID), "user go", "assistant call:c1 call:c2",
				"tool result:c1:[interrupted] the call was stopped; it m result:c2:[not executed] the work was stopped befo")
			task.SessionID, task.Prompt = result.SessionID, nil
			more, err := b.Run(t.Context(), task)
			check(t, err)
			if more.Run.StopReason != core.StopDone || more.Answer != "done" {
				t.Errorf("went on with %+v", more)
			}
			b.sound(t)
		})
	}
}

func TestErrorsOfTheModel(t *testing.T) {
	for name, c := range map[string]struct {
		err    *core.Error
		times  int
		reason core.StopReason
		code   core.Code
	}{
		"cut once":      {core.E(core.TruncatedStream, "cut"), 1, core.StopDone, ""},
		"busy for good": {&core.Error{Code: core.Overloaded, Message: "busy", RetryAfterMs: 120_000}, 9, core.StopError, core.Overloaded},
		"no key":        {core.E(core.Auth, "no key"), 9, core.StopError, core.Auth},
		"too long":      {core.E(core.ContextOverflow, "too long"), 9, core.StopContextFull, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			model := &actor{act: func(_ context.Context, n int, _ core.Request) (core.Message, error) {
				if n <= c.times {
					now := *c.err
					if now.RetryAfterMs == 0 {
						now.RetryAfterMs = 1
					}
					return text("half"), &now
				}
				return text("whole"), nil
			}}
			result, err := b.Run(t.Context(), b.task(model, "go"))
			if core.CodeOf(err) != c.code || result.Run.StopReason != c.reason {
				t.Fatalf("%v, %+v", err, result.Run)
			}
			if c.reason == core.StopDone {
				same(t, b.path(t, result.SessionID), "user go", "assistant whole")
			} else {
				same(t, b.path(t, result.SessionID), "user go", "assistant/aborted half")
				model.act = says(text("whole")).act
				task := b.task(model, "")
				task.SessionID = result.SessionID
				_, err := b.Run(t.Context(), task)
				check(t, err)
				last := model.requests[len(model.requests)-1]
				if len(last.Messages) != 3 || last.Messages[1].Parts[0].Text != "half" || !last.Messages[1].BrokeOff() || last.Messages[2].Kind != core.KindMeta {
					t.Errorf("the model was sent %+v", last.Messages)
				}
			}
			b.sound(t)
		})
	}
}

func TestDoomLoop(t *testing.T) {
	b := newBench(t)
	model := &actor{act: func(context.Context, int, core.Request) (core.Message, error) { return calling("c:read:same"), nil }}
	result, err := b.Run(t.Context(), b.task(model, "go"))
	check(t, err)
	if result.Run.StopReason != core.StopDoomLoop || result.Run.StepCount != 3 {
		t.Errorf("result %+v", result.Run)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	b := newBench(t)
	model := &actor{act: func(_ context.Context, n int, q core.Request) (core.Message, error) {
		switch n {
		case 1:
			return core.Message{Parts: []core.Part{{Type: core.PartReasoning, Text: "hm"}}}, nil
		case 2:
			m := text("a long")
			m.FinishReason = core.FinishLength
			return m, nil
		}
		return text(" answer"), nil
	}}
	result, err := b.Run(t.Context(), b.task(model, "go"))
	check(t, err)
	same(t, b.path(t, result.SessionID), "user go", "assistant hm", "user/meta [SYSTEM] Your answer was empty. Give your answer, or call a ",
		"assistant a long", "user/meta [SYSTEM] Your answer was cut off at the length limit. Contin", "assistant  answer")
}

func TestSteering(t *testing.T) {
	b := newBench(t)
	said := []core.QueuedMessage{{UID: "said", Parts: []core.Part{{Type: core.PartText, Text: "and hurry"}}}}
	late := []core.QueuedMessage{{UID: "late", Parts: []core.Part{{Type: core.PartText, Text: "one more thing"}}, Cites: []string{"u1", "u2"}}}
	task := b.task(says(calling("c1:read:a"), text("done"), text("that too")), "go")
	calls := 0
	task.Steer = func() []core.QueuedMessage {
		calls++
		switch calls {
		case 2:
			return said
		case 3: // exactly when the model ends
			return late
		}
		return nil
	}
	result, err := b.Run(t.Context(), task)
	check(t, err)
	same(t, b.path(t, result.SessionID), "user go", "assistant call:c1", `tool result:c1:read did {"text":"a"}`, "user and hurry", "assistant done", "user one more thing cites:u1,u2", "assistant that too")
	b.sound(t)
}

// TestQueueSurvives ends a run without taking what the user had queued, as a crash does. The next run of the session takes it, once.
func TestQueueSurvives(t *testing.T) {
	b := newBench(t)
	model := &actor{act: func(ctx context.Context, n int, _ core.Request) (core.Message, error) {
		if n > 1 {
			return text("done"), nil
		}
		running := must(b.db.RunningRuns(ctx))(t)
		queue := func(uid, what string) error {
			return b.db.Enqueue(ctx, core.QueuedMessage{UID: uid, RunID: running[0].ID, Parts: []core.Part{{Type: core.PartText, Text: what}}, Cites: []string{"u1"}})
		}
		check(t, queue("q1", "and hurry"))
		check(t, queue("q2", "please"))
		return core.Message{}, core.E(core.Auth, "no more")
	}}
	first, err := b.Run(t.Context(), b.task(model, "go"))
	if core.CodeOf(err) != core.Auth {
		t.Fatal(err)
	}
	if err := b.db.Enqueue(t.Context(), core.QueuedMessage{UID: "q3", RunID: first.Run.ID}); core.CodeOf(err) != core.Conflict {
		t.Errorf("queued for a run that has ended: %v", err)
	}
	if left := must(b.db.Queued(t.Context(), ""))(t); len(left) != 2 || left[0].UID != "q1" || left[0].SessionID != first.SessionID {
		t.Errorf("left in the queue: %+v", left)
	}
	for range 2 {
		task := b.task(model, "then that")
		task.SessionID = first.SessionID
		task.Observe = func(e engine.Event) {
			if e.Type != engine.EventStarted {
				return
			}
			if taken := must(b.db.QueuedAtRest(t.Context(), ""))(t); len(taken) > 0 { // as the window does
				t.Errorf("taken from a run that takes them: %+v", taken)
			}
		}
		preview := must(b.Sending(t.Context(), &task))(t)
		must(b.Run(t.Context(), task))(t)
		sameRequest(t, preview.Request, model.requests[len(model.requests)-1])
	}
	same(t, b.path(t, first.SessionID), "user go", "user and hurry cites:u1", "user please cites:u1", "user then that", "assistant done", "user then that", "assistant done")
	if left := must(b.db.QueuedAtRest(t.Context(), ""))(t); len(left) > 0 {
		t.Errorf("left in the queue: %+v", left)
	}
	b.sound(t)
}

func TestHumanInTheLoop(t *testing.T) {
	b := newBench(t)
	words := []engine.Review{{}, {Text: "shorter, please", Cites: []string{"u1"}}, {Quit: true}}
	task := b.task(says(calling("c1:read:a"), text("long"), text("short")), "go")
	task.Review = func(context.Context, core.Message) (engine.Review, error) {
		word := words[0]
		words = words[1:]
		return word, nil
	}
	result, err := b.Run(t.Context(), task)
	check(t, err)
	if result.Run.StopReason != core.StopHITLQuit || result.Run.Status != core.StatusPartial {
		t.Errorf("result %+v", result.Run)
	}
	same(t, b.path(t, result.SessionID), "user go", "assistant call:c1", `tool result:c1:read did {"text":"a"}`, "assistant long", "user shorter, please cites:u1", "assistant short")
	incomplete, err := b.db.Sessions(t.Context(), core.SessionFilter{Incomplete: true})
	check(t, err)
	if len(incomplete) != 1 {
		t.Error("a session that was left cannot be resumed")
	}
	b.sound(t)
}
