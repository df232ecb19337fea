package sqlite

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
)

// These tests are the conformance suite of checkpoints, in the order of LangGraph's: put, get, list, history, fork, copy, delete,
// prune.

// stepped is a session whose runs take steps.
type stepped struct {
	*DB
	tb testing.TB
	id string
}

// newStepped makes a session with a prompt p and an answer a0 in mode plan.
func newStepped(t *testing.T) *stepped {
	s := &stepped{DB: openTest(t), tb: t}
	s.id = begun(t, s.DB, "r0")
	s.step("r0", "p", "a0", core.ModePlan)
	s.end("r0")
	return s
}

// run answers a message in a run of its own.
func (s *stepped) run(name, parent, uid string, mode core.Mode) {
	s.tb.Helper()
	s.start(name, mode)
	s.step(name, parent, uid, mode)
	s.end(name)
}

func (s *stepped) start(name string, mode core.Mode) {
	s.tb.Helper()
	state := stateOf(mode)
	_, err := s.StartRun(s.tb.Context(), core.Run{ID: name, SessionID: s.id, Mode: mode, State: &state, StartedAtMs: startMs})
	check(s.tb, err)
}

func (s *stepped) step(run, parent, uid string, mode core.Mode) {
	s.tb.Helper()
	ctx := s.tb.Context()
	check(s.tb, s.BeginRequest(ctx, core.SentRequest{RunID: run, ParentUID: parent, State: stateOf(mode), RequestHash: core.Hash([]byte(uid)), SentAtMs: startMs}))
	_, err := s.AppendStep(ctx, run, say(uid, parent, core.RoleAssistant), nil)
	check(s.tb, err)
}

func (s *stepped) end(run string) {
	s.tb.Helper()
	check(s.tb, s.EndRun(s.tb.Context(), run, core.StatusPartial, core.StopMaxSteps, ""))
}

func (s *stepped) restore(ref string) core.Restored {
	s.tb.Helper()
	done, err := s.RestoreCheckpoint(s.tb.Context(), s.id, ref)
	check(s.tb, err)
	return done
}

// want checks the head, and the mode that the session continues with.
func (s *stepped) want(head string, mode core.Mode) {
	s.tb.Helper()
	session, err := s.Session(s.tb.Context(), s.id)
	check(s.tb, err)
	state, ok, err := s.StateAt(s.tb.Context(), s.id, "")
	if err != nil || session.HeadUID != head || state.Mode != mode || ok != (mode != "") {
		s.tb.Errorf("the head is %q in mode %q (%v), want %q in mode %q", session.HeadUID, state.Mode, err, head, mode)
	}
}

// list returns the ids of the checkpoints, those with a name followed by it.
func (s *stepped) list(session string, f core.CheckpointFilter) string {
	s.tb.Helper()
	found, err := s.Checkpoints(s.tb.Context(), session, f)
	check(s.tb, err)
	words := make([]string, len(found))
	for i, c := range found {
		if words[i] = c.ID; c.Name != nil {
			words[i] += "=" + *c.Name
		}
	}
	return strings.Join(words, " ")
}

func (s *stepped) name(uid, name string) core.RunCheckpoint {
	s.tb.Helper()
	c, err := s.NameCheckpoint(s.tb.Context(), s.id, uid, name)
	check(s.tb, err)
	return c
}

func TestCheckpointsPutAndGet(t *testing.T) {
	ctx, s := t.Context(), newStepped(t)
	want := stateOf(core.ModePlan)
	_, hash, err := want.Encode()
	check(t, err)
	step := must(s.Checkpoint(ctx, s.id, "c1"))(t)
	if step.Name != nil || step.Node != "m1" || step.UID != "a0" || step.StateHash != hash || step.CreatedAtMs == 0 || !reflect.DeepEqual(step.State, want) {
		t.Errorf("the step %+v", step)
	}
	named := s.name("", "before the change")
	if named.ID != "c1.1" || *named.Name != "before the change" || named.UID != "a0" || named.StateHash != hash {
		t.Errorf("the named one %+v", named)
	}
	for _, ref := range []string{"c1.1", "before the change"} {
		if got := must(s.Checkpoint(ctx, s.id, ref))(t); !reflect.DeepEqual(got, named) {
			t.Errorf("%s is %+v", ref, got)
		}
	}
	if c := s.name("p", "prompt"); c.ID != "c0.1" || c.State.Mode != core.ModePlan {
		t.Errorf("the prompt %+v", c)
	}
	for _, ref := range []string{"c0", "c7", "c1.2", "other", "m1", ""} {
		_, err := s.Checkpoint(ctx, s.id, ref)
		wantCode(t, err, core.NotFound)
	}
	for name, code := range map[string]core.Code{"prompt": core.Conflict, "": core.Invalid, "c12": core.Invalid, "c1.9": core.Invalid, " x": core.Invalid, "a\nb": core.Invalid, strings.Repeat("é", 101): core.Invalid} {
		_, err := s.NameCheckpoint(ctx, s.id, "", name)
		wantCode(t, err, code)
	}
	_, err = s.NameCheckpoint(ctx, s.id, "nowhere", "x")
	wantCode(t, err, core.NotFound)
	empty := must(s.CreateSession(ctx, core.Session{}))(t)
	_, err = s.NameCheckpoint(ctx, empty.ID, "", "x")
	wantCode(t, err, core.Conflict)
	if got := s.list(empty.ID, core.CheckpointFilter{}); got != "" {
		t.Errorf("an empty session has %s", got)
	}
}

