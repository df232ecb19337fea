package engine

import (
	"context"
	"errors"
	"fmt"
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

// recount adds up the cost of the other runs of the session so far: earlier ones, and parallel ones.
func (r *run) recount(ctx context.Context) error {
	if limit := r.task.Budget; limit.CostNanoUSD == 0 && limit.Tokens == 0 {
		return nil
	}
	runs, err := r.Store.Runs(context.WithoutCancel(ctx), r.row.SessionID)
	if err != nil {
		return err
	}
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
	case limit.Steps > 0 && r.row.StepCount >= limit.Steps:
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
