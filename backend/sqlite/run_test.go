package sqlite

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
)

// begun makes a session with a prompt and a run on it.
func begun(t *testing.T, db *DB, runID string) (sessionID string) {
	t.Helper()
	s := must(db.CreateSession(t.Context(), core.Session{}))(t)
	must(db.StartRun(t.Context(), core.Run{
		ID: runID, SessionID: s.ID, Agent: "build", Model: "demo/one", Mode: core.ModeYolo, WorkspacePath: "/w", Budget: core.Budget{Steps: 7},
		Owner: core.Owner{PID: 4, Started: "boot", Host: "here"}, StartedAtMs: startMs,
	}))(t)
	must(db.AppendInput(t.Context(), runID, say("p", "", core.RoleUser)))(t)
	return s.ID
}

func resultOf(callID, text string) *core.Part {
	return &core.Part{Type: core.PartToolResult, ID: callID, Name: "write_file", Result: []core.Part{{Type: core.PartText, Text: text}}}
}

func TestRunFromStartToEnd(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	id := begun(t, db, "r1")
	running := must(db.RunningRuns(ctx))(t)
	if len(running) != 1 || running[0].SessionID != id || running[0].Owner.Host != "here" || running[0].Budget.Steps != 7 {
		t.Fatalf("running %+v", running)
	}
	_, err := db.StartRun(ctx, core.Run{ID: "r2", SessionID: id, Mode: core.ModePlan})
	wantCode(t, err, core.Conflict)
	check(t, db.PutDraft(ctx, core.Draft{RunID: "r1", ParentUID: "p", Message: say("d", "p", core.RoleAssistant), UpdatedAtMs: startMs}))
	if drafts := must(db.Drafts(ctx, id))(t); len(drafts) > 0 {
		t.Fatalf("drafts of a running run: %+v", drafts)
	}
	answer := say("a", "p", core.RoleAssistant)
	must(db.AppendStep(ctx, "r1", answer, []core.ToolExec{{Position: 0, CallID: "c0", Name: "write_file"}, {Position: 1, CallID: "c1", Name: "write_file"}}))(t)
	kept := -1
	check(t, readerOf(t, db).Get(&kept, `SELECT count(*) FROM drafts`))
	if kept != 0 {
		t.Error("the draft outlives its answer")
	}
	check(t, db.BeginExec(ctx, core.ToolExec{RunID: "r1", MessageUID: "a", Position: 0, Idempotent: true, StartedAtMs: 5}))
	content := []byte("after")
	check(t, db.EndExec(ctx, core.ToolExec{
		RunID: "r1", MessageUID: "a", Position: 0, CallID: "c0", State: core.ExecDone, Result: resultOf("c0", "written"), EndedAtMs: 9,
		Changes: []core.FileChange{{Path: "b.txt", AfterHash: core.Hash(content), Mode: 0o644}, {Path: "a.txt"}},
		Blobs:   []core.Blob{{Hash: core.Hash(content), Data: content}},
	}))
	execs := must(db.Execs(ctx, id, "a"))(t)
	if len(execs) != 2 || execs[0].State != core.ExecDone || !execs[0].Idempotent || execs[0].Result.Result[0].Text != "written" ||
		execs[1].State != core.ExecPending || execs[1].Result != nil {
		t.Fatalf("execs %+v", execs)
	}
	results := core.Message{UID: "t", ParentUID: "a", Role: core.RoleTool, Parts: []core.Part{*resultOf("c0", "written")}}
	must(db.AppendResults(ctx, "r1", results))(t)
	if execs := must(db.Execs(ctx, id, "a"))(t); execs[0].Result != nil {
		t.Error("the result is kept twice")
	}
	check(t, db.EndRun(ctx, "r1", core.StatusSuccess, core.StopDone, ""))
	check(t, db.EndRun(ctx, "r1", core.StatusFailed, core.StopError, "late"))
	s, runs := must(db.Session(ctx, id))(t), must(db.Runs(ctx, id))(t)
	if s.Status != core.StatusSuccess || s.StopReason != "llm_done" || s.StepCount != 1 || s.WorkspacePath != "/w" || !slices.Equal(s.FilesModified, []string{"a.txt", "b.txt"}) {
		t.Errorf("session %+v", s)
	}
	if r := runs[0]; r.Status != core.StatusSuccess || r.StepCount != 1 || r.InputTokens != 10 || r.OutputTokens != 3 || r.CostNanoUSD != 250 || r.UnpricedSteps != 0 || r.EndedAtMs == 0 {
		t.Errorf("run %+v", r)
	}
	if changes := must(db.FileChanges(ctx, id, "a"))(t); len(changes) != 2 || changes[0].Path != "b.txt" || changes[0].Mode != 0o644 {
		t.Errorf("changes %+v", changes)
	}
	if got := must(db.Blob(ctx, core.Hash(content)))(t); string(got.Data) != "after" {
		t.Errorf("content %q", got.Data)
	}
	if flaws := must(db.Check(ctx, nil))(t); len(flaws) > 0 {
		t.Error(flaws)
	}
	_, err = db.AppendInput(ctx, "r1", say("late", "t", core.RoleUser))
	wantCode(t, err, core.Conflict)
}