func TestCheckpointsList(t *testing.T) {
	s := newStepped(t)
	s.name("", "first")
	s.run("r1", "a0", "a1", core.ModeYolo)
	s.run("r2", "a1", "a2", core.ModeYolo)
	s.name("a1", "second")
	for _, c := range []struct {
		filter core.CheckpointFilter
		want   string
	}{
		{core.CheckpointFilter{}, "c1 c2 c3 c1.1=first c2.1=second"}, // messages of the test are older than its names
		{core.CheckpointFilter{Named: true}, "c1.1=first c2.1=second"},
		{core.CheckpointFilter{Limit: 2}, "c1.1=first c2.1=second"},
		{core.CheckpointFilter{Limit: 3}, "c3 c1.1=first c2.1=second"},
		{core.CheckpointFilter{Before: "c3"}, "c1 c2"},
		{core.CheckpointFilter{Before: "c3", Limit: 1}, "c2"},
		{core.CheckpointFilter{Before: "c2.1", Named: true}, "c1.1=first"},
		{core.CheckpointFilter{Before: "first"}, "c1 c2 c3"},
		{core.CheckpointFilter{Before: "c1"}, ""},
	} {
		if got := s.list(s.id, c.filter); got != c.want {
			t.Errorf("%+v: %s, want %s", c.filter, got, c.want)
		}
	}
	all := must(s.Checkpoints(t.Context(), s.id, core.CheckpointFilter{}))(t)
	if first, second := all[0], all[1]; first.State.Mode != core.ModePlan || second.State.Mode != core.ModeYolo || second.State.Tools != nil || first.StateHash == second.StateHash {
		t.Errorf("%+v", all)
	}
	if all[1].StateHash != all[2].StateHash {
		t.Error("an unchanged state has two hashes")
	}
	_, err := s.Checkpoints(t.Context(), s.id, core.CheckpointFilter{Before: "c9"})
	wantCode(t, err, core.NotFound)
}

// TestCheckpointsFork goes back and continues elsewhere: the checkpoints of the old branch stay, and each can be restored.
func TestCheckpointsFork(t *testing.T) {
	ctx, s := t.Context(), newStepped(t)
	s.run("r1", "a0", "a1", core.ModeYolo)
	s.run("r2", "a1", "a2", core.ModeConfirmAll)
	before := must(s.Checkpoints(ctx, s.id, core.CheckpointFilter{}))(t)
	if done := s.restore("c1"); done.Session.HeadUID != "a0" || done.State.Mode != core.ModePlan || done.Checkpoint.ID != "c1" {
		t.Errorf("restored %+v", done)
	}
	s.want("a0", core.ModePlan)
	s.run("r3", "a0", "b1", core.ModeConfirmSensitive)
	s.want("b1", core.ModeConfirmSensitive)
	after := must(s.Checkpoints(ctx, s.id, core.CheckpointFilter{}))(t)
	if len(after) != 4 || !reflect.DeepEqual(after[:3], before) {
		t.Errorf("after the fork: %+v", after)
	}
	for ref, mode := range map[string]core.Mode{"c1": core.ModePlan, "c2": core.ModeYolo, "c3": core.ModeConfirmAll, "c4": core.ModeConfirmSensitive} {
		s.want(s.restore(ref).Checkpoint.UID, mode)
	}
}

