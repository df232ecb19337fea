package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
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
