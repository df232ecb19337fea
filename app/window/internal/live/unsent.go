package live

import (
	"context"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// Enqueue queues a message of the user until the engine takes it. The error is Conflict if the run has ended.
func (l *Run) Enqueue(ctx context.Context, db *sqlite.DB, text string, cites []string) error {
	select {
	case <-l.started:
	case <-l.ended:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	now := time.Now().UnixMilli()
	q := core.QueuedMessage{
		UID: core.NewID(now), RunID: l.id(), Parts: []core.Part{{Type: core.PartText, Text: text}}, Cites: cites, CreatedAtMs: now,
	}
	err := db.Enqueue(ctx, q)
	if err == nil && !l.push(q) {
		if err := db.DropQueued(ctx, q.UID); err != nil {
			return err
		}
		err = core.E(core.Conflict, "the run has ended")
	}
	if core.CodeOf(err) == core.Conflict {
		return core.E(core.Conflict, "send the message: the run has ended").WithHint("Send it as a new prompt")
	}
	return err
}

// ClearUnsent empties the queues of the ended runs: what is left of them is in the library.
func (r *Runs) ClearUnsent() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, lives := range r.lives {
		for _, live := range lives {
			live.clearUnsent()
		}
	}
}

func (l *Run) clearUnsent() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.running && len(l.queue) > 0 {
		l.queue, l.taken = nil, 0
		l.changed()
	}
}

// id returns the id of the run; empty before it has started.
func (l *Run) id() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run.ID
}
