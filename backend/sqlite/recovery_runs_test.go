package sqlite

import (
	"path/filepath"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/recovery"
)

// TestRecoverKeepsRuns recovers a library in which two states of a run are damaged: the run and what it spent are kept, and so are the
// other state and its request.
func TestRecoverKeepsRuns(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "coppice.db")
	db := must(Open(ctx, path, Options{}))(t)
	id := begun(t, db, "r1")
	send := func(parent, system string) {
		t.Helper()
		state := core.RunState{Mode: core.ModePlan, System: system}
		check(t, db.BeginRequest(ctx, core.SentRequest{RunID: "r1", ParentUID: parent, State: state, RequestHash: core.Hash([]byte(system)), SentAtMs: 1}))
	}
	send("p", "sound")
	must(db.AppendStep(ctx, "r1", say("a", "p", core.RoleAssistant), []core.ToolExec{{CallID: "c", Name: "x"}}))(t)
	send("a", "altered")
	must(db.AppendStep(ctx, "r1", say("b", "a", core.RoleAssistant), nil))(t)
	send("b", "lost")
	check(t, db.Approve(ctx, core.Approval{Scope: core.ScopeSession, SessionID: id, Tool: "run_command", Matcher: "go test *", Decision: core.DecisionAllow}))
	check(t, db.EndRun(ctx, "r1", core.StatusPartial, core.StopBudget, ""))
	check(t, db.Close())
	raw(t, path, `PRAGMA foreign_keys = OFF`,
		`UPDATE state_texts SET body = CAST('otherwise' AS BLOB) WHERE body = CAST('altered' AS BLOB)`,
		`DELETE FROM state_texts WHERE body = CAST('lost' AS BLOB)`,
		`UPDATE runs SET state = (SELECT max(key) FROM run_states)`)
	output := filepath.Join(t.TempDir(), "recovered.db")
	report := must(recovery.Recover(ctx, path, output, nil))(t)
	if len(report.Problems) > 0 {
		t.Error(report.Problems)
	}
	saved := openAt(t, output)
	requests, runs := must(saved.Requests(ctx, id))(t), must(saved.Runs(ctx, id))(t)
	if len(requests) != 1 || requests[0].State.System != "sound" || requests[0].MessageUID != "a" {
		t.Errorf("requests %+v", requests)
	}
	if len(runs) != 1 || runs[0].StepCount != 2 || runs[0].CostNanoUSD != 500 || runs[0].Status != core.StatusPartial {
		t.Errorf("runs %+v", runs)
	}
	if execs := must(saved.Execs(ctx, id, "a"))(t); len(execs) != 1 {
		t.Errorf("executions %+v", execs)
	}
	if approvals := must(saved.Approvals(ctx, id, ""))(t); len(approvals) != 1 {
		t.Errorf("approvals %+v", approvals)
	}
}
