package runs

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// stopKey is the setting that requests the end of the job in a session.
func stopKey(sessionID string) string { return "stop_job:" + sessionID }

// Jobs returns the jobs that agents gave to others in a session, in the order in which they began; for an empty session, those of all
// sessions that are running.
func (db *Store) Jobs(ctx context.Context, sessionID string) ([]core.Job, error) {
	jobs := []core.Job{}
	err := db.Read(ctx, func(t *store.Txn) error {
		where := `s.parent_id = ?1 AND s.parent_id <> ''`
		if sessionID == "" {
			where = `r.status = 'running' AND ?1 = ''`
		}
		runs, err := readRuns(ctx, t.Tx, runColumns+`WHERE `+where+` AND s.relation = 'subagent' AND NOT r.imported ORDER BY r.key`, sessionID)
		if err != nil {
			return err
		}
		at := map[string]int{}
		for i := range runs {
			run := &runs[i]
			job, ok := at[run.SessionID]
			if !ok {
				job = len(jobs)
				at[run.SessionID] = job
				jobs = append(jobs, core.Job{SessionID: run.SessionID, StartedAtMs: run.StartedAtMs})
			}
			jobs[job].Agent, jobs[job].Status, jobs[job].StopReason, jobs[job].EndedAtMs = run.Agent, run.Status, run.StopReason, run.EndedAtMs
		}
		for i := range jobs {
			key, err := tables.SessionKey(ctx, t.Tx, jobs[i].SessionID)
			if err != nil {
				return err
			}
			session, err := tables.ReadSession(ctx, t.Tx, key)
			if err != nil {
				return err
			}
			job := &jobs[i]
			job.ParentID, job.Title, job.Steps = session.ParentID, session.Title, session.StepCount
			job.Tokens, job.CostNanoUSD = session.InputTokens+session.OutputTokens, session.CostNanoUSD
		}
		return nil
	})
	return jobs, conn.Fail(err, "read the jobs")
}

// RequestStop requests the end of the job that runs in a session, in whatever process. It is a Conflict if none runs.
func (db *Store) RequestStop(ctx context.Context, sessionID string) error {
	jobs, err := db.Jobs(ctx, "")
	if err != nil {
		return err
	}
	for i := range jobs {
		if jobs[i].SessionID == sessionID {
			return tables.StoreSetting(ctx, db.Library, stopKey(sessionID), "1")
		}
	}
	return core.E(core.Conflict, "no job runs in session %s", sessionID)
}

// TakeStop reports whether the end of the job in a session was requested, and removes the request.
func (db *Store) TakeStop(ctx context.Context, sessionID string) (bool, error) {
	value, err := tables.ReadSetting(ctx, db.Library, stopKey(sessionID))
	if err != nil || value == "" {
		return false, err
	}
	return true, tables.StoreSetting(ctx, db.Library, stopKey(sessionID), "")
}
