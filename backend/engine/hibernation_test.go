package engine_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// unanswered is a task with a call that no user answers for a millisecond.
func unanswered(b *bench, model engine.Model, with engine.Tool) engine.Task {
	task := b.task(model, "go")
	task.Mode, task.Tools, task.HibernateAfterMs = core.ModeConfirmSensitive, []engine.Tool{with}, 1
	task.Ask = func(ctx context.Context, _ engine.Question) (engine.Answer, error) {
		<-ctx.Done()
		return engine.Answer{}, context.Cause(ctx)
	}
	return task
}

// TestHibernateAtAQuestion ends a run whose user does not answer. The call that waited begins when the session wakes.
func TestHibernateAtAQuestion(t *testing.T) {
	b := newBench(t)
	ran := 0
	with := writer()
	with.run = func(context.Context, core.ToolCall) core.ToolResult { ran++; return core.TextResult("written") }
	model := says(calling("c1:write:a"), text("done"))
	result, err := b.Run(t.Context(), unanswered(b, model, with))
	check(t, err)
	if result.Run.Status != core.StatusHibernated || result.Run.StopReason != core.StopHibernated || ran != 0 {
		t.Fatalf("%s, %s, ran %d times", result.Run.Status, result.Run.StopReason, ran)
	}
	s := must(b.db.Session(t.Context(), result.SessionID))(t)
	wakes := must(b.db.Wakes(t.Context(), s.ID))(t)
	if s.Status != core.StatusHibernated || len(wakes) != 1 || wakes[0].Kind != core.WakeManual || !wakes[0].Active {
		t.Fatalf("%s, %+v", s.Status, wakes)
	}

	woken := b.task(model, "")
	woken.SessionID, woken.Mode, woken.Tools = s.ID, core.ModeYolo, []engine.Tool{with}
	woken.Wake = &engine.Wake{ID: wakes[0].ID, Reason: "notes.txt has changed"}
	result, err = b.Run(t.Context(), woken)
	check(t, err)
	if result.Run.StopReason != core.StopDone || ran != 1 {
		t.Errorf("%s, ran %d times", result.Run.StopReason, ran)
	}
	path := b.path(t, s.ID)
	if said := strings.Join(path, "\n"); !strings.Contains(said, "was hibernated and continues now: notes") {
		t.Errorf("the reason is not in the session:\n%s", said)
	}
	if left := must(b.db.Wakes(t.Context(), s.ID))(t); len(left) > 0 {
		t.Errorf("conditions of a session that is awake: %+v", left)
	}
	b.sound(t)
}

// TestHibernateAtAReview ends a run whose user does not review an answer.
func TestHibernateAtAReview(t *testing.T) {
	b := newBench(t)
	task := b.task(says(text("what do you think?")), "go")
	task.HibernateAfterMs = 1
	task.Review = func(ctx context.Context, _ core.Message) (engine.Review, error) {
		<-ctx.Done()
		return engine.Review{}, context.Cause(ctx)
	}
	result, err := b.Run(t.Context(), task)
	check(t, err)
	if result.Run.StopReason != core.StopHibernated {
		t.Errorf("%s", result.Run.StopReason)
	}
}

// TestAnswerInTime answers within the limit, which does not end the run.
func TestAnswerInTime(t *testing.T) {
	b := newBench(t)
	task := unanswered(b, says(calling("c1:write:a"), text("done")), writer())
	task.HibernateAfterMs = 60_000
	task.Ask = func(context.Context, engine.Question) (engine.Answer, error) {
		return engine.Answer{Decision: core.DecisionAllow, Scope: core.ScopeOnce}, nil
	}
	result, err := b.Run(t.Context(), task)
	check(t, err)
	if result.Run.StopReason != core.StopDone {
		t.Errorf("%s", result.Run.StopReason)
	}
}

// TestWakesOnceWithoutCondition wakes a session that has no condition, as an import may leave it.
func TestWakesOnceWithoutCondition(t *testing.T) {
	b := newBench(t)
	result, err := b.Run(t.Context(), unanswered(b, says(calling("c1:write:a"), text("done")), writer()))
	check(t, err)
	wake := func() error {
		task := b.task(says(calling("c1:write:a"), text("done")), "")
		task.SessionID, task.Mode, task.Tools = result.SessionID, core.ModeYolo, []engine.Tool{writer()}
		task.Wake = &engine.Wake{Reason: "the user continues it"}
		_, err := b.Run(t.Context(), task)
		return err
	}
	check(t, wake())
	if err := wake(); core.CodeOf(err) != core.Conflict {
		t.Errorf("woken twice: %v", err)
	}
}