// TestRestoredStateLasts restores states that differ from that of their position, until a later run sends a request there.
func TestRestoredStateLasts(t *testing.T) {
	ctx, s := t.Context(), newStepped(t)
	s.start("unused", core.ModeYolo) // ends before its first request
	s.end("unused")
	s.want("a0", core.ModeYolo)
	s.name("", "free")
	s.restore("c1")
	s.want("a0", core.ModePlan)
	s.restore("free")
	s.want("a0", core.ModeYolo)
	must(s.MoveHead(ctx, s.id, "p"))(t)
	s.want("p", core.ModePlan)
	must(s.MoveHead(ctx, s.id, "a0"))(t)
	s.want("a0", core.ModeYolo)
	s.start("later", core.ModeConfirmAll)
	s.want("a0", core.ModeConfirmAll)
	_, err := s.RestoreCheckpoint(ctx, s.id, "c1")
	wantCode(t, err, core.Conflict)
	s.end("later")
	s.run("r1", "a0", "a1", core.ModeConfirmSensitive)
	must(s.MoveHead(ctx, s.id, "a0"))(t)
	s.want("a0", core.ModeConfirmSensitive) // the newest request from there
	s.restore("free")
	s.want("a0", core.ModeYolo)
	must(s.MoveHead(ctx, s.id, "a1"))(t)
	s.want("a1", core.ModeConfirmSensitive)
}

func TestUndoRestore(t *testing.T) {
	ctx, s := t.Context(), newStepped(t)
	undo := func() core.Restored { t.Helper(); return must(s.UndoRestore(ctx, s.id))(t) }
	_, err := s.UndoRestore(ctx, s.id)
	wantCode(t, err, core.Conflict)
	s.run("r1", "a0", "a1", core.ModeYolo)
	s.start("unused", core.ModeConfirmAll)
	s.end("unused")
	s.restore("c1")
	s.restore("c2")
	s.want("a1", core.ModeYolo)
	if done := undo(); done.Session.HeadUID != "a0" || done.State.Mode != core.ModePlan {
		t.Errorf("undone to %+v", done)
	}
	s.want("a0", core.ModePlan)
	s.run("r2", "a0", "b1", core.ModeConfirmSensitive) // what was written since stays
	undo()
	s.want("a1", core.ModeConfirmAll)
	_, err = s.UndoRestore(ctx, s.id)
	wantCode(t, err, core.Conflict)
	if got := s.list(s.id, core.CheckpointFilter{}); got != "c1 c2 c3" {
		t.Errorf("%s", got)
	}
	must(s.MoveHead(ctx, s.id, ""))(t)
	s.restore("c2")
	undo()
	if head := must(s.Session(ctx, s.id))(t).HeadUID; head != "" {
		t.Errorf("the head was before the first message, and is %s", head)
	}
}

// TestCheckpointsCopy splits a session, which copies its checkpoints and its state, and grafts from it, which does not.
func TestCheckpointsCopy(t *testing.T) {
	ctx, s := t.Context(), newStepped(t)
	s.run("r1", "a0", "a1", core.ModeYolo)
	s.name("a0", "start")
	split := must(s.Split(ctx, s.id, "a1", "copy"))(t)
	copied := &stepped{DB: s.DB, tb: t, id: split.ID}
	if got := copied.list(split.ID, core.CheckpointFilter{}); got != "c1 c2 c1.1=start" {
		t.Errorf("the copy has %s", got)
	}
	copied.want(split.HeadUID, core.ModeYolo)
	if done := copied.restore("start"); done.State.Mode != core.ModePlan || done.Session.ID != split.ID {
		t.Errorf("%+v", done)
	}
	again := must(s.Split(ctx, split.ID, split.HeadUID, "copy of the copy"))(t)
	if got := s.list(again.ID, core.CheckpointFilter{}); got != "c1 c2 c1.1=start" {
		t.Errorf("the copy of the copy has %s", got)
	}
	other := must(s.CreateSession(ctx, core.Session{}))(t)
	must(s.Graft(ctx, core.GraftSource{SessionID: s.id, UID: "a1", Path: true}, other.ID, ""))(t)
	if got := s.list(other.ID, core.CheckpointFilter{}); got != "" {
		t.Errorf("the graft has %s", got)
	}
	if got := s.list(s.id, core.CheckpointFilter{}); got != "c1 c2 c1.1=start" {
		t.Errorf("the original has %s", got)
	}
	wantSound(t, s.DB)
}

