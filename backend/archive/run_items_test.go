package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

const ran = "019a9f00-0000-7000-8000-0000000000aa"

// worked makes a session in which a run was killed: its last answer has a finished call, one that never began, and an answer was being
// written beside it.
func worked(t testing.TB, db *sqlite.DB) {
	t.Helper()
	ctx := context.Background()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := db.CreateSession(ctx, core.Session{ID: ran, Title: "Say <hello>", WorkspacePath: "/home/ada/x", CreatedAtMs: 1_763_712_000_000})
	check(err)
	state := core.RunState{
		Agent: core.Agent{Name: "build", Prompt: "You <build> things.", Mode: core.ModeYolo}, Model: "demo/one", BaseURL: "http://10.0.0.7:8080/v1", Mode: core.ModeYolo,
		Limits: core.Budget{CostNanoUSD: 1_000_000_000}, WorkspacePath: "/home/ada/x", System: "You <build> things.\nToday is Monday.",
		Tools: []core.ToolSpec{{Name: "write_file", Description: "Writes a file.", Parameters: json.RawMessage(`{"type":"object"}`)}},
	}
	run, err := db.StartRun(ctx, core.Run{
		ID: "run-1", SessionID: s.ID, Agent: "build", Model: "demo/one", BaseURL: "http://10.0.0.7:8080/v1", Mode: core.ModeYolo, WorkspacePath: "/home/ada/x",
		Budget: state.Limits, Owner: core.Owner{PID: 4, Started: "boot", Host: "here"}, StartedAtMs: 1_763_712_000_500, State: &state,
	})
	check(err)
	say := func(uid, parent string, role core.Role, parts ...core.Part) core.Message {
		return core.Message{UID: uid, ParentUID: parent, Role: role, Kind: core.KindMessage, Parts: parts, CreatedAtMs: 1_763_712_001_000}
	}
	_, err = db.AppendInput(ctx, run.ID, say("p", "", core.RoleUser, core.Part{Type: core.PartText, Text: "Say hello."}))
	check(err)
	check(db.BeginRequest(ctx, core.SentRequest{RunID: run.ID, ParentUID: "p", State: state, RequestHash: core.Hash([]byte("1")), SentAtMs: 1_763_712_001_500}))
	answer := say("a", "p", core.RoleAssistant, call("c1"), call("c2"))
	cost := int64(400_000_000)
	answer.Usage, answer.CostNanoUSD = &core.Usage{InputTokens: 90, OutputTokens: 10}, &cost
	_, err = db.AppendStep(ctx, run.ID, answer, []core.ToolExec{{Position: 0, CallID: "c1", Name: "write_file"}, {Position: 1, CallID: "c2", Name: "write_file"}})
	check(err)
	check(db.BeginExec(ctx, core.ToolExec{RunID: run.ID, MessageUID: "a", Position: 0, StartedAtMs: 1_763_712_002_000}))
	before, after := []byte("hello\n"), []byte("Hello <b>&\n")
	long := strings.Repeat("Wrote a line of text.\n", 4_000) // it is spilled to a content
	result := core.Part{Type: core.PartToolResult, ID: "c1", Name: "write_file", Result: []core.Part{{Type: core.PartText, Text: long}}}
	check(db.EndExec(ctx, core.ToolExec{
		RunID: run.ID, MessageUID: "a", Position: 0, CallID: "c1", State: core.ExecDone, Result: &result, EndedAtMs: 1_763_712_003_000,
		Changes: []core.FileChange{{Path: "docs/hello.txt", BeforeHash: core.Hash(before), AfterHash: core.Hash(after), Mode: 0o644}, {Path: "new.txt", AfterHash: core.Hash(nil), Mode: 0o600}},
		Blobs:   []core.Blob{{Hash: core.Hash(before), Data: before}, {Hash: core.Hash(after), Data: after}, {Hash: core.Hash(nil)}},
	}))
	check(db.Approve(ctx, core.Approval{ID: "yes", Scope: core.ScopeSession, SessionID: s.ID, Tool: "run_command", Matcher: "go test *", Decision: core.DecisionAllow, CreatedAtMs: 1}))
	check(db.Approve(ctx, core.Approval{ID: "no", Scope: core.ScopeSession, SessionID: s.ID, Tool: "write_file", Matcher: "go.mod", Decision: core.DecisionDeny, Reason: "It is pinned.", CreatedAtMs: 2}))
	check(db.Approve(ctx, core.Approval{ID: "elsewhere", Scope: core.ScopeAlways, Tool: "run_command", Matcher: "ls", Decision: core.DecisionAllow, CreatedAtMs: 3}))
	check(db.BeginRequest(ctx, core.SentRequest{RunID: run.ID, ParentUID: "a", State: state, RequestHash: core.Hash([]byte("2")), SentAtMs: 1_763_712_004_000}))
	check(db.PutDraft(ctx, core.Draft{RunID: run.ID, ParentUID: "a", Message: say("d", "a", core.RoleAssistant, core.Part{Type: core.PartText, Text: "So I"}), UpdatedAtMs: 1_763_712_005_000}))
}

