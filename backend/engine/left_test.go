package engine_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

const childLimits = "COPPICE_TEST_LIMITS" // not empty: the child's run has limits of steps and time

// endlessly returns a model that calls a tool until it is asked for its closing answer.
func endlessly() *actor {
	return &actor{act: func(_ context.Context, _ int, q core.Request) (core.Message, error) {
		if q.ToolChoice == core.ToolChoiceNone {
			return text("so far"), nil
		}
		n := len(q.Messages)
		return calling(fmt.Sprintf("c%d:read:%d", n, n)), nil
	}}
}

// limited is the budget of these runs: ten steps, and time that does not end in a test.
func limited() core.Budget { return core.Budget{Steps: 10, TimeoutMs: 300_000} }

func limitsChild(path string) error {
	at, err := strconv.Atoi(os.Getenv(childKill))
	if err != nil {
		return err
	}
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	b := &bench{Engine: &engine.Engine{Store: &mortal{DB: db, at: at}, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	task := b.task(endlessly(), "tell it")
	task.Name, task.Budget = "story", limited()
	_, err = b.Run(context.Background(), task)
	return err
}

// TestKilledRunKeepsWhatIsLeft kills a run of ten steps with kill -9 after some of them. The run that continues it has the rest.
func TestKilledRunKeepsWhatIsLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a process that can be killed at once")
	}
	// The writes are: session, run, prompt; then request, answer, two of the call, and its result for each step.
	for _, at := range []int{4, 5, 6, -8, 9, 20, 22, 23, 48, 50} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			path := libraryIn(t, t.TempDir())
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), childLibrary+"="+path, childKill+"="+strconv.Itoa(at), childLimits+"=1")
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.Exited() {
				t.Fatalf("%v: %s", err, out)
			}
			b := benchAt(t, path)
			session := must(b.db.Session(t.Context(), "story"))(t)
			taken := session.StepCount
			task := b.task(endlessly(), "")
			task.SessionID, task.Budget = session.ID, limited()
			result := must(b.Run(t.Context(), task))(t)
			run := result.Run
			if run.UsedSteps != taken || run.StepCount != 10-taken+1 || run.StopReason != core.StopMaxSteps {
				t.Errorf("killed after %d steps, continued with %+v", taken, run)
			}
			if run.UsedMs == 0 || run.UsedMs > 1000 { // of a clock that advances a millisecond when it is read
				t.Errorf("%d ms count as used", run.UsedMs)
			}
			if want := fmt.Sprintf("%d of 10 steps and 5m0s of 5m0s left", 10-taken); taken > 0 && !strings.Contains(strings.Join(b.notices(), "\n"), want) {
				t.Errorf("no notice %q in %q", want, b.notices())
			}
			b.sound(t)
		})
	}
}

// What is left counts for the runs that continue an interrupted one, however often that is interrupted, until a run has ended by itself or
// the user gives another task or limit.
func TestWhatIsLeft(t *testing.T) {
	stopAt := func(b *bench, steps int) (context.Context, func(engine.Event)) {
		ctx, cancel := context.WithCancel(t.Context())
		return ctx, func(e engine.Event) {
			if e.Type == engine.EventTotals && e.Run.StepCount == int64(steps) {
				cancel()
			}
			b.events = append(b.events, e)
		}
	}
	interrupted := func(t *testing.T, b *bench, sessionID string, steps int) engine.Result {
		t.Helper()
		prompt := ""
		if sessionID == "" {
			prompt = "go"
		}
		task := b.task(endlessly(), prompt)
		task.SessionID, task.Budget = sessionID, limited()
		ctx, observe := stopAt(b, steps)
		task.Observe = observe
		result, err := b.Run(ctx, task)
		check(t, err)
		if result.Run.StopReason != core.StopUserInterrupt {
			t.Fatalf("%+v", result.Run)
		}
		return result
	}
	for name, c := range map[string]struct {
		change func(*engine.Task)
		used   int64
	}{
		"continued":     {func(*engine.Task) {}, 7},
		"woken":         {func(task *engine.Task) { task.Wake = &engine.Wake{Reason: "it is time"} }, 7},
		"another task":  {func(task *engine.Task) { task.Prompt = []core.Part{{Type: core.PartText, Text: "more"}} }, 0},
		"another limit": {func(task *engine.Task) { task.NewSteps = true }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.Now = func() int64 { return time.Now().UnixMilli() } // as the library's
			first := interrupted(t, b, "", 4)
			if second := interrupted(t, b, first.SessionID, 3); second.Run.UsedSteps != 4 {
				t.Errorf("the second run began with %d steps", second.Run.UsedSteps)
			}
			if name == "woken" {
				check(t, b.db.Hibernate(t.Context(), first.SessionID, nil))
			}
			task := b.task(endlessly(), "")
			task.SessionID, task.Budget = first.SessionID, limited()
			c.change(&task)
			third := must(b.Run(t.Context(), task))(t)
			if third.Run.UsedSteps != c.used || third.Run.StepCount != 10-c.used+1 {
				t.Errorf("the third run: %+v", third.Run)
			}
			task.Prompt, task.NewSteps, task.Wake = nil, false, nil
			fourth := must(b.Run(t.Context(), task))(t)
			if fourth.Run.UsedSteps != 0 || fourth.Run.UsedMs != 0 {
				t.Errorf("a run after one that reached its limit: %+v", fourth.Run)
			}
		})
	}
}