// TestCheckpointsDelete removes them one by one, with the trash of the session, and with the session.
func TestCheckpointsDelete(t *testing.T) {
	ctx, s := t.Context(), newStepped(t)
	s.run("r1", "a0", "a1", core.ModeYolo)
	s.run("r2", "a0", "b1", core.ModeConfirmAll)
	s.name("a1", "old")
	s.name("b1", "new")
	s.name("b1", "newer")
	wantCode(t, s.RemoveCheckpoint(ctx, s.id, "c1"), core.Conflict)
	wantCode(t, s.RemoveCheckpoint(ctx, s.id, "x"), core.NotFound)
	check(t, s.RemoveCheckpoint(ctx, s.id, "new"))
	const all = "c1 c2 c3 c2.1=old c3.2=newer"
	if got := s.list(s.id, core.CheckpointFilter{}); got != all {
		t.Errorf("%s", got)
	}
	s.restore("old")
	s.restore("newer")
	must(s.Hide(ctx, s.id, []string{"a1"}))(t)
	if got := s.list(s.id, core.CheckpointFilter{}); got != "c1 c3 c3.2=newer" {
		t.Errorf("with a1 in the trash: %s", got)
	}
	if done := s.restore("old"); done.Session.HeadUID != "a1" { // takes it out of the trash
		t.Errorf("%+v", done)
	}
	if got := s.list(s.id, core.CheckpointFilter{}); got != all {
		t.Errorf("%s", got)
	}
	s.restore("newer")
	must(s.Hide(ctx, s.id, []string{"a1"}))(t)
	must(s.PurgeHidden(ctx, s.id))(t)
	if got := s.list(s.id, core.CheckpointFilter{}); got != "c1 c2 c2.2=newer" { // messages are numbered again
		t.Errorf("after the trash was emptied: %s", got)
	}
	s.want("b1", core.ModeConfirmAll)
	_, err := s.UndoRestore(ctx, s.id) // to a1
	wantCode(t, err, core.NotFound)
	wantSound(t, s.DB)
	check(t, s.Trash(ctx, []string{s.id}))
	must(s.Purge(ctx, nil))(t)
	for _, table := range []string{"named_checkpoints", "copied_states", "restores", "requests", "run_states", "state_texts"} {
		var rows int
		check(t, readerOf(t, s.DB).Get(&rows, `SELECT count(*) FROM `+table))
		if rows > 0 {
			t.Errorf("%d rows are left in %s", rows, table)
		}
	}
}

// TestCheckpointWithoutState names a message of a session that no run of ours has continued.
func TestCheckpointWithoutState(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	id := must(db.CreateSession(ctx, core.Session{}))(t).ID
	for _, m := range []core.Message{say("p", "", core.RoleUser), say("a", "p", core.RoleAssistant)} {
		must(db.Append(ctx, id, m))(t)
	}
	s := &stepped{DB: db, tb: t, id: id}
	if c := s.name("p", "asked"); c.StateHash != "" || c.Damaged {
		t.Errorf("%+v", c)
	}
	s.restore("asked")
	s.want("p", "")
}

// TestDamagedState damages a state: its checkpoints are listed as damaged, and restoring one moves the head.
func TestDamagedState(t *testing.T) {
	for name, damage := range map[string]string{
		"settings":      `UPDATE run_states SET body = x'7b' WHERE key = 1`,
		"other values":  `UPDATE run_states SET body = CAST('{"mode":"yolo"}' AS BLOB) WHERE key = 1`,
		"system prompt": `UPDATE state_texts SET body = x'28b52ffd00' WHERE key = (SELECT system FROM run_states WHERE key = 1)`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, s := t.Context(), newStepped(t)
			alter(t, s.DB, damage)
			if _, _, err := s.StateAt(ctx, s.id, ""); core.CodeOf(err) != core.Corrupt {
				t.Errorf("the state is %v", err)
			}
			done := s.restore("c1")
			if !done.Checkpoint.Damaged || done.Session.HeadUID != "a0" || done.Checkpoint.StateHash == "" {
				t.Errorf("%+v", done)
			}
			must(s.Checkpoints(ctx, s.id, core.CheckpointFilter{}))(t)
			must(s.UndoRestore(ctx, s.id))(t)
		})
	}
}

// TestCheckpointsGrow takes a hundred steps with one state and names ten of them.
func TestCheckpointsGrow(t *testing.T) {
	s := newStepped(t)
	s.start("r1", core.ModePlan)
	parent := "a0"
	for i := range 100 {
		uid := fmt.Sprint("s", i)
		s.step("r1", parent, uid, core.ModePlan)
		parent = uid
	}
	var states int
	check(t, readerOf(t, s.DB).Get(&states, `SELECT count(*) FROM run_states`))
	if all := strings.Fields(s.list(s.id, core.CheckpointFilter{})); len(all) != 101 || states != 1 || !slices.IsSortedFunc(all, func(a, b string) int { return len(a) - len(b) }) {
		t.Errorf("%d checkpoints with %d states", len(all), states)
	}
}
