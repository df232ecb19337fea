// Package runs is the service of runs, their drafts, tool calls and permissions.
package runs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Store is the service of runs, their drafts, tool calls and permissions.
type Store struct{ *store.Library }

const runColumns = `SELECT r.key, r.id, s.id AS session_id, s.key AS session_key, r.lane, r.agent, r.model, r.base_url, r.mode, r.workspace_path, r.budget, r.owner_pid,
	r.owner_started, r.owner_host, r.status, r.stop_reason, r.error, r.step_count, r.input_tokens, r.output_tokens, r.cost_nano_usd,
	r.unpriced_steps, r.used_steps, r.used_ms, r.started_at_ms, r.ended_at_ms, r.imported FROM runs r JOIN sessions s ON s.key = r.session `

// runRow is a run as it is stored.
type runRow struct {
	core.Run
	core.Owner
	Key        int64
	SessionKey int64  `db:"session_key"`
	BudgetText string `db:"budget"`
}

func (r *runRow) run() (core.Run, error) {
	run := r.Run
	run.Owner = r.Owner
	err := json.Unmarshal([]byte(r.BudgetText), &run.Budget)
	return run, core.Wrap(core.Corrupt, err, "the budget of run %s is damaged", run.ID)
}

func readRuns(ctx context.Context, t *conn.Tx, query string, args ...any) ([]core.Run, error) {
	var rows []runRow
	if err := t.All(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	runs := make([]core.Run, 0, len(rows))
	for i := range rows {
		run, err := rows[i].run()
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// Runs returns the runs of a session, oldest first.
func (db *Store) Runs(ctx context.Context, sessionID string) ([]core.Run, error) {
	var runs []core.Run
	err := db.Read(ctx, func(t *store.Txn) error {
		if _, err := tables.SessionKey(ctx, t.Tx, sessionID); err != nil {
			return err
		}
		var err error
		runs, err = readRuns(ctx, t.Tx, runColumns+`WHERE s.id = ? ORDER BY r.key`, sessionID)
		return err
	})
	return runs, conn.Fail(err, "read the runs of session %s", sessionID)
}

// JobRuns returns the runs of the sessions that calls of a session have started.
func (db *Store) JobRuns(ctx context.Context, sessionID string) ([]core.Run, error) {
	var runs []core.Run
	err := db.Read(ctx, func(t *store.Txn) error {
		var err error
		runs, err = readRuns(ctx, t.Tx, runColumns+`WHERE s.parent_id = ? AND s.parent_id <> '' AND s.relation = 'subagent' AND NOT r.imported ORDER BY r.key`, sessionID)
		return err
	})
	return runs, conn.Fail(err, "read the runs of the jobs of session %s", sessionID)
}

// RunningRuns returns the runs that have not ended, also those whose owner is gone.
func (db *Store) RunningRuns(ctx context.Context) ([]core.Run, error) {
	var runs []core.Run
	err := db.Read(ctx, func(t *store.Txn) error {
		var err error
		runs, err = readRuns(ctx, t.Tx, runColumns+`WHERE r.status = 'running' ORDER BY r.key`)
		return err
	})
	return runs, conn.Fail(err, "look for runs")
}

// StartRun begins a run, marks its session as running, and returns the run with its lane. In lane 0 a session has one run at a time:
// another one is a Conflict, and so is one that was woken by a condition that is gone. Any other lane requests the first one that is free. See EndRun for one whose owner is gone.
func (db *Store) StartRun(ctx context.Context, run core.Run) (core.Run, error) {
	budget, err := json.Marshal(run.Budget)
	if err != nil {
		return run, err
	}
	err = db.Write(ctx, func(t *store.Txn) error {
		key, err := tables.SessionKey(ctx, t.Tx, run.SessionID)
		if err != nil {
			return err
		}
		if run.Lane, err = freeLane(ctx, t.Tx, key, run.Lane); err != nil {
			return err
		}
		var state sql.NullInt64
		if run.State != nil {
			state.Valid = true
			if state.Int64, err = storeState(ctx, t, run.State); err != nil {
				return err
			}
		}
		const start = `INSERT INTO runs (id, session, lane, agent, model, base_url, mode, workspace_path, budget, owner_pid, owner_started, owner_host,
			status, stop_reason, error, used_steps, used_ms, started_at_ms, ended_at_ms, state)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', '', '', ?, ?, ?, 0, ?)`
		_, err = t.Exec(ctx, start, run.ID, key, run.Lane, run.Agent, run.Model, run.BaseURL, run.Mode, run.WorkspacePath, string(budget), run.Owner.PID,
			run.Owner.Started, run.Owner.Host, run.UsedSteps, run.UsedMs, run.StartedAtMs, state)
		if conn.Is(err, conn.CodeConstraint) {
			return core.E(core.Conflict, "session %s is being continued already", run.SessionID)
		} else if err != nil {
			return err
		}
		if run.Lane == 0 {
			if err := checkWake(ctx, t.Tx, key, run.WakeID, run.SessionID); err != nil {
				return err
			}
		}
		const mark = `UPDATE sessions SET rest_status = CASE WHEN status = 'running' THEN rest_status ELSE status END,
			rest_stop_reason = CASE WHEN status = 'running' THEN rest_stop_reason ELSE stop_reason END,
			status = 'running', stop_reason = '', agent = CASE WHEN ?4 THEN agent ELSE ?1 END,
			workspace_path = CASE WHEN workspace_path = '' THEN ?2 ELSE workspace_path END WHERE key = ?3`
		t.Ledger.Of(key).Moved = true
		_, err = t.Exec(ctx, mark, run.Agent, run.WorkspacePath, key, run.Lane > 0)
		return err
	})
	return run, conn.Fail(err, "start a run of session %s", run.SessionID)
}

// freeLane is lane 0, or the first one beside it that no run of the session uses.
func freeLane(ctx context.Context, t *conn.Tx, key, wanted int64) (int64, error) {
	if wanted == 0 {
		return 0, nil
	}
	var taken []int64
	if err := t.All(ctx, &taken, `SELECT lane FROM runs WHERE session = ? AND status = 'running' AND lane > 0 ORDER BY lane`, key); err != nil {
		return 0, err
	}
	lane := int64(1)
	for _, one := range taken {
		if one == lane {
			lane++
		}
	}
	return lane, nil
}

// EndRun writes how a run ended. With the last active run, the session gets the status of the last run of lane 0, or, if lane 0 had no run since, its
// former status. A run that has ended already stays as it is.
func (db *Store) EndRun(ctx context.Context, runID string, status core.Status, reason core.StopReason, why string) error {
	lasting := context.WithoutCancel(ctx)
	err := db.Write(lasting, func(t *store.Txn) error {
		if err := takeWakesOf(lasting, t.Tx, runID); err != nil {
			return err
		}
		return endRun(lasting, t.Tx, runID, status, reason, why, db.Now(), db.Now())
	})
	return conn.Fail(err, "end run %s", runID)
}

// TouchRun records that an active run is alive. It does not wait for the disk.
func (db *Store) TouchRun(ctx context.Context, runID string) error {
	err := db.WriteBulk(ctx, func(t *store.Txn) error {
		_, err := t.Exec(ctx, `UPDATE runs SET alive_at_ms = ? WHERE id = ? AND status = 'running'`, db.Now(), runID)
		return err
	})
	return conn.Fail(err, "touch run %s", runID)
}

// EndDeadRun ends a run whose process has ended as interrupted, at the time of the last thing that it wrote: the time since does not
// count towards its limit. A session whose run was woken and has not written why is hibernated again, with its conditions.
func (db *Store) EndDeadRun(ctx context.Context, runID, why string) error {
	lasting := context.WithoutCancel(ctx)
	err := db.Write(lasting, func(t *store.Txn) error {
		const last = `SELECT max(r.started_at_ms, r.alive_at_ms, coalesce((SELECT created_at_ms FROM messages WHERE run = r.key ORDER BY seq DESC LIMIT 1), 0),
			coalesce((SELECT max(sent_at_ms) FROM requests WHERE run = r.key), 0), coalesce((SELECT updated_at_ms FROM drafts WHERE run = r.key), 0),
			coalesce((SELECT max(max(started_at_ms, ended_at_ms)) FROM tool_execs WHERE run = r.key), 0)) FROM runs r WHERE r.id = ?`
		var endedAtMs int64
		if err := t.Get(lasting, &endedAtMs, last, runID); errors.Is(err, sql.ErrNoRows) {
			return nil
		} else if err != nil {
			return err
		}
		return endRun(lasting, t.Tx, runID, core.StatusInterrupted, core.StopTerminated, why, endedAtMs, db.Now())
	})
	return conn.Fail(err, "end run %s", runID)
}

func endRun(ctx context.Context, t *conn.Tx, runID string, status core.Status, reason core.StopReason, why string, endedAtMs, nowMs int64) error {
	const end = `UPDATE runs SET status = ?, stop_reason = ?, error = ?, ended_at_ms = ? WHERE id = ? AND status = 'running'`
	done, err := t.Exec(ctx, end, status, reason, why, endedAtMs, runID)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	var run struct{ Session, Lane int64 }
	if err := t.Get(ctx, &run, `SELECT session, lane FROM runs WHERE id = ?`, runID); err != nil {
		return err
	}
	asleep := false
	if err := t.Get(ctx, &asleep, `SELECT EXISTS (SELECT 1 FROM wakes WHERE session = ?)`, run.Session); err != nil {
		return err
	}
	if run.Lane == 0 && !asleep {
		if _, err := t.Exec(ctx, `UPDATE sessions SET rest_status = ?, rest_stop_reason = ? WHERE key = ?`, status, reason, run.Session); err != nil {
			return err
		}
		if err := rest(ctx, t, run.Session, status, nowMs); err != nil {
			return err
		}
	}
	const settle = `UPDATE sessions SET status = rest_status, stop_reason = rest_stop_reason
		WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE session = ?1 AND status = 'running')`
	_, err = t.Exec(ctx, settle, run.Session)
	return err
}

// findRunning finds a run that may still write; Conflict for one that has ended, such as one that
// another process took for dead.
func findRunning(ctx context.Context, t *conn.Tx, runID string) (runRow, error) {
	var row runRow
	err := t.Get(ctx, &row, runColumns+`WHERE r.id = ?`, runID)
	if errors.Is(err, sql.ErrNoRows) {
		return row, core.E(core.NotFound, "no run %s", runID)
	} else if err != nil {
		return row, err
	}
	if row.Status != core.StatusRunning {
		return row, core.E(core.Conflict, "run %s has ended: it writes no more", runID)
	}
	return row, nil
}

// takeWakesOf is takeWakes for a run that has not ended.
func takeWakesOf(ctx context.Context, t *conn.Tx, runID string) error {
	_, err := t.Exec(ctx, `DELETE FROM wakes WHERE session IN (SELECT session FROM runs WHERE id = ? AND lane = 0 AND status = 'running')`, runID)
	return err
}

// AppendStep adds the answer of a model to a run's session, with the tool calls in it as pending, counts it
// and drops the draft. When it returns, all of that is on the disk. See Append.
func (db *Store) AppendStep(ctx context.Context, runID string, m core.Message, calls []core.ToolExec) (core.Message, error) {
	return db.appendTo(ctx, runID, m, func(ctx context.Context, t *store.Txn, run *runRow, m *core.Message) error {
		if err := endStep(ctx, t.Tx, run, m); err != nil {
			return err
		}
		if err := takeWakes(ctx, t.Tx, run.SessionKey, run.Lane); err != nil {
			return err
		}
		for i := range calls {
			const plan = `INSERT INTO tool_execs (message, position, run, call_id, name, state, idempotent, started_at_ms, ended_at_ms)
				SELECT id, ?, ?, ?, ?, 'pending', 0, 0, 0 FROM messages WHERE uid = ? AND session = ?`
			if _, err := t.Exec(ctx, plan, calls[i].Position, run.Key, calls[i].CallID, calls[i].Name, m.UID, run.SessionKey); err != nil {
				return err
			}
		}
		return nil
	})
}

// endStep counts an answer as a step of its run, links it with the request, and removes the draft.
func endStep(ctx context.Context, t *conn.Tx, run *runRow, m *core.Message) error {
	if err := countStep(ctx, t, run.Key, m); err != nil {
		return err
	}
	if err := answerRequest(ctx, t, run.Key, m, run.SessionKey); err != nil {
		return err
	}
	_, err := t.Exec(ctx, `DELETE FROM drafts WHERE run = ?`, run.Key)
	return err
}

func countStep(ctx context.Context, t *conn.Tx, run int64, m *core.Message) error {
	return countUsage(ctx, t, run, m, 1)
}

// countUsage adds the usage and the cost of a call to those of a run.
func countUsage(ctx context.Context, t *conn.Tx, run int64, m *core.Message, steps int64) error {
	u, cost, unpriced := core.Usage{}, int64(0), 1
	if m.Usage != nil {
		u = *m.Usage
	}
	if m.CostNanoUSD != nil {
		cost, unpriced = *m.CostNanoUSD, 0
	} else if m.Usage == nil && m.FinishReason == core.FinishAborted {
		unpriced = 0 // no usage was reported
	}
	_, err := t.Exec(ctx, `UPDATE runs SET step_count = step_count + ?, input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,
		cost_nano_usd = cost_nano_usd + ?, unpriced_steps = unpriced_steps + ? WHERE key = ?`, steps, u.InputTokens, u.OutputTokens, cost, unpriced, run)
	return err
}

// AppendResults adds the tool message to a run's session. The results of the calls it answers are kept there from now on.
func (db *Store) AppendResults(ctx context.Context, runID string, m core.Message) (core.Message, error) {
	return db.appendTo(ctx, runID, m, func(ctx context.Context, t *store.Txn, run *runRow, m *core.Message) error {
		_, err := t.Exec(ctx, `UPDATE tool_execs SET result = NULL WHERE message = (SELECT id FROM messages WHERE uid = ? AND session = ?)`, m.ParentUID, run.SessionKey)
		return err
	})
}

// AppendInput adds a message that is no answer to a run's session: a prompt, an instruction of the engine, or a compaction. What a
// model used to write it is counted, but not as a step. A queued message of its UID leaves the queue.
func (db *Store) AppendInput(ctx context.Context, runID string, m core.Message) (core.Message, error) {
	return db.appendTo(ctx, runID, m, func(ctx context.Context, t *store.Txn, run *runRow, m *core.Message) error {
		return endInput(ctx, t.Tx, run, m)
	})
}

// endInput counts what a model used to write a message that is no answer, and removes the message from the queue and the draft of what was
// being written. A message that was queued and a compaction come before the message with the reason of a wake, so they leave the
// conditions.
func endInput(ctx context.Context, t *conn.Tx, run *runRow, m *core.Message) error {
	if m.Usage != nil || m.CostNanoUSD != nil {
		if err := countUsage(ctx, t, run.Key, m, 0); err != nil {
			return err
		}
	}
	done, err := t.Exec(ctx, `DELETE FROM queued_messages WHERE uid = ?`, m.UID)
	if err != nil {
		return err
	}
	if queued, err := done.RowsAffected(); err != nil {
		return err
	} else if queued == 0 && m.Kind != core.KindCompaction {
		if err := takeWakes(ctx, t, run.SessionKey, run.Lane); err != nil {
			return err
		}
	}
	_, err = t.Exec(ctx, `DELETE FROM drafts WHERE run = ?`, run.Key)
	return err
}

// appendTo adds a message to a run's session. What a run has done is written also where the run is being stopped.
func (db *Store) appendTo(ctx context.Context, runID string, m core.Message, more func(ctx context.Context, t *store.Txn, run *runRow, m *core.Message) error) (core.Message, error) {
	m, err := tables.WriteMessage(context.WithoutCancel(ctx), db.Library, m, func(ctx context.Context, t *store.Txn, p *packing.Packed) error {
		run, err := findRunning(ctx, t.Tx, runID)
		if err != nil {
			return err
		}
		if err := appendBy(ctx, t, &run, p, run.Lane == 0); err != nil {
			return err
		}
		return more(ctx, t, &run, &p.Message)
	})
	return m, conn.Fail(err, "write a message of run %s", runID)
}

// appendBy adds a message of a run.
func appendBy(ctx context.Context, t *store.Txn, run *runRow, p *packing.Packed, movesHead bool) error {
	if err := tables.AppendMessage(ctx, t, run.SessionID, p, movesHead); err != nil {
		return err
	}
	_, err := t.Exec(ctx, `UPDATE messages SET run = ? WHERE uid = ? AND session = ?`, run.Key, p.Message.UID, run.SessionKey)
	return err
}

// RunTip returns the message that a run wrote last; empty where it wrote none, or what it wrote is gone.
func (db *Store) RunTip(ctx context.Context, runID string) (uid string, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		const last = `SELECT m.uid FROM messages m JOIN runs r ON r.key = m.run WHERE r.id = ? ORDER BY m.seq DESC LIMIT 1`
		err := t.Get(ctx, &uid, last, runID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return uid, conn.Fail(err, "find the end of run %s", runID)
}

// LastRunAt returns the run that wrote a message, or the head if uid is empty, if that is the last message of the run: whatever continues
// from there continues the run. ok is false otherwise.
func (db *Store) LastRunAt(ctx context.Context, sessionID, uid string) (run core.Run, ok bool, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		const at = runColumns + `JOIN messages m ON m.run = r.key WHERE s.id = ?1 AND m.session = s.key AND (m.uid = ?2 OR ?2 = '' AND m.id = s.head)
			AND NOT EXISTS (SELECT 1 FROM messages l WHERE l.run = r.key AND l.seq > m.seq)`
		runs, err := readRuns(ctx, t.Tx, at, sessionID, uid)
		if ok = len(runs) > 0; ok {
			run = runs[0]
		}
		return err
	})
	return run, ok, conn.Fail(err, "find the last run of session %s", sessionID)
}

// RunsAside returns the runs beside the session's main one that sent a request after a message, in the order in which they began.
func (db *Store) RunsAside(ctx context.Context, sessionID, uid string) ([]core.RunAside, error) {
	var runs []core.RunAside
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		const after = `SELECT DISTINCT r.id, r.agent, coalesce((SELECT l.uid FROM messages l WHERE l.run = r.key ORDER BY l.seq DESC LIMIT 1), '') AS tip
			FROM requests q JOIN messages m ON m.id = q.parent JOIN runs r ON r.key = q.run WHERE m.session = ? AND m.uid = ? AND r.lane > 0 ORDER BY r.key`
		return t.All(ctx, &runs, after, key, uid)
	}))
	return runs, conn.Fail(err, "find the runs beside session %s", sessionID)
}