func call(id string) core.Part {
	return core.Part{Type: core.PartToolCall, ID: id, Name: "write_file", Arguments: json.RawMessage(`{"path":"a"}`)}
}

// TestRunsRoundTrip exports a session with everything that a run leaves, imports it and exports it again: the same bytes. Importing it
// again changes nothing.
func TestRunsRoundTrip(t *testing.T) {
	ctx := context.Background()
	for _, asLines := range []bool{false, true} {
		first, second := openLibrary(t), openLibrary(t)
		worked(t, first)
		want := write(t, first, []string{ran}, asLines, archive.Options{})
		for range 2 {
			readInto(t, second, want)
			if got := write(t, second, []string{ran}, asLines, archive.Options{}); !bytes.Equal(got, want) {
				t.Fatal(difference(want, got))
			}
		}
		if flaws, err := second.Check(ctx, nil); err != nil || len(flaws) > 0 {
			t.Error(flaws, err)
		}
		s, err := second.Session(ctx, ran)
		if err != nil || s.Status != core.StatusInterrupted || s.StopReason != "terminated" || !slices.Equal(s.FilesModified, []string{"docs/hello.txt", "new.txt"}) {
			t.Errorf("session %+v, %v", s, err)
		}
		runs, err := second.Runs(ctx, ran)
		if err != nil || len(runs) != 1 || runs[0].CostNanoUSD != 400_000_000 || runs[0].Status != core.StatusInterrupted || !runs[0].Imported || runs[0].EndedAtMs == 0 {
			t.Errorf("runs %+v, %v", runs, err)
		}
		if running, err := second.RunningRuns(ctx); err != nil || len(running) > 0 {
			t.Errorf("running %+v, %v", running, err)
		}
		state, ok, err := second.StateAt(ctx, ran, "")
		if err != nil || !ok || state.Limits.CostNanoUSD != 1_000_000_000 || state.System == "" || len(state.Tools) != 1 || !state.Imported {
			t.Errorf("state %+v, %v", state, err)
		}
		changes, err := second.FileChanges(ctx, ran, "a")
		if err != nil || len(changes) != 2 {
			t.Fatal(changes, err)
		}
		for _, hash := range []string{changes[0].BeforeHash, changes[0].AfterHash, changes[1].AfterHash} {
			if _, err := second.Blob(ctx, hash); err != nil {
				t.Errorf("the content of a changed file: %v", err)
			}
		}
		execs, err := second.Execs(ctx, ran, "a")
		if err != nil || len(execs) != 2 || execs[0].Result == nil || execs[1].State != core.ExecPending || !execs[1].Imported {
			t.Errorf("executions %+v, %v", execs, err)
		}
		if tip, err := second.RunTip(ctx, "run-1"); err != nil || tip != "a" {
			t.Errorf("the run ends at %q, %v", tip, err)
		}
		if drafts, err := second.Drafts(ctx, ran); err != nil || len(drafts) != 1 || drafts[0].Message.Text() != "So I" {
			t.Errorf("drafts %+v, %v", drafts, err)
		}
	}
}