// A run that continues one that had used up its time asks for the closing answer at once.
func TestNoTimeIsLeft(t *testing.T) {
	b := newBench(t)
	b.Now = func() int64 { return time.Now().UnixMilli() } // as the library's
	ctx, cancel := context.WithCancel(t.Context())
	task := b.task(endlessly(), "go")
	task.Observe = func(e engine.Event) {
		if e.Type == engine.EventTotals {
			time.Sleep(2 * time.Millisecond)
			cancel()
		}
	}
	first := must(b.Run(ctx, task))(t)
	task.SessionID, task.Prompt, task.Budget.TimeoutMs, task.Observe = first.SessionID, nil, 1, nil
	second := must(b.Run(t.Context(), task))(t)
	if second.Run.StopReason != core.StopTimeout || second.Run.StepCount != 1 || second.Answer != "so far" {
		t.Errorf("%+v: %s", second.Run, second.Answer)
	}
}

const childSummary = "COPPICE_TEST_SUMMARY" // not empty: the child is killed while a model writes a summary: before or after its first words

// dying is a model that is killed while it writes.
type dying struct{ words bool }

func (d dying) Stream(context.Context, core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		if d.words {
			time.Sleep(300 * time.Millisecond) // drafts are stored at intervals
			yield(core.StreamEvent{Type: core.StreamText, Text: strings.Repeat("a summary ", 100)}, nil)
		}
		die()
	}
}

// summaryChild answers questions until its context is compacted, and dies then.
func summaryChild(path string) error {
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	b := &bench{Engine: &engine.Engine{Store: db, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	session := ""
	for {
		task := b.task(echo(0), "question")
		task.Name, task.SessionID = "story", session
		task.Context = core.ContextPlan{Strategy: core.CompactLLM, TriggerTurns: 4, KeepTurns: 1}
		task.Summarizer = &engine.Summarizer{Ref: "demo/small", Model: dying{os.Getenv(childSummary) == "words"}, Info: core.ModelInfo{Provider: "demo", ID: os.Getenv(childServer)}}
		result, err := b.Run(context.Background(), task)
		if err != nil {
			return err
		}
		session = result.SessionID
	}
}

// TestKilledWhileASummaryIsWritten kills a process whose context a model compacts. What that has cost is estimated and marked as such, or
// unknown if the price is, and no model is sent any of it.
func TestKilledWhileASummaryIsWritten(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a process that can be killed at once")
	}
	for name, c := range map[string]struct {
		when, model string
		unpriced    int64
	}{
		"before its first words": {"nothing", "small", 0},
		"in the middle":          {"words", "small", 0},
		"of an unknown price":    {"words", "unknown", 1},
	} {
		t.Run(name, func(t *testing.T) {
			path := libraryIn(t, t.TempDir())
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), childLibrary+"="+path, childSummary+"="+c.when, childServer+"="+c.model)
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.Exited() {
				t.Fatalf("%v: %s", err, out)
			}
			b := benchAt(t, path)
			must(b.Sweep(t.Context()))(t)
			session := must(b.db.Session(t.Context(), "story"))(t)
			head := must(b.db.Message(t.Context(), session.ID, session.HeadUID))(t)
			if head.Kind != core.KindMeta || !head.Usage.IsEstimated() || head.Usage.InputTokens == 0 || (c.when == "words") != (head.Usage.OutputTokens > 0) {
				t.Errorf("the summary is recorded as %+v of %+v", head, head.Usage)
			}
			if cost := *session.CostNanoUSD; cost != (session.StepCount+1-c.unpriced)*10_000_000 {
				t.Errorf("%d steps and a summary cost %d", session.StepCount, cost)
			}
			runs := must(b.db.Runs(t.Context(), session.ID))(t)
			if last := runs[len(runs)-1]; last.StepCount != 0 || last.InputTokens != head.Usage.InputTokens || last.UnpricedSteps != c.unpriced {
				t.Errorf("the run: %+v", last)
			}
			model := echo(0)
			task := b.task(model, "")
			task.SessionID = session.ID
			must(b.Run(t.Context(), task))(t)
			for _, m := range model.requests[0].Messages {
				if strings.Contains(all(&m), "compacted") {
					t.Errorf("the model was sent %+v", m)
				}
			}
			b.sound(t)
		})
	}
}
