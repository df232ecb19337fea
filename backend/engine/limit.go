package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"coppice/backend/core"
)

// spending is the cost of the other runs of a session.
type spending struct {
	costNanoUSD int64
	tokens      int64
}

func (s *spending) add(run *core.Run) {
	s.costNanoUSD += run.CostNanoUSD
	s.tokens += run.InputTokens + run.OutputTokens
}

// recount adds up the cost of the other runs of the session so far: earlier ones, parallel ones, and those of its jobs.
func (r *run) recount(ctx context.Context) error {
	if limit := r.task.Budget; limit.CostNanoUSD == 0 && limit.Tokens == 0 && r.task.Team == nil {
		return nil
	}
	runs, err := r.Store.Runs(context.WithoutCancel(ctx), r.row.SessionID)
	if err != nil {
		return err
	}
	jobs, err := r.Store.JobRuns(context.WithoutCancel(ctx), r.row.SessionID)
	if err != nil {
		return err
	}
	runs = append(runs, jobs...)
	r.spent = spending{}
	for i := range runs {
		if runs[i].ID != r.row.ID {
			r.spent.add(&runs[i])
		}
	}
	return nil
}

// due returns the limit that forbids the next call of the model; empty if none does. why is for the user and the model.
func (r *run) due(ctx context.Context) (reason core.StopReason, why string) {
	if ctx.Err() != nil {
		if reason, ok := errors.AsType[Interrupt](context.Cause(ctx)); ok && reason.Reason == core.StopTimeout {
			return core.StopTimeout, r.outOfTime()
		} else if ok {
			return reason.Reason, ""
		}
		return core.StopUserInterrupt, ""
	}
	total, limit := r.spent, r.task.Budget
	total.add(&r.row)
	switch {
	case limit.Steps > 0 && r.row.UsedSteps+r.row.StepCount >= limit.Steps:
		return core.StopMaxSteps, fmt.Sprintf("the limit of steps (%d) is reached", limit.Steps)
	case limit.CostNanoUSD > 0 && r.row.UnpricedSteps > 0:
		return core.StopBudget, fmt.Sprintf("what %s costs is not known, so a budget in dollars cannot be kept; name its price in pricing.json, or limit the number of steps", r.row.Model)
	case limit.CostNanoUSD > 0 && total.costNanoUSD >= limit.CostNanoUSD:
		return core.StopBudget, "the budget is spent"
	case limit.Tokens > 0 && total.tokens >= limit.Tokens:
		return core.StopBudget, fmt.Sprintf("the limit of tokens (%d) is reached", limit.Tokens)
	}
	return "", ""
}

func (r *run) outOfTime() string {
	return fmt.Sprintf("the time of %s is over", time.Duration(r.task.Budget.TimeoutMs)*time.Millisecond)
}

// countUsed counts what the run continues of an interrupted one towards its limits of steps and time. A prompt starts a new task with
// limits of its own, and so does one that continues from an earlier message, or from an answer that ended a run.
func (r *run) countUsed(ctx context.Context) error {
	if r.created || r.task.Root || r.task.Aside || len(r.task.Prompt) > 0 {
		return nil
	}
	before, ok, err := r.Store.LastRunAt(ctx, r.row.SessionID, r.task.From)
	if err != nil || !ok || !before.Unfinished() {
		return err
	}
	steps, ms := before.Used()
	if !r.task.NewSteps {
		r.row.UsedSteps = steps
	}
	if !r.task.NewTimeout {
		r.row.UsedMs = ms
	}
	return nil
}

// Left is what is left of the limits of a session; nil: no limit. It is never below 0.
type Left struct {
	CostNanoUSD *int64 `json:"costNanoUsd,omitempty"` // of the steps whose cost is known
	Tokens      *int64 `json:"tokens,omitempty"`
	Steps       *int64 `json:"steps,omitempty"`
	TimeoutMs   *int64 `json:"timeoutMs,omitempty"`
}

// Left returns what a run with these limits would have left if it continued a session after a message, or after its head if uid is empty,
// without a prompt.
func (e *Engine) Left(ctx context.Context, sessionID, uid string, limits core.Budget) (Left, error) {
	runs, err := e.Store.Runs(ctx, sessionID)
	if err != nil {
		return Left{}, err
	}
	jobs, err := e.Store.JobRuns(ctx, sessionID)
	if err != nil {
		return Left{}, err
	}
	runs = append(runs, jobs...)
	spent := spending{}
	for i := range runs {
		spent.add(&runs[i])
	}
	r := run{Engine: e, task: &Task{From: uid}, row: core.Run{SessionID: sessionID}}
	if err := r.countUsed(ctx); err != nil {
		return Left{}, err
	}
	of := func(limit, used int64) *int64 {
		if limit == 0 {
			return nil
		}
		return new(max(limit-used, 0))
	}
	return Left{
		CostNanoUSD: of(limits.CostNanoUSD, spent.costNanoUSD), Tokens: of(limits.Tokens, spent.tokens), Steps: of(limits.Steps, r.row.UsedSteps),
		TimeoutMs: of(limits.TimeoutMs, r.row.UsedMs),
	}, nil
}

// leftMs returns how much time the run has when it begins; limited is false if it has no limit.
func (r *run) leftMs() (leftMs int64, limited bool) {
	limit := r.task.Budget.TimeoutMs
	return max(limit-r.row.UsedMs, 0), limit > 0
}

// touchEvery is how much of its time a run may forget if its process ends while it waits for a model or a tool.
const touchEvery = 10 * time.Second

// limitTime cancels a run when its time is up, and records meanwhile that it is alive. The result ends that.
func (r *run) limitTime(ctx context.Context, cancel context.CancelCauseFunc) (end func()) {
	leftMs, limited := r.leftMs()
	switch {
	case !limited:
		return func() {}
	case leftMs == 0:
		cancel(Interrupt{core.StopTimeout})
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		timer, touch := time.NewTimer(time.Duration(leftMs)*time.Millisecond), time.NewTicker(touchEvery)
		defer timer.Stop()
		defer touch.Stop()
		for {
			select {
			case <-done:
				return
			case <-timer.C:
				cancel(Interrupt{core.StopTimeout})
				return
			case <-touch.C:
				if err := r.Store.TouchRun(ctx, r.row.ID); err != nil {
					continue // only the time of a run that dies now is less exact
				}
			}
		}
	}()
	return func() { close(done) }
}

// leftNotice returns what a run that continues an interrupted one has left of its limits; empty if it has all of them.
func (r *run) leftNotice() string {
	var left []string
	if limit := r.task.Budget.Steps; limit > 0 && r.row.UsedSteps > 0 {
		left = append(left, fmt.Sprintf("%d of %d steps", max(limit-r.row.UsedSteps, 0), limit))
	}
	if ms, limited := r.leftMs(); limited && r.row.UsedMs > 0 {
		limit := time.Duration(r.task.Budget.TimeoutMs) * time.Millisecond
		left = append(left, fmt.Sprintf("%s of %s", (time.Duration(ms)*time.Millisecond).Round(time.Second), limit))
	}
	if len(left) == 0 {
		return ""
	}
	return strings.Join(left, " and ") + " left: an interrupted run is continued"
}