// TestWakesRoundTrip carries what a hibernated session waits for. In another library the conditions do nothing until the user confirms
// them, and do not replace those that the user has set there.
func TestWakesRoundTrip(t *testing.T) {
	ctx := context.Background()
	for _, asLines := range []bool{false, true} {
		first, second := openLibrary(t), openLibrary(t)
		s, err := first.CreateSession(ctx, core.Session{ID: ran, Title: "waits", CreatedAtMs: 1_763_712_000_000})
		if err != nil {
			t.Fatal(err)
		}
		wakes := []core.Wake{
			{Kind: core.WakeTime, AtMs: 5, Active: true},
			{Kind: core.WakeChange, Path: "/home/ada/x", Fingerprint: "f", Active: true},
			{Kind: core.WakeDone, AwaitedID: "other", Active: true},
		}
		if err := first.Hibernate(ctx, s.ID, wakes); err != nil {
			t.Fatal(err)
		}
		want := write(t, first, []string{ran}, asLines, archive.Options{})
		for range 2 {
			readInto(t, second, want)
			if got := write(t, second, []string{ran}, asLines, archive.Options{}); !bytes.Equal(got, want) {
				t.Fatal(difference(want, got))
			}
		}
		arrived, err := second.Wakes(ctx, ran)
		if err != nil || len(arrived) != 3 || slices.ContainsFunc(arrived, func(w core.Wake) bool { return w.Active }) {
			t.Errorf("%+v, %v", arrived, err)
		}
		if err := second.Hibernate(ctx, ran, wakes[:1]); err != nil {
			t.Fatal(err)
		}
		readInto(t, second, want)
		if arrived, err = second.Wakes(ctx, ran); err != nil || len(arrived) != 1 || !arrived[0].Active {
			t.Errorf("after the user has set one: %+v, %v", arrived, err)
		}
	}
}

// TestNewerFieldsSurviveTheLibrary imports fields that this version does not know, in states and beside them, and exports them again.
func TestNewerFieldsSurviveTheLibrary(t *testing.T) {
	for name, asLines := range map[string]bool{"session.v2.json": false, "lines.v2.jsonl": true, "restored.v2.json": false} {
		want, db := golden(t, name), openLibrary(t)
		readInto(t, db, want)
		if got := write(t, db, []string{ran}, asLines, archive.Options{}); !bytes.Equal(got, want) {
			t.Error(difference(want, got))
		}
		state, ok, err := db.StateAt(context.Background(), ran, "")
		if err != nil || !ok || state.Mode != core.ModeYolo || state.Limits.CostNanoUSD != 1_000_000_000 {
			t.Errorf("state %+v, %v", state, err)
		}
	}
}

// TestImportedApprovalsPermitNothing imports the file of a stranger: a refusal is in force, a permission when the user has confirmed it.
func TestImportedApprovalsPermitNothing(t *testing.T) {
	ctx := context.Background()
	first, second := openLibrary(t), openLibrary(t)
	worked(t, first)
	readInto(t, second, write(t, first, []string{ran}, false, archive.Options{}))
	ids := func() string {
		t.Helper()
		inForce, err := second.Approvals(ctx, ran, "/home/ada/x")
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, a := range inForce {
			all += a.ID + " "
		}
		return all
	}
	if got := ids(); got != "no " {
		t.Errorf("in force: %s", got)
	}
	all, err := second.AllApprovals(ctx)
	if err != nil || len(all) != 2 || all[0].ID != "yes" || !all[0].Unconfirmed || all[1].Unconfirmed {
		t.Errorf("%+v, %v", all, err)
	}
	// The archive that a permission was given in brings it back to its own library as it is.
	readInto(t, first, write(t, second, []string{ran}, false, archive.Options{}))
	if all, err := first.AllApprovals(ctx); err != nil || len(all) != 3 || all[0].Unconfirmed {
		t.Errorf("%+v, %v", all, err)
	}
	if err := second.Confirm(ctx, "yes"); err != nil {
		t.Fatal(err)
	}
	if got := ids(); got != "yes no " {
		t.Errorf("in force after it was confirmed: %s", got)
	}
	if err := second.Confirm(ctx, "maybe"); core.CodeOf(err) != core.NotFound {
		t.Error(err)
	}
}

