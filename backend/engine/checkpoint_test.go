package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// TestRestoreContinuesAfterResults goes back to an answer whose calls were executed: the model is sent their results, and no call runs
// again.
func TestRestoreContinuesAfterResults(t *testing.T) {
	b := newBench(t)
	ran := 0
	task := b.task(says(calling("c1:write:a"), calling("c2:write:b"), text("one way")), "go")
	count := writer()
	count.run = func(context.Context, core.ToolCall) core.ToolResult { ran++; return core.TextResult("written") }
	task.Tools = []engine.Tool{count}
	first := must(b.Run(t.Context(), task))(t)
	done := must(b.db.RestoreCheckpoint(t.Context(), first.SessionID, "c1"))(t)
	if done.Checkpoint.UID != done.Session.HeadUID || done.State.Mode != core.ModeYolo {
		t.Errorf("%+v", done)
	}
	model := says(text("x"), text("another way"))
	again := task
	again.SessionID, again.Prompt, again.Model, again.ResumedFrom = first.SessionID, nil, model, core.ResumedCheckpoint
	preview := must(b.Sending(t.Context(), &again))(t)
	next := must(b.ContextOf(t.Context(), first.SessionID, "", done.State))(t)
	result := must(b.Run(t.Context(), again))(t)
	if ran != 2 || result.Answer != "another way" || result.ResumedFrom != core.ResumedCheckpoint {
		t.Errorf("%d calls ran, %+v", ran, result)
	}
	same(t, b.path(t, first.SessionID), "user go", "assistant call:c1", "tool result:c1:written", "assistant another way")
	if sent := model.requests[0].Messages; len(sent) != 3 || sent[2].Parts[0].Result[0].Text != "written" {
		t.Errorf("the model was sent %+v", sent)
	}
	sameRequest(t, preview.Request, model.requests[0])
	sameRequest(t, next.Request, model.requests[0])
	all := must(b.db.Checkpoints(t.Context(), first.SessionID, core.CheckpointFilter{}))(t)
	if len(all) != 4 { // one for each answer, of both branches
		t.Errorf("%d checkpoints", len(all))
	}
	b.sound(t)
}

// TestDamagedMessageIsSummarized damages a message of the path: the session continues with a summary of the others.
func TestDamagedMessageIsSummarized(t *testing.T) {
	path := libraryIn(t, t.TempDir())
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	check(t, err)
	b := &bench{Engine: &engine.Engine{Store: db, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db} // its requests cannot be rebuilt
	first := must(b.Run(t.Context(), b.task(says(calling("c1:write:a"), text("half")), "build the house")))(t)
	check(t, db.Close())
	data, err := os.ReadFile(path)
	check(t, err)
	damaged := bytes.ReplaceAll(data, []byte(`"write did`), []byte(` write did`)) // no JSON any more
	if encrypted, err := sqlite.IsEncrypted(path); encrypted || err != nil {
		t.Skip("the text of an encrypted library cannot be changed:", err)
	}
	if bytes.Equal(damaged, data) {
		t.Fatal("no message to damage")
	}
	check(t, os.WriteFile(path, damaged, 0o600))
	db, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	check(t, err)
	defer db.Close()
	b.Store, b.db = db, db
	model := says(text("understood"))
	task := b.task(model, "now the garden")
	task.SessionID, task.ResumedFrom = first.SessionID, core.ResumedCheckpoint
	result := must(b.Run(t.Context(), task))(t)
	if result.ResumedFrom != core.ResumedSummary || result.Answer != "understood" {
		t.Errorf("%+v", result)
	}
	sent := model.requests[0].Messages
	if len(sent) != 1 || len(sent[0].Parts) != 3 || sent[0].Parts[0].Text != engine.Summary([]core.Message{
		{Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: "build the house"}}},
		calling("c1:write:a"),
		{},
		text("half"),
	}) {
		t.Errorf("the model was sent %+v", sent)
	}
	if session := must(db.Session(t.Context(), first.SessionID))(t); session.BranchCount != 1 {
		t.Errorf("the summary is not below the head: %+v", session)
	}
}

const childCheckpoints = "COPPICE_TEST_CHECKPOINTS" // not empty: the child names and restores checkpoints

// checkpointsChild takes three steps, names a checkpoint, restores another one and undoes that. Each of its writes may be its last.
func checkpointsChild(path string) error {
	at, err := strconv.Atoi(os.Getenv(childKill))
	if err != nil {
		return err
	}
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	b := &bench{Engine: &engine.Engine{Store: db, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	task := b.task(says(calling("c1:read:a"), calling("c2:read:b"), text("the end")), "tell it")
	task.Name = "story"
	result, err := b.Run(context.Background(), task)
	if err != nil {
		return err
	}
	s := &mortal{DB: db, at: at}
	for _, write := range []func() error{
		func() error {
			_, err := db.NameCheckpoint(context.Background(), result.SessionID, "", "end")
			return err
		},
		func() error {
			_, err := db.RestoreCheckpoint(context.Background(), result.SessionID, "c3")
			return err
		},
		func() error {
			_, err := db.UndoRestore(context.Background(), result.SessionID)
			return err
		},
	} {
		if _, err := around(s, func() (struct{}, error) { return none(write()) }); err != nil {
			return err
		}
	}
	return nil
}

// TestCheckpointsSurviveKills kills a process before and after it names, restores and undoes. Each of these happens as a whole or not at
// all, and the session continues.
func TestCheckpointsSurviveKills(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a process that can be killed at once")
	}
	for at, want := range map[int]string{-1: "m5", 1: "m5 end", -2: "m5 end", 2: "m3 end", -3: "m3 end", 3: "m5 end"} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			path := libraryIn(t, t.TempDir())
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), childLibrary+"="+path, childKill+"="+strconv.Itoa(at), childCheckpoints+"=1")
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.Exited() {
				t.Fatalf("%v: %s", err, out)
			}
			b := benchAt(t, path)
			session := must(b.db.Session(t.Context(), "story"))(t)
			all := must(b.db.Checkpoints(t.Context(), session.ID, core.CheckpointFilter{}))(t)
			got := "m" + fmt.Sprint(must(b.db.Message(t.Context(), session.ID, session.HeadUID))(t).Seq)
			for _, c := range all[3:] {
				got += " " + *c.Name
			}
			if got != want {
				t.Errorf("is %s, want %s", got, want)
			}
			state, ok, err := b.db.StateAt(t.Context(), session.ID, "")
			if err != nil || !ok || state.Mode != core.ModeYolo {
				t.Errorf("the state is %+v (%v)", state, err)
			}
			task := b.task(says(text("x"), text("x"), text("the end"), text("more")), "more")
			task.SessionID = session.ID
			must(b.Run(t.Context(), task))(t)
			b.sound(t)
		})
	}
}