// What a run leaves goes with its session, contents included.
func TestRunIsPurgedWithItsSession(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	id := begun(t, db, "r1")
	must(db.AppendStep(ctx, "r1", say("a", "p", core.RoleAssistant), []core.ToolExec{{CallID: "c", Name: "x"}}))(t)
	content := []byte("kept for a while")
	check(t, db.EndExec(ctx, core.ToolExec{
		RunID: "r1", MessageUID: "a", CallID: "c", State: core.ExecDone, Result: resultOf("c", "ok"), Changes: []core.FileChange{{Path: "f", BeforeHash: core.Hash(content)}},
		Blobs: []core.Blob{{Hash: core.Hash(content), Data: content}},
	}))
	check(t, db.Approve(ctx, core.Approval{Scope: core.ScopeSession, SessionID: id, Tool: "run_command", Matcher: "go test *", Decision: core.DecisionAllow}))
	check(t, db.PutDraft(ctx, core.Draft{RunID: "r1", ParentUID: "a", Message: say("d", "a", core.RoleAssistant)}))
	check(t, db.EndRun(ctx, "r1", core.StatusPartial, core.StopBudget, ""))
	check(t, db.Trash(ctx, []string{id}))
	must(db.Purge(ctx, nil))(t)
	for _, table := range []string{"runs", "tool_execs", "file_changes", "approvals", "drafts", "blobs"} {
		var n int
		check(t, readerOf(t, db).Get(&n, `SELECT count(*) FROM `+table))
		if n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
	}
}

func TestApprovalsApplyInTheirScope(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	one, two := must(db.CreateSession(ctx, core.Session{}))(t).ID, must(db.CreateSession(ctx, core.Session{}))(t).ID
	give := func(a core.Approval) {
		t.Helper()
		a.Tool, a.Decision = "t", core.DecisionAllow
		check(t, db.Approve(ctx, a))
	}
	give(core.Approval{Scope: core.ScopeSession, SessionID: one, Matcher: "s"})
	give(core.Approval{Scope: core.ScopeWorkspace, WorkspacePath: "/w", SessionID: one, Matcher: "w"})
	give(core.Approval{Scope: core.ScopeAlways, Matcher: "a"})
	matchers := func(session, workspace string) string {
		t.Helper()
		text := ""
		for _, a := range must(db.Approvals(ctx, session, workspace))(t) {
			text += a.Matcher
		}
		return text
	}
	for _, c := range []struct{ session, workspace, want string }{{one, "/w", "swa"}, {two, "/w", "wa"}, {one, "/x", "sa"}, {two, "/x", "a"}} {
		if got := matchers(c.session, c.workspace); len(got) != len(c.want) || slices.ContainsFunc([]rune(c.want), func(r rune) bool { return !slices.Contains([]rune(got), r) }) {
			t.Errorf("%+v: %q", c, got)
		}
	}
	wantCode(t, db.Approve(ctx, core.Approval{Scope: core.ScopeOnce}), core.Invalid)
	all := must(db.Approvals(ctx, one, "/w"))(t)
	check(t, db.Forget(ctx, all[0].ID))
	wantCode(t, db.Forget(ctx, all[0].ID), core.NotFound)
}