// TestRunsAreMerged imports a session twice, the second time after it was continued: each run counts once, with its later counts.
func TestRunsAreMerged(t *testing.T) {
	ctx := context.Background()
	home, away := openLibrary(t), openLibrary(t)
	worked(t, home)
	early := write(t, home, []string{ran}, false, archive.Options{})
	readInto(t, away, early)
	cost := int64(50_000_000)
	next := core.Message{UID: "b", ParentUID: "a", Role: core.RoleAssistant, Kind: core.KindMessage, Parts: []core.Part{}, CreatedAtMs: now, CostNanoUSD: &cost, Usage: &core.Usage{InputTokens: 1}}
	if _, err := home.AppendStep(ctx, "run-1", next, nil); err != nil {
		t.Fatal(err)
	}
	if err := home.EndRun(ctx, "run-1", core.StatusSuccess, core.StopDone, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := home.StartRun(ctx, core.Run{ID: "run-2", SessionID: ran, Mode: core.ModePlan, StartedAtMs: now}); err != nil {
		t.Fatal(err)
	}
	late := write(t, home, []string{ran}, true, archive.Options{})
	for range 2 {
		readInto(t, away, late)
		readInto(t, away, early) // an older copy changes nothing
		readInto(t, home, early)
	}
	for name, db := range map[string]*sqlite.DB{"away": away, "home": home} {
		runs, err := db.Runs(ctx, ran)
		if err != nil || len(runs) != 2 || runs[0].CostNanoUSD != 450_000_000 || runs[0].StepCount != 2 || runs[0].Status != core.StatusSuccess {
			t.Errorf("%s: %+v, %v", name, runs, err)
		}
		requests, err := db.Requests(ctx, ran)
		if err != nil || len(requests) != 2 || requests[1].MessageUID != "b" {
			t.Errorf("%s: %+v, %v", name, requests, err)
		}
		if changes, err := db.FileChanges(ctx, ran, "a"); err != nil || len(changes) != 2 {
			t.Errorf("%s: %+v, %v", name, changes, err)
		}
	}
	if running, err := home.RunningRuns(ctx); err != nil || len(running) != 1 {
		t.Errorf("the run that is active here is %+v, %v", running, err)
	}
	if drafts, err := away.Drafts(ctx, ran); err != nil || len(drafts) != 1 {
		t.Errorf("drafts %+v, %v", drafts, err)
	}
}

// TestBadRunItems leaves out what is wrong, names it with its line, and imports the rest.
func TestBadRunItems(t *testing.T) {
	first := newMemoryLibrary()
	if problems := first.read(t, golden(t, "session.v2.json")); len(problems) > 0 {
		t.Fatal(problems)
	}
	good := golden(t, "session.v2.json")
	line := func(list string) int {
		return 1 + bytes.Count(good[:bytes.Index(good, []byte("\n\""+list+"\":["))+1], []byte("\n")) + 1
	}
	for _, test := range []struct{ list, old, new, want string }{
		{"runs", `"mode":"yolo","workspacePath"`, `"mode":"free","workspacePath"`, `the run is left out: its mode "free" is unknown`},
		{"runs", `"stepCount":1,"inputTokens":90,"outputTokens":10,"costNanoUsd":400000000,"unpriced`, `"stepCount":"1","unpriced`, `the run is left out: field "stepCount"`},
		{"runs", `"costNanoUsd":400000000,"unpriced`, `"costNanoUsd":-400000000,"unpriced`, "run run-1 has impossible counts; they are limited"},
		{"runs", `"budget":{`, `"budget":[],"old":{`, "its budget is not an object of numbers"},
		{"runs", `"status":"interrupted","stopReason":"terminated","error"`, `"status":"idle","stopReason":"","error"`, `its status "idle" is unknown`},
		{"states", `"state":{"agent"`, `"state":{"agent":5,"agents"`, "the state is left out: "},
		{"states", `Today is Monday.`, `Today is Tuesday.`, "a run state differs from its hash"},
		{"requests", `"requestHash":"sha256:`, `"requestHash":"md5:`, "the request is left out: its hash is not valid"},
		{"requests", `"parentUid":"p","messageUid"`, `"parentUid":"q","messageUid"`, `the request is left out: "q" is no message of the session`},
		{"approvals", `"scope":"session"`, `"scope":"always"`, `the approval is left out: its scope is "always", not "session"`},
		{"approvals", `"decision":"allow"`, `"decision":"perhaps"`, `its decision "perhaps" is unknown`},
		{"toolExecutions", `"state":"done"`, `"state":"sleeping"`, `the toolExecution is left out: its state "sleeping" is unknown`},
		{"fileChanges", `"path":"docs/hello.txt"`, `"path":"../.bashrc"`, `the fileChange is left out: its path "../.bashrc" is not inside of the workspace`},
		{"fileChanges", `"mode":420`, `"mode":-1`, `the fileChange is left out: field "mode"`},
		{"drafts", `"runId":"run-1","parentUid":"a","message"`, `"runId":"run-9","parentUid":"a","message"`, "the draft is left out: its run is missing"},
	} {
		bad := bytes.Replace(good, []byte(test.old), []byte(test.new), 1)
		if bytes.Equal(bad, good) {
			t.Fatalf("%s is not in the file", test.old)
		}
		s := newMemoryLibrary()
		problems := s.read(t, bad)
		if want := fmt.Sprintf("%d: session", line(test.list)); len(s.ids) != 1 || len(problems) == 0 || !strings.HasPrefix(problems[0], want) || !mentions(problems[:1], test.want) {
			t.Errorf("%s: %q, want %q and %q", test.new, problems, want, test.want)
		}
	}
}

// TestRedactedRuns replaces words in states and in the contents of changed files: what refers to them finds them by their new hashes.
func TestRedactedRuns(t *testing.T) {
	for _, asLines := range []bool{false, true} {
		s, again := newMemoryLibrary(), newMemoryLibrary()
		s.read(t, golden(t, "session.v2.json"))
		data := write(t, s, s.ids, asLines, archive.Options{Redactor: words{}})
		if bytes.Contains(data, []byte("/home/ada")) {
			t.Errorf("%s", data)
		}
		if problems := again.read(t, data); len(problems) > 0 || len(again.books[ran].runItems) != len(s.books[ran].runItems) {
			t.Errorf("%q, %d items of %d", problems, len(again.books[ran].runItems), len(s.books[ran].runItems))
		}
		for _, i := range again.books[ran].runItems {
			if i.Change != nil && again.blobs[i.Change.AfterHash].Hash == "" {
				t.Errorf("the content of %s is missing", i.Change.Path)
			}
		}
	}
}

// TestTwiceTheSameState reads a state that the file has under two hashes: it is written once, and all that refers to it finds it.
func TestTwiceTheSameState(t *testing.T) {
	good := golden(t, "session.v2.json")
	at := bytes.Index(good, []byte(`{"hash":"sha256:`))
	end := at + bytes.IndexByte(good[at:], '\n')
	state := good[at:end]
	twice := slices.Concat(good[:end], []byte(","), bytes.Replace(state, []byte(`"hash":"sha256:`), []byte(`"hash":"other:`), 1), good[end:])
	s := newMemoryLibrary()
	if problems := s.read(t, twice); len(problems) != 1 || !mentions(problems, "differs from its hash") {
		t.Errorf("%q", problems)
	}
	if got := write(t, s, s.ids, false, archive.Options{}); !bytes.Equal(got, good) {
		t.Error(difference(good, got))
	}
}

// TestStatesInAnotherLayout reads states whose white space and order of fields another program has changed: they keep their hashes.
func TestStatesInAnotherLayout(t *testing.T) {
	first, second := openLibrary(t), openLibrary(t)
	worked(t, first)
	want := write(t, first, []string{ran}, false, archive.Options{})
	var document any
	if err := json.Unmarshal(want, &document); err != nil {
		t.Fatal(err)
	}
	indented, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	readInto(t, second, indented)
	if got := write(t, second, []string{ran}, false, archive.Options{}); !bytes.Equal(got, want) {
		t.Fatal(difference(want, got))
	}
}
