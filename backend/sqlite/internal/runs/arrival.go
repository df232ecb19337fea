package runs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Arrival writes the run items of an archive to a session. What is there already stays; an item that refers to something missing is left
// out. Nothing of it permits anything: see docs/decisions/0014-imported-runs.md.
type Arrival struct {
	session int64
	message func(uid string) (id int64, ok bool)
	states  map[string]int64 // keys by hash
	runs    map[string]arrivedRun
	changed map[changedCall]bool // whether the changes of a call are new here
	// restored reports whether the session had restores of its own; nil: not known yet.
	restored *bool
}

// arrivedRun is a run of the archive that the session has now.
type arrivedRun struct {
	key         int64
	isNew       bool // it was not there before
	startedAtMs int64
}

// changedCall is a tool call of a message.
type changedCall struct {
	message int64
	callID  string
}

// NewArrival returns an Arrival for a session. message finds a message of the session.
func NewArrival(session int64, message func(uid string) (id int64, ok bool)) *Arrival {
	return &Arrival{session: session, message: message, states: map[string]int64{}, runs: map[string]arrivedRun{}, changed: map[changedCall]bool{}}
}

// Take writes an item.
func (a *Arrival) Take(ctx context.Context, t *store.Txn, i *core.RunItem) error {
	switch {
	case i.State != nil:
		return a.takeState(ctx, t, i.State)
	case i.Run != nil:
		return a.takeRun(ctx, t, i.Run)
	case i.Request != nil:
		return a.takeRequest(ctx, t, i.Request)
	case i.Approval != nil:
		return a.takeApproval(ctx, t, i.Approval)
	case i.Exec != nil:
		return a.takeExec(ctx, t, i.Exec)
	case i.Change != nil:
		return a.takeChange(ctx, t, i.Change)
	case i.Draft != nil:
		return a.takeDraft(ctx, t, i.Draft)
	case i.Wake != nil:
		return a.takeWake(ctx, t, i.Wake)
	case i.Copied != nil:
		return a.takeCopied(ctx, t, i.Copied)
	case i.Restore != nil:
		return a.takeRestore(ctx, t, i.Restore)
	case i.Queued != nil:
		return a.takeQueued(ctx, t, i.Queued)
	case i.Checkpoint != nil:
		return a.takeCheckpoint(ctx, t, i.Checkpoint)
	}
	return nil
}

func (a *Arrival) takeState(ctx context.Context, t *store.Txn, i *core.StateItem) error {
	if core.Hash(i.JSON) != i.Hash {
		return core.E(core.Invalid, "the run state %s differs from its hash", i.Hash)
	}
	var s core.RunState
	if err := json.Unmarshal(i.JSON, &s); err != nil {
		return core.Wrap(core.Invalid, err, "read run state %s", i.Hash)
	}
	key, err := storeEncoded(ctx, t, &s, i.JSON, i.Hash)
	a.states[i.Hash] = key
	return err
}

// takeRun adds a run that is new. An imported one that has gone further since takes its later counts, so that what it spent counts once.
func (a *Arrival) takeRun(ctx context.Context, t *store.Txn, i *core.RunEntry) error {
	if i.Status == core.StatusRunning {
		return core.E(core.Invalid, "the run %s belongs to no process", i.ID)
	}
	i.Bound()
	var there struct {
		Key, Session int64
		Imported     bool
		StepCount    int64 `db:"step_count"`
	}
	err := t.Get(ctx, &there, `SELECT key, session, imported, step_count FROM runs WHERE id = ?`, i.ID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return a.addRun(ctx, t, i)
	case err != nil || there.Session != a.session:
		return err // a run of another session stays there
	}
	a.runs[i.ID] = arrivedRun{key: there.Key, startedAtMs: i.StartedAtMs}
	if !there.Imported || i.StepCount <= there.StepCount {
		return nil
	}
	const grow = `UPDATE runs SET status = ?, stop_reason = ?, error = ?, step_count = ?, input_tokens = ?, output_tokens = ?, cost_nano_usd = ?,
		unpriced_steps = ?, ended_at_ms = ? WHERE key = ?`
	_, err = t.Exec(ctx, grow, i.Status, i.StopReason, i.Error, i.StepCount, i.InputTokens, i.OutputTokens, i.CostNanoUSD, i.UnpricedSteps, i.EndedAtMs, there.Key)
	return err
}

func (a *Arrival) addRun(ctx context.Context, t *store.Txn, i *core.RunEntry) error {
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	state := sql.NullInt64{}
	state.Int64, state.Valid = a.states[i.StateHash]
	const add = `INSERT INTO runs (id, session, lane, agent, model, base_url, mode, workspace_path, budget, owner_pid, owner_started, owner_host, status,
		stop_reason, error, step_count, input_tokens, output_tokens, cost_nano_usd, unpriced_steps, used_steps, used_ms, started_at_ms, ended_at_ms, state, imported, extra)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', '', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)`
	key, err := t.Insert(ctx, add, i.ID, a.session, i.Lane, i.Agent, i.Model, i.BaseURL, i.Mode, i.WorkspacePath, string(i.BudgetJSON), i.Status,
		i.StopReason, i.Error, i.StepCount, i.InputTokens, i.OutputTokens, i.CostNanoUSD, i.UnpricedSteps, i.UsedSteps, i.UsedMs, i.StartedAtMs, i.EndedAtMs, state, extra)
	a.runs[i.ID] = arrivedRun{key: key, isNew: true, startedAtMs: i.StartedAtMs}
	return err
}