func TestModelCosts(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	id := begun(t, db, "r1")
	must(db.AppendStep(ctx, "r1", say("a", "p", core.RoleAssistant), nil))(t)
	unpriced := say("b", "a", core.RoleAssistant)
	unpriced.Model, unpriced.CostNanoUSD = "other/two", nil
	must(db.AppendStep(ctx, "r1", unpriced, nil))(t)
	must(db.AppendStep(ctx, "r1", say("c", "b", core.RoleAssistant), nil))(t)
	costs := must(db.ModelCosts(ctx, id))(t)
	if len(costs) != 2 || costs[0].Model != "demo/one" || costs[0].StepCount != 2 || *costs[0].CostNanoUSD != 500 || costs[0].InputTokens != 20 ||
		costs[1].CostNanoUSD != nil || costs[1].UnpricedSteps != 1 {
		t.Errorf("costs %+v", costs)
	}
	if r := must(db.Runs(ctx, id))(t)[0]; r.UnpricedSteps != 1 || r.CostNanoUSD != 500 {
		t.Errorf("run %+v", r)
	}
}

func TestConversationIsWhole(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	id := begun(t, db, "r1")
	long := string(slices.Repeat([]byte("0123456789"), packing.SpillFrom/5))
	m := say("a", "p", core.RoleUser)
	m.Parts = []core.Part{
		{Type: core.PartText, Text: long},
		{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: []byte("\x89PNG")}},
		{Type: core.PartText, Text: "head … tail", Truncated: &core.Truncated{SizeBytes: 9, Blob: core.Hash([]byte("all of it")), Shown: true}},
	}
	must(db.AppendInput(ctx, "r1", m))(t)
	got := must(db.Conversation(ctx, id, ""))(t)
	if len(got) != 2 || got[1].Parts[0].Text != long || got[1].Parts[0].Truncated != nil || string(got[1].Parts[1].Media.Data) != "\x89PNG" || got[1].Parts[2].Text != "head … tail" {
		t.Errorf("conversation %d, %.40q", len(got), got[1].Parts[0].Text)
	}
}

// stateOf is a run state as large as real ones: a long system prompt and the definitions of many tools.
func stateOf(mode core.Mode) core.RunState {
	tools := make([]core.ToolSpec, 20)
	for i := range tools {
		tools[i] = core.ToolSpec{Name: fmt.Sprint("tool", i), Description: strings.Repeat("Does this or that. ", 20), Parameters: json.RawMessage(`{"type":"object"}`)}
	}
	return core.RunState{
		Agent: core.Agent{Name: "build", Prompt: "You build."}, Model: "demo/one", BaseURL: "http://one", Mode: mode, Limits: core.Budget{Steps: 7},
		WorkspacePath: "/w", System: strings.Repeat("You are careful. ", 500), Tools: tools,
	}
}

