package window

import (
	"context"
	"slices"
	"strings"

	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// checkpointPage is the largest number of checkpoints that one call returns.
const checkpointPage = 500

// CheckpointBindings list, name and restore the checkpoints of a session.
type CheckpointBindings struct{ *program }

// CheckpointView is a checkpoint as the timeline shows it.
type CheckpointView struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"` // empty: the checkpoint of a step
	Node        string      `json:"node"` // m17
	UID         string      `json:"uid"`  // of the message
	Turn        int64       `json:"turn"`
	CreatedAtMs int64       `json:"createdAtMs"`
	Agent       string      `json:"agent"` // this and the rest is empty without a run state
	Model       string      `json:"model"`
	BaseURL     string      `json:"baseUrl"`
	Effort      core.Effort `json:"effort"`
	Mode        core.Mode   `json:"mode"`
	Damaged     bool        `json:"damaged"` // the run state cannot be read
}

// CheckpointPage is a page of the checkpoints of a session, newest first.
type CheckpointPage struct {
	Checkpoints []CheckpointView `json:"checkpoints"`
	More        bool             `json:"more"` // older ones exist
}

func viewCheckpoint(c *core.RunCheckpoint) CheckpointView {
	v := CheckpointView{
		ID: c.ID, Node: c.Node, UID: c.UID, Turn: c.Turn, CreatedAtMs: c.CreatedAtMs, Agent: c.State.Agent.Name, Model: c.State.Model, BaseURL: c.State.BaseURL,
		Effort: c.State.Effort, Mode: c.State.Mode, Damaged: c.Damaged,
	}
	if c.Name != nil {
		v.Name = *c.Name
	}
	return v
}

// ListCheckpoints returns the newest checkpoints of a session that are older than the one with the id before, at most limit. An empty
// id returns the first page.
func (b *CheckpointBindings) ListCheckpoints(sessionID, before string, limit int) (CheckpointPage, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (CheckpointPage, error) {
		page := CheckpointPage{Checkpoints: []CheckpointView{}}
		limit = min(max(limit, 1), checkpointPage)
		found, err := db.Checkpoints(ctx, sessionID, core.CheckpointFilter{Before: before, Limit: limit + 1})
		if err != nil {
			return page, err
		}
		if page.More = len(found) > limit; page.More {
			found = found[1:]
		}
		for i := range slices.Backward(found) {
			page.Checkpoints = append(page.Checkpoints, viewCheckpoint(&found[i]))
		}
		return page, nil
	})
}

// NameCheckpoint names a message with the state that the session has there; an empty uid is the head with the state that the session
// continues with.
func (b *CheckpointBindings) NameCheckpoint(sessionID, uid, name string) (CheckpointView, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (CheckpointView, error) {
		c, err := db.NameCheckpoint(ctx, sessionID, uid, strings.TrimSpace(name))
		if err == nil {
			b.changes.Session(sessionID, change.Checkpoints)
		}
		return viewCheckpoint(&c), err
	})
}

// RemoveCheckpoint removes a checkpoint that has a name.
func (b *CheckpointBindings) RemoveCheckpoint(sessionID, checkpoint string) error {
	return b.change(change.Checkpoints, []string{sessionID}, func(ctx context.Context, db *sqlite.DB) error {
		return db.RemoveCheckpoint(ctx, sessionID, checkpoint)
	})
}

// RestoreCheckpoint moves the head and the run state of a session to a checkpoint, and returns the session.
func (b *CheckpointBindings) RestoreCheckpoint(sessionID, checkpoint string) (core.Session, error) {
	return b.restored(sessionID, func(ctx context.Context, db *sqlite.DB) (core.Restored, error) {
		return db.RestoreCheckpoint(ctx, sessionID, checkpoint)
	})
}

// UndoRestore returns to the position and the run state before the last restore.
func (b *CheckpointBindings) UndoRestore(sessionID string) (core.Session, error) {
	return b.restored(sessionID, func(ctx context.Context, db *sqlite.DB) (core.Restored, error) { return db.UndoRestore(ctx, sessionID) })
}

func (b *CheckpointBindings) restored(sessionID string, restore func(context.Context, *sqlite.DB) (core.Restored, error)) (core.Session, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Session, error) {
		before, err := db.Session(ctx, sessionID)
		if err != nil {
			return before, err
		}
		done, err := restore(ctx, db)
		if err != nil {
			return done.Session, err
		}
		b.changes.Session(sessionID, change.Head, change.Checkpoints)
		if done.Session.HiddenCount != before.HiddenCount {
			b.changes.Session(sessionID, change.Trash)
		}
		return done.Session, nil
	})
}