// TestWakesOnce wakes a session by the same condition from several goroutines, as two processes would.
func TestWakesOnce(t *testing.T) {
	b := newBench(t)
	result, err := b.Run(t.Context(), unanswered(b, says(calling("c1:write:a"), text("done")), writer()))
	check(t, err)
	check(t, b.db.Hibernate(t.Context(), result.SessionID, []core.Wake{{Kind: core.WakeTime, AtMs: 1, Active: true}}))
	wake := must(b.db.Wakes(t.Context(), result.SessionID))(t)[0]
	var mu sync.Mutex
	ran := 0
	var refused []error
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			task := b.task(says(calling("c1:write:a"), text("done")), "")
			task.SessionID, task.Mode, task.Tools = result.SessionID, core.ModeYolo, []engine.Tool{writer()}
			task.Wake = &engine.Wake{ID: wake.ID, Reason: "it is time"}
			one := *b.Engine
			_, err := one.Run(t.Context(), task)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				ran++
			} else {
				refused = append(refused, err)
			}
		})
	}
	all.Wait()
	if ran != 1 {
		t.Errorf("it ran %d times", ran)
	}
	for _, err := range refused {
		if code := core.CodeOf(err); code != core.Conflict && code != core.Busy {
			t.Errorf("%s: %v", code, errors.Unwrap(err))
		}
	}
	woken := 0
	for _, said := range b.path(t, result.SessionID) {
		woken += strings.Count(said, "was hibernated and continues now")
	}
	if woken != 1 {
		t.Errorf("woken %d times", woken)
	}
}

// childWakes is not empty if the child's session hibernates, gets a condition and wakes; "queued": with messages that the user queued
// before; "summarized": with a summary in place of its messages.
const childWakes = "COPPICE_TEST_WAKES"

// queuedWords are the messages that the user queues while the session waits for an answer, see childWakes.
var queuedWords = []string{"also do b", "and then c"}

// wakesChild hibernates a session at a question, lets it wait for a time, and wakes it. Each of its writes may be its last.
func wakesChild(path, log string) error {
	at, err := strconv.Atoi(os.Getenv(childKill))
	if err != nil {
		return err
	}
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	s := &mortal{DB: db, at: at}
	b := &bench{Engine: &engine.Engine{Store: s, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	asking := unanswered(b, sleeper(), writer())
	asking.Name = "story"
	if os.Getenv(childWakes) == "queued" {
		asking.Ask = queueing(db, asking.Ask)
	}
	result, err := b.Run(ctx, asking)
	if err != nil {
		return err
	}
	hibernate := func() (struct{}, error) {
		return none(db.Hibernate(ctx, result.SessionID, []core.Wake{{Kind: core.WakeTime, AtMs: 1, Active: true}}))
	}
	if _, err := around(s, hibernate); err != nil {
		return err
	}
	wakes, err := db.Wakes(ctx, result.SessionID)
	if err != nil {
		return err
	}
	task := waking(b, result.SessionID, wakes[0].ID, log)
	if os.Getenv(childWakes) == "summarized" {
		task.Summary, task.Model = true, finisher()
	}
	_, err = b.Run(ctx, task)
	return err
}

// queueing returns ask for a user who queues messages instead of an answer.
func queueing(db *sqlite.DB, ask func(context.Context, engine.Question) (engine.Answer, error)) func(context.Context, engine.Question) (engine.Answer, error) {
	return func(ctx context.Context, q engine.Question) (engine.Answer, error) {
		<-ctx.Done() // the run is about to hibernate
		lasting := context.WithoutCancel(ctx)
		runs, err := db.RunningRuns(lasting)
		if err != nil {
			return engine.Answer{}, err
		}
		for i, words := range queuedWords {
			queued := core.QueuedMessage{UID: core.NewID(int64(i + 1)), RunID: runs[0].ID, Parts: text(words).Parts, CreatedAtMs: 1}
			if err := db.Enqueue(lasting, queued); err != nil {
				return engine.Answer{}, err
			}
		}
		return ask(ctx, q)
	}
}

// sleeper is the model of these sessions: a call that has to be permitted, then its answer.
func sleeper() engine.Model { return says(calling("c1:write:a"), text("done")) }

// finisher is sleeper for a conversation that may have lost its calls to a summary: it only answers.
func finisher() engine.Model {
	return &actor{act: func(context.Context, int, core.Request) (core.Message, error) { return text("done"), nil }}
}

// waking returns the task that continues a session because a condition holds; without one, because the user asks for it.
func waking(b *bench, sessionID, wakeID, log string) engine.Task {
	task := logged(b, sleeper(), log)
	task.SessionID = sessionID
	if wakeID != "" {
		task.Wake = &engine.Wake{ID: wakeID, Reason: "it is time"}
	}
	return task
}

// TestKilledWhileItHibernatesAndWakes kills a process at each write of a session that hibernates, gets a condition and wakes. The session
// is complete in the end, the call runs once, and no condition, no reason to wake and no queued message is lost or doubled.
func TestKilledWhileItHibernatesAndWakes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of processes")
	}
	if runtime.GOOS == "windows" {
		t.Skip("needs a process that can be killed at once")
	}
	// session, run, prompt, request, answer, end; condition; run, 2 of the call, results, summary, queued messages, reason, request, answer, end
	const writes, conditionAt = 15, 7
	for name, more := range map[string]int{"alone": 0, "queued": len(queuedWords), "summarized": 1} {
		t.Run(name, func(t *testing.T) {
			first := 1
			if more > 0 {
				first = conditionAt // until then all are alike
			}
			died := first - 1
			for n := first; killedAsleep(t, name, n, n >= conditionAt); n++ {
				killedAsleep(t, name, -n, n > conditionAt)
				died++
			}
			if want := writes + more; died != want {
				t.Errorf("killed at %d writes, want %d: does the test still see them all?", died, want)
			}
		})
	}
}