// AgentCosts returns what each agent took of a session, the one with most steps first.
func (db *Store) AgentCosts(ctx context.Context, sessionID string) ([]core.AgentCost, error) {
	costs := []core.AgentCost{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		// The columns beside max(seq) are of the row that has it.
		const sum = `SELECT agent, model, step_count, input_tokens, output_tokens, cost_nano_usd, unpriced_steps, estimated_cost_nano_usd, unestimated_steps FROM (
			SELECT agent, model, max(seq) AS seq, sum(role = 'assistant') AS step_count, ` + tables.SumOf + `input_tokens` + tables.Tokens + ` AS input_tokens, ` + tables.SumOf + `output_tokens` + tables.Tokens + ` AS output_tokens,
			` + tables.SumOfCosts + ` AS cost_nano_usd, count(*) - count(cost_nano_usd) AS unpriced_steps,
			` + tables.SumOfEstimates + ` AS estimated_cost_nano_usd, ` + tables.CountOfUnpriced + ` AS unestimated_steps
			FROM messages WHERE session = ? AND (role = 'assistant' AND kind <> 'meta' OR role = 'user' AND model <> '' AND input_tokens IS NOT NULL)
			GROUP BY agent) ORDER BY step_count DESC, agent`
		return t.All(ctx, &costs, sum, key)
	}))
	return costs, conn.Fail(err, "add up the costs of session %s by agent", sessionID)
}

// ModelCosts returns what each model took of a session, the one with most steps first. A call that is no step, such as one that wrote a
// summary, counts for tokens and cost.
func (db *Store) ModelCosts(ctx context.Context, sessionID string) ([]core.ModelCost, error) {
	costs := []core.ModelCost{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		const sum = `SELECT model, sum(role = 'assistant') AS step_count, ` + tables.SumOf + `input_tokens` + tables.Tokens + ` AS input_tokens, ` + tables.SumOf + `output_tokens` + tables.Tokens + ` AS output_tokens,
			` + tables.SumOfCosts + ` AS cost_nano_usd, count(*) - count(cost_nano_usd) AS unpriced_steps,
			` + tables.SumOfEstimates + ` AS estimated_cost_nano_usd, ` + tables.CountOfUnpriced + ` AS unestimated_steps
			FROM messages WHERE session = ? AND (role = 'assistant' AND kind <> 'meta' OR role = 'user' AND model <> '' AND input_tokens IS NOT NULL)
			GROUP BY model ORDER BY step_count DESC, model`
		return t.All(ctx, &costs, sum, key)
	}))
	return costs, conn.Fail(err, "add up the costs of session %s", sessionID)
}
