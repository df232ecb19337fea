package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"coppice/backend/core"
)

// awaitUser calls wait, which waits for the user. If that takes longer than the task allows, the error is the Interrupt that
// hibernates the session.
func awaitUser[T any](ctx context.Context, r *run, wait func(context.Context) (T, error)) (T, error) {
	limit := time.Duration(r.task.HibernateAfterMs) * time.Millisecond
	if limit <= 0 {
		return wait(ctx)
	}
	patient, cancel := context.WithTimeoutCause(ctx, limit, Interrupt{core.StopHibernated})
	defer cancel()
	answer, err := wait(patient)
	if err != nil && isHibernation(context.Cause(patient)) {
		r.emit(Event{Type: EventNotice, Text: fmt.Sprintf("hibernated: no answer for %s", limit)})
		return answer, context.Cause(patient)
	}
	return answer, err
}

// isHibernation reports whether a run ends because its user did not answer.
func isHibernation(err error) bool {
	stop, ok := errors.AsType[Interrupt](err)
	return ok && stop.Reason == core.StopHibernated
}