// TestStateIsStoredOnce sends a hundred requests with one state, and one with another.
func TestStateIsStoredOnce(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	id := begun(t, db, "r1")
	parent := "p"
	size := func() (bytes int64) {
		check(t, readerOf(t, db).Get(&bytes, `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`))
		return bytes
	}
	for i := range 100 {
		m := say(fmt.Sprint("a", i), parent, core.RoleAssistant)
		must(db.AppendStep(ctx, "r1", m, nil))(t)
		parent = m.UID
	}
	before := size()
	hash := core.Hash([]byte("request"))
	for range 100 {
		check(t, db.BeginRequest(ctx, core.SentRequest{RunID: "r1", ParentUID: parent, State: stateOf(core.ModeYolo), RequestHash: hash, SentAtMs: startMs}))
	}
	if added := size() - before; added > 20<<10+6*8192 { // six tables and indexes begin a page each
		t.Errorf("100 requests add %d bytes", added)
	}
	check(t, db.BeginRequest(ctx, core.SentRequest{RunID: "r1", ParentUID: parent, State: stateOf(core.ModePlan), RequestHash: hash, SentAtMs: startMs}))
	must(db.AppendStep(ctx, "r1", say("last", parent, core.RoleAssistant), nil))(t)
	var states, texts int
	check(t, readerOf(t, db).Get(&states, `SELECT count(*) FROM run_states`))
	check(t, readerOf(t, db).Get(&texts, `SELECT count(*) FROM state_texts`))
	if states != 2 || texts != 2 {
		t.Errorf("%d states with %d texts are stored", states, texts)
	}
	requests := must(db.Requests(ctx, id))(t)
	want := stateOf(core.ModeYolo)
	if got := requests[0]; len(requests) != 101 || !reflect.DeepEqual(got.State, want) || got.RequestHash != hash || got.MessageUID != "" || got.ParentUID != parent {
		t.Errorf("%d requests, the first is %+v", len(requests), got)
	}
	if got, ok, err := db.RequestOf(ctx, id, "last"); err != nil || !ok || got.State.Mode != core.ModePlan {
		t.Errorf("%v %t %+v", err, ok, got)
	}
	if _, ok, err := db.RequestOf(ctx, id, "a5"); err != nil || ok {
		t.Errorf("%v, a request was recorded: %t", err, ok)
	}
}

// TestStateAt asks for the state of several branches, and of runs that ended early.
func TestStateAt(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	id := begun(t, db, "r1")
	step := func(run, parent, uid string, mode core.Mode) {
		t.Helper()
		check(t, db.BeginRequest(ctx, core.SentRequest{RunID: run, ParentUID: parent, State: stateOf(mode), RequestHash: core.Hash(nil), SentAtMs: startMs}))
		if uid != "" {
			must(db.AppendStep(ctx, run, say(uid, parent, core.RoleAssistant), nil))(t)
		}
	}
	start := func(run string, lane int64, mode core.Mode) {
		t.Helper()
		state := stateOf(mode)
		must(db.StartRun(ctx, core.Run{ID: run, SessionID: id, Lane: lane, Mode: mode, State: &state, StartedAtMs: startMs}))(t)
	}
	want := func(uid string, mode core.Mode) {
		t.Helper()
		s, ok, err := db.StateAt(ctx, id, uid)
		if err != nil || ok != (mode != "") || s.Mode != mode {
			t.Errorf("after %q: %v, %t, mode %q, want %q", uid, err, ok, s.Mode, mode)
		}
	}
	want("", "")
	step("r1", "p", "a", core.ModeYolo)
	want("", core.ModeYolo)
	start("beside", 1, core.ModePlan)
	step("beside", "a", "aside", core.ModePlan)
	want("aside", core.ModeYolo)
	check(t, db.EndRun(ctx, "r1", core.StatusSuccess, core.StopDone, ""))
	start("r2", 0, core.ModeConfirmAll)
	step("r2", "p", "b", core.ModeConfirmAll) // another answer to p
	want("", core.ModeConfirmAll)
	want("a", core.ModeYolo)
	want("p", core.ModeConfirmAll)
	check(t, db.EndRun(ctx, "r2", core.StatusSuccess, core.StopDone, ""))
	start("r3", 0, core.ModePlan) // ends before its first request
	want("", core.ModePlan)
	want("b", core.ModeConfirmAll)
	must(db.MoveHead(ctx, id, "a"))(t)
	check(t, db.EndRun(ctx, "r3", core.StatusInterrupted, core.StopTerminated, ""))
	check(t, db.EndRun(ctx, "beside", core.StatusSuccess, core.StopDone, ""))
	check(t, db.Trash(ctx, []string{id}))
	must(db.Purge(ctx, nil))(t)
	for _, table := range []string{"requests", "run_states", "state_texts"} {
		var rows int
		check(t, readerOf(t, db).Get(&rows, `SELECT count(*) FROM `+table))
		if rows > 0 {
			t.Errorf("%d rows are left in %s", rows, table)
		}
	}
}
