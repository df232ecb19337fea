package engine

import (
	"context"
	"errors"
	"time"

	"coppice/backend/core"
)

// closingTime is how long the last answer of a run that was stopped by a limit may take.
const closingTime = 2 * time.Minute

// maxReminders is how often a model that stopped without an answer is asked to continue.
const maxReminders = 3

// loop takes steps until there is a reason to stop.
func (r *run) loop(ctx context.Context) (core.StopReason, error) {
	if r.task.Team != nil {
		if err := r.recount(ctx); err != nil {
			return r.broken(err)
		}
		if reason, err := r.startTeam(ctx); err != nil {
			return r.broken(err)
		} else if reason != "" {
			return reason, nil
		}
	}
	for {
		if err := r.recount(ctx); err != nil {
			return r.broken(err)
		}
		if reason, why := r.due(ctx); reason != "" {
			return r.close(reason, why)
		}
		if err := r.listen(ctx); err != nil {
			return r.broken(err)
		}
		if r.task.Renew != nil {
			r.offer()
		}
		if reason, why, err := r.fit(ctx); err != nil {
			return r.broken(err)
		} else if reason != "" {
			return r.close(reason, why)
		}
		answer, err := r.step(ctx)
		if err != nil {
			return r.broken(err)
		}
		reason, err := r.follow(ctx, &answer)
		if err != nil {
			return r.broken(err)
		}
		if reason != "" {
			return reason, nil
		}
	}
}

// follow does what an answer requests. An empty reason means that the model is to be called again.
func (r *run) follow(ctx context.Context, answer *core.Message) (core.StopReason, error) {
	if r.task.Team != nil {
		return r.followTurn(ctx, answer)
	}
	calls := ownCalls(answer)
	if len(calls) > 0 {
		if err := r.work(ctx, answer, calls); err != nil {
			return "", err
		}
		if r.isLooping(calls) {
			r.emit(Event{Type: EventNotice, Text: "stopped: the model repeats the same calls with the same results"})
			return core.StopDoomLoop, nil
		}
	}
	again, reason, err := r.review(ctx, answer)
	if err != nil || reason != "" {
		return reason, err
	}
	if len(calls) > 0 || again {
		return "", nil
	}
	return r.finished(ctx, answer)
}

// finished decides whether an answer without calls ends the run. An empty reason means that it does not.
func (r *run) finished(ctx context.Context, answer *core.Message) (core.StopReason, error) {
	r.form.Answer = false
	if taken, err := r.takeQueued(ctx); err != nil || taken {
		return "", err
	}
	if asked, err := r.remind(ctx, answer); err != nil || asked {
		return "", err
	}
	if asked, err := r.checkOutput(ctx, answer); err != nil || asked {
		return "", err
	}
	return core.StopDone, nil
}

// remind asks a model whose answer is cut off or empty to continue.
func (r *run) remind(ctx context.Context, answer *core.Message) (asked bool, err error) {
	switch {
	case answer.FinishReason == core.FinishContentFilter:
		return false, core.E(core.Denied, "the provider withheld the answer (%s)", answer.FinishRaw)
	case r.reminders >= maxReminders:
		return false, nil
	case answer.FinishReason == core.FinishLength:
		r.reminders++
		return true, r.instruct(ctx, "[SYSTEM] Your answer was cut off at the length limit. Continue exactly where it ends.")
	case textOf(answer.Parts) == "":
		r.reminders++
		return true, r.instruct(ctx, "[SYSTEM] Your answer was empty. Give your answer, or call a tool.")
	}
	return false, nil
}

// review shows an answer to the user. again reports whether the user added a message for the model.
func (r *run) review(ctx context.Context, answer *core.Message) (again bool, reason core.StopReason, err error) {
	if r.task.Review == nil {
		return false, "", nil
	}
	word, err := awaitUser(ctx, r, func(ctx context.Context) (Review, error) { return r.task.Review(ctx, *answer) })
	switch {
	case err != nil:
		return false, "", err
	case word.Quit:
		return false, core.StopHITLQuit, nil
	case word.Text == "":
		return false, "", nil
	}
	parts := []core.Part{{Type: core.PartText, Text: word.Text}}
	if changed, err := r.changeTeam(ctx, "", parts); changed || err != nil {
		return false, "", err
	}
	return true, "", r.addMessage(ctx, core.Message{Role: core.RoleUser, Name: "Human", Parts: parts, Meta: core.CitingMeta(word.Cites)})
}

// close ends a run because of a limit. If the model can still be called it is asked, without tools, to summarize the
// state of the work: not for a budget, which is spent, nor when the user stopped the run, and waits.
func (r *run) close(reason core.StopReason, why string) (core.StopReason, error) {
	if why != "" {
		r.emit(Event{Type: EventNotice, Text: why})
	}
	if reason != core.StopMaxSteps && reason != core.StopTimeout && reason != core.StopContextFull {
		return reason, nil
	}
	ctx, cancel := context.WithTimeout(r.userCtx, closingTime)
	defer cancel()
	if err := r.askToClose(ctx, why); err != nil {
		return reason, err
	}
	if _, err := r.step(ctx); err != nil && core.CodeOf(err) == core.Internal {
		return reason, err
	}
	return reason, nil // a missing summary changes nothing
}

// broken returns how a run ends after an error.
func (r *run) broken(err error) (core.StopReason, error) {
	if reason, ok := errors.AsType[Interrupt](err); ok {
		if reason.Reason == core.StopTimeout {
			return r.close(core.StopTimeout, r.outOfTime())
		}
		return reason.Reason, nil
	}
	switch core.CodeOf(err) {
	case core.Canceled:
		return core.StopUserInterrupt, nil
	case core.Timeout:
		if r.userCtx.Err() != nil {
			return core.StopTimeout, nil
		}
	case core.ContextOverflow:
		r.emit(Event{Type: EventNotice, Text: err.Error()})
		return core.StopContextFull, nil
	default:
	}
	return core.StopError, err
}
