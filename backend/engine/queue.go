package engine

import (
	"context"

	"coppice/backend/core"
)

// listen adds the messages that the user queued during the run.
func (r *run) listen(ctx context.Context) error {
	_, err := r.takeQueued(ctx)
	return err
}

func (r *run) takeQueued(ctx context.Context) (taken bool, err error) {
	if r.task.Steer == nil {
		return false, nil
	}
	for _, queued := range r.task.Steer() {
		if changed, err := r.changeTeam(ctx, queued.UID, queued.Parts); err != nil {
			return taken, err
		} else if changed {
			continue
		}
		taken = true
		if err := r.addMessage(ctx, core.Message{UID: queued.UID, Role: core.RoleUser, Parts: queued.Parts, Meta: core.CitingMeta(queued.Cites)}); err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// addQueued adds the messages of the user that earlier runs did not take.
func (r *run) addQueued(ctx context.Context) error {
	left, err := r.queued(ctx, r.task)
	if err != nil {
		return err
	}
	for _, m := range left {
		if changed, err := r.changeTeam(ctx, m.UID, m.Parts); err != nil {
			return err
		} else if changed {
			continue
		}
		if err := r.addMessage(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// queued returns the messages of the user that a run of the task would take from earlier runs, as messages without a position. A run
// aside leaves them to the others.
func (e *Engine) queued(ctx context.Context, task *Task) ([]core.Message, error) {
	if task.SessionID == "" || task.Aside || task.Root {
		return nil, nil
	}
	left, err := e.Store.Queued(ctx, task.SessionID)
	messages := make([]core.Message, 0, len(left))
	for _, q := range left {
		messages = append(messages, core.Message{UID: q.UID, Role: core.RoleUser, Kind: core.KindMessage, Parts: q.Parts, Meta: core.CitingMeta(q.Cites)})
	}
	return messages, err
}