func (a *Arrival) takeRequest(ctx context.Context, t *store.Txn, i *core.RequestEntry) error {
	run, ran := a.runs[i.RunID]
	state, stored := a.states[i.StateHash]
	parent, has := a.message(i.ParentUID)
	if !ran || !stored || !has {
		return nil
	}
	hash, err := digestOf(i.RequestHash)
	if err != nil {
		return err
	}
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	answer := sql.NullInt64{}
	if i.MessageUID != "" {
		answer.Int64, answer.Valid = a.message(i.MessageUID)
	}
	// A request that is there may have been answered since it was imported.
	const link = `UPDATE requests SET message = coalesce(message, ?) WHERE run = ? AND parent = ? AND hash = ? AND sent_at_ms = ?`
	done, err := t.Exec(ctx, link, answer, run.key, parent, hash, i.SentAtMs)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	const add = `INSERT INTO requests (run, parent, message, state, hash, sent_at_ms, redacted, extra) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	if _, err := t.Exec(ctx, add, run.key, parent, answer, state, hash, i.SentAtMs, i.Redacted, extra); err != nil {
		return err
	}
	return a.attribute(ctx, t, run, parent, answer.Int64)
}

// attribute records that a run wrote these messages, unless another one did. What was there before the run is not its own.
func (a *Arrival) attribute(ctx context.Context, t *store.Txn, run arrivedRun, messages ...int64) error {
	for _, id := range messages {
		if _, err := t.Exec(ctx, `UPDATE messages SET run = ? WHERE id = ? AND run IS NULL AND created_at_ms >= ?`, run.key, id, run.startedAtMs); err != nil {
			return err
		}
	}
	return nil
}

// takeApproval adds a permission or refusal of the session. Only a refusal is in force before the user confirms it.
func (a *Arrival) takeApproval(ctx context.Context, t *store.Txn, i *core.ApprovalEntry) error {
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	const add = `INSERT INTO approvals (id, scope, session, workspace_path, tool, matcher, decision, reason, created_at_ms, active, extra)
		VALUES (?, 'session', ?, '', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`
	_, err = t.Exec(ctx, add, i.ID, a.session, i.Tool, i.Matcher, i.Decision, i.Reason, i.CreatedAtMs, i.Decision == core.DecisionDeny, extra)
	return err
}

// takeWake adds what a hibernated session waits for, as inactive until the user confirms it. Conditions that the user has set, or
// confirmed, stay instead.
func (a *Arrival) takeWake(ctx context.Context, t *store.Txn, w *core.Wake) error {
	const add = `INSERT INTO wakes (id, session, kind, at_ms, path, fingerprint, awaited, detail, active, created_at_ms)
		SELECT ?, s.key, ?, ?, ?, '', ?, ?, 0, ? FROM sessions s WHERE s.key = ? AND s.status = 'hibernated'
			AND NOT EXISTS (SELECT 1 FROM wakes o WHERE o.session = s.key AND o.active = 1) ON CONFLICT DO NOTHING`
	_, err := t.Exec(ctx, add, w.ID, w.Kind, w.AtMs, w.Path, w.AwaitedID, w.Detail, w.CreatedAtMs, a.session)
	return err
}

func (a *Arrival) takeExec(ctx context.Context, t *store.Txn, i *core.ExecEntry) error {
	run, ran := a.runs[i.RunID]
	message, has := a.message(i.MessageUID)
	if !ran || !has {
		return nil
	}
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	var body []byte
	spilled := packing.Spill(core.Message{})
	if i.Result != nil {
		spilled = packing.Spill(core.Message{Parts: []core.Part{*i.Result}})
		body = t.Codec.Deflate(spilled.Message.Parts[0].AppendJSON(nil))
	}
	const add = `INSERT INTO tool_execs (message, position, run, call_id, name, state, idempotent, result, started_at_ms, ended_at_ms, extra)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (message, position) DO NOTHING`
	done, err := t.Exec(ctx, add, message, i.Position, run.key, i.CallID, i.Name, i.State, i.Idempotent, body, i.StartedAtMs, i.EndedAtMs, extra)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := storeFileVersions(ctx, t, message, spilled.Blobs, spilled.Refs); err != nil {
		return err
	}
	return a.attribute(ctx, t, run, message)
}

// takeChange adds a change of a file. The changes of a call are written in one transaction, so all of them are there or none.
func (a *Arrival) takeChange(ctx context.Context, t *store.Txn, i *core.ChangeEntry) error {
	message, has := a.message(i.MessageUID)
	if !has {
		return nil
	}
	call := changedCall{message, i.CallID}
	isNew, known := a.changed[call]
	if !known {
		var there bool
		if err := t.Get(ctx, &there, `SELECT EXISTS (SELECT 1 FROM file_changes WHERE message = ? AND call_id = ?)`, message, i.CallID); err != nil {
			return err
		}
		isNew = !there
		a.changed[call] = isNew
	}
	if !isNew {
		return nil
	}
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	const add = `INSERT INTO file_changes (session, message, call_id, path, before_hash, after_hash, mode, created_at_ms, extra) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
	if _, err := t.Exec(ctx, add, a.session, message, i.CallID, i.Path, i.BeforeHash, i.AfterHash, i.Mode, i.CreatedAtMs, extra); err != nil {
		return err
	}
	refs := []string{}
	for _, hash := range []string{i.BeforeHash, i.AfterHash} {
		if hash != "" {
			refs = append(refs, hash)
		}
	}
	return tables.StoreReferences(ctx, t.Tx, message, refs)
}

// takeCheckpoint adds a checkpoint. One of the session with the same name stays.
func (a *Arrival) takeCheckpoint(ctx context.Context, t *store.Txn, i *core.CheckpointEntry) error {
	message, has := a.message(i.MessageUID)
	if !has {
		return nil
	}
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	state := sql.NullInt64{}
	state.Int64, state.Valid = a.states[i.StateHash]
	const add = `INSERT INTO named_checkpoints (session, message, number, name, state, created_at_ms, extra)
		SELECT ?1, ?2, 1 + coalesce((SELECT max(number) FROM named_checkpoints WHERE message = ?2), 0), ?3, ?4, ?5, ?6
		WHERE NOT EXISTS (SELECT 1 FROM named_checkpoints WHERE session = ?1 AND name = ?3)`
	_, err = t.Exec(ctx, add, a.session, message, i.Name, state, i.CreatedAtMs, extra)
	return err
}

// takeCopied adds the run state of a copied answer, unless it has one.
func (a *Arrival) takeCopied(ctx context.Context, t *store.Txn, i *core.CopiedEntry) error {
	message, has := a.message(i.MessageUID)
	state, stored := a.states[i.StateHash]
	if !has || !stored {
		return nil
	}
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	const add = `INSERT INTO copied_states (message, session, state, extra) VALUES (?, ?, ?, ?) ON CONFLICT (message) DO NOTHING`
	_, err = t.Exec(ctx, add, message, a.session, state, extra)
	return err
}

// takeRestore adds a restored checkpoint, unless the session has some: their order decides what an undo returns to.
func (a *Arrival) takeRestore(ctx context.Context, t *store.Txn, i *core.RestoreEntry) error {
	if a.restored == nil {
		a.restored = new(bool)
		if err := t.Get(ctx, a.restored, `SELECT EXISTS (SELECT 1 FROM restores WHERE session = ?)`, a.session); err != nil {
			return err
		}
	}
	message, has := a.message(i.MessageUID)
	if *a.restored || !has {
		return nil
	}
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	var state, former sql.NullInt64
	state.Int64, state.Valid = a.states[i.StateHash]
	former.Int64, former.Valid = a.states[i.FormerStateHash]
	const add = `INSERT INTO restores (session, message, state, run, former_uid, former_state, undone, created_at_ms, extra) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
	_, err = t.Exec(ctx, add, a.session, message, state, a.runs[i.RunID].key, i.FormerUID, former, i.Undone, i.CreatedAtMs, extra)
	return err
}

// takeQueued adds a message that its run did not take. That of a run that was there already may have been sent since.
func (a *Arrival) takeQueued(ctx context.Context, t *store.Txn, i *core.QueuedEntry) error {
	run, ran := a.runs[i.RunID]
	if _, sent := a.message(i.UID); sent || !ran || !run.isNew {
		return nil
	}
	extra, err := encodeExtra(i.Extra)
	if err != nil {
		return err
	}
	body, err := json.Marshal(queuedBody{i.Parts, i.Cites})
	if err != nil {
		return core.Wrap(core.Invalid, err, "encode a queued message")
	}
	const add = `INSERT INTO queued_messages (uid, run, body, created_at_ms, extra) VALUES (?, ?, ?, ?, ?) ON CONFLICT (uid) DO NOTHING`
	_, err = t.Exec(ctx, add, i.UID, run.key, t.Codec.Deflate(body), i.CreatedAtMs, extra)
	return err
}

// takeDraft adds what is left of an answer. That of a run that was there already may have become a message since.
func (a *Arrival) takeDraft(ctx context.Context, t *store.Txn, i *core.Draft) error {
	run, ran := a.runs[i.RunID]
	if _, has := a.message(i.ParentUID); !ran || !run.isNew || !has && i.ParentUID != "" {
		return nil
	}
	body, err := jsontext.Encode(i.Message)
	if err != nil {
		return core.Wrap(core.Invalid, err, "encode a draft as JSON")
	}
	const add = `INSERT INTO drafts (run, parent_uid, body, updated_at_ms) VALUES (?, ?, ?, ?) ON CONFLICT (run) DO NOTHING`
	_, err = t.Exec(ctx, add, run.key, i.ParentUID, t.Codec.Deflate(body), i.UpdatedAtMs)
	return err
}