// killedAsleep reports whether the process came to a write of that number. waits: the session has its condition by then.
func killedAsleep(t *testing.T, how string, at int, waits bool) (died bool) {
	t.Helper()
	dir := t.TempDir()
	path, log := libraryIn(t, dir), filepath.Join(dir, "log")
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childLibrary+"="+path, childKill+"="+strconv.Itoa(at), childLog+"="+log, childWakes+"="+how)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}
	if cmd.ProcessState.Exited() {
		t.Fatalf("%d: %v: %s", at, err, out)
	}
	b := benchAt(t, path)
	if len(must(b.db.Sessions(t.Context(), core.SessionFilter{}))(t)) == 0 {
		return true // killed before anything could be lost
	}
	must(b.Sweep(t.Context()))(t)
	session := must(b.db.Session(t.Context(), "story"))(t)
	kept := b.path(t, session.ID)
	wakes := must(b.db.Wakes(t.Context(), session.ID))(t)
	if (session.Status == core.StatusHibernated) != (len(wakes) > 0) {
		t.Errorf("%d: %s with %d conditions", at, session.Status, len(wakes))
	}
	task := waking(b, session.ID, "", log)
	if len(wakes) > 0 && wakes[0].Kind == core.WakeTime {
		task = waking(b, session.ID, wakes[0].ID, log)
	}
	if how == "summarized" {
		task.Model = finisher()
	}
	if len(kept) == 0 {
		task.Prompt = []core.Part{{Type: core.PartText, Text: "go"}}
	}
	if len(kept) == 0 || !strings.HasSuffix(kept[len(kept)-1], "done") {
		must(b.Run(t.Context(), task))(t)
	}
	now := b.path(t, session.ID)
	if len(now) < len(kept) || !slices.Equal(now[:len(kept)], kept) || !strings.HasSuffix(now[len(now)-1], "done") {
		t.Errorf("%d: had %q, has %q", at, kept, now)
	}
	if reasons := strings.Count(strings.Join(now, "\n"), "was hibernated and continues now"); waits && reasons != 1 {
		t.Errorf("%d: %d reasons to wake: %q", at, reasons, now)
	}
	if how == "queued" && waits {
		inOrder(t, at, now)
	}
	did, err := os.ReadFile(log)
	if unknown := strings.Contains(strings.Join(now, "\n"), ":[interrupted]"); err == nil && string(did) != "a\n" || err != nil && !unknown {
		t.Errorf("%d: the call did %q (%v)", at, did, err)
	}
	b.sound(t)
	return true
}

// inOrder checks that a path has each queued message once, in order, and the reason to wake after them.
func inOrder(t *testing.T, at int, path []string) {
	t.Helper()
	last := -1
	for _, words := range append(slices.Clone(queuedWords), "was hibernated and continues now") {
		var found []int
		for i, said := range path {
			for range strings.Count(said, words) {
				found = append(found, i)
			}
		}
		if len(found) != 1 || found[0] <= last {
			t.Errorf("%d: %q at %v after %d in %q", at, words, found, last, path)
			return
		}
		last = found[0]
	}
}
