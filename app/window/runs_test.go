package window

import (
	"strings"
	"testing"
	"time"

	"coppice/app/window/internal/live"
	"coppice/backend/core"
	"coppice/backend/launch"
)

// lanesOf waits until want accepts the lanes of a session, and returns them.
func lanesOf(t *testing.T, b *bindings, id string, want func([]live.Lane) bool) []live.Lane {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		state, err := b.GetRun(id, "", 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want(state.Lanes) {
			return state.Lanes
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the runs do not come there")
	return nil
}

func running(lanes []live.Lane) (n int) {
	for _, lane := range lanes {
		if lane.Running {
			n++
		}
	}
	return n
}

// TestModelsSideBySide has several models answer one prompt: each run is followed by its id, one is stopped alone, and each
// answer becomes a branch.
func TestModelsSideBySide(t *testing.T) {
	b, _ := openBindings(t)
	slow := writeScript(t, map[string]any{"text": strings.Repeat("word ", 400), "delayMs": 60_000})
	quick := writeScript(t, map[string]any{"text": "quick"})
	started, err := b.StartRuns(launch.RunRequest{Text: "talk", Workspace: t.TempDir()}, []string{slow, quick, "script/nowhere.json", slow})
	if err != nil {
		t.Fatal(err)
	}
	if len(started) != 4 || started[1].Problem != "" || started[2].Problem == "" || started[3].RunID == "" {
		t.Fatalf("started %+v", started)
	}
	id := started[0].SessionID
	lanes := lanesOf(t, b, id, func(lanes []live.Lane) bool { return len(lanes) == 3 && running(lanes) == 2 })
	if lanes[0].Number != 0 || lanes[0].RunID != started[0].RunID || lanes[1].Running || lanes[1].Model != quick || lanes[1].Status != core.StatusSuccess {
		t.Errorf("lanes %+v", lanes)
	}
	session, err := b.GetSession(id)
	if err != nil || session.Status != core.StatusRunning || session.HeadUID == lanes[1].TipUID || lanes[2].TipUID != session.HeadUID {
		t.Errorf("session %+v, lanes %+v, %v", session, lanes, err)
	}
	state, err := b.GetRun(id, started[3].RunID, 0, 0)
	if err != nil || state.Run.ID != started[3].RunID || state.Run.Mode != core.ModePlan {
		t.Errorf("state %+v, %v", state.Run, err)
	}
	if n := b.runs.Count(); n != 2 {
		t.Errorf("%d runs", n)
	}
	if err := b.StopRun(id, started[3].RunID); err != nil {
		t.Fatal(err)
	}
	lanes = lanesOf(t, b, id, func(lanes []live.Lane) bool { return running(lanes) == 1 })
	if !lanes[0].Running || lanes[2].Status != core.StatusInterrupted {
		t.Errorf("lanes %+v", lanes)
	}
	if err := b.StopRun(id, started[3].RunID); core.CodeOf(err) != core.NotFound {
		t.Errorf("stopped twice: %v", err)
	}
	if err := b.StopRun(id, ""); err != nil {
		t.Fatal(err)
	}
	lanesOf(t, b, id, func(lanes []live.Lane) bool { return running(lanes) == 0 })
	// A run that moves the head is alone again. Its options are those of the run that moved the head before.
	again, err := b.StartRun(launch.RunRequest{SessionID: id, Text: "go on", Model: quick})
	if err != nil {
		t.Fatal(err)
	}
	state = settled(t, b, id)
	if state.Run.ID != again.RunID || len(state.Lanes) != 1 || state.Run.Mode == core.ModePlan {
		t.Errorf("state %+v", state)
	}
}

// TestRegenerateWithModels requires that each model of a request without a prompt adds an alternative to the existing
// answer.
func TestRegenerateWithModels(t *testing.T) {
	b, _ := openBindings(t)
	quick := writeScript(t, map[string]any{"text": "quick"})
	started, err := b.StartRun(launch.RunRequest{Text: "talk", Model: quick, Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	settled(t, b, started.SessionID)
	before, err := b.GetWindow(started.SessionID, "", 0, 9)
	if err != nil || len(before.Messages) != 2 {
		t.Fatalf("%+v, %v", before, err)
	}
	prompt := before.Messages[0].UID
	if _, err := b.StartRuns(launch.RunRequest{SessionID: started.SessionID, FromUID: prompt}, []string{quick, quick}); err != nil {
		t.Fatal(err)
	}
	lanesOf(t, b, started.SessionID, func(lanes []live.Lane) bool { return len(lanes) == 2 && running(lanes) == 0 })
	siblings, err := b.ListSiblings(started.SessionID, before.Messages[1].UID)
	if err != nil || len(siblings) != 3 {
		t.Errorf("%d answers, %v", len(siblings), err)
	}
}
