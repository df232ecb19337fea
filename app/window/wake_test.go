package window

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

// statusOf waits until a session has a status.
func statusOf(t *testing.T, b *bindings, id string, want core.Status) core.Session {
	t.Helper()
	var session core.Session
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if session = apptest.Must(b.GetSession(id))(t); session.Status == want {
			return session
		}
	}
	t.Fatalf("session %s is %s", id, session.Status)
	return session
}

// TestWindowWakes continues a hibernated session while the window is open, as a live run with the model that it had.
func TestWindowWakes(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	script := writeTurns(t, map[string]any{"alternatives": []any{[]any{map[string]any{"text": "started"}}}},
		map[string]any{"alternatives": []any{[]any{map[string]any{"text": "continued"}}}})
	started := apptest.Must(b.StartRun(launch.RunRequest{Text: "go", Model: script, Workspace: t.TempDir()}))(t)
	statusOf(t, b, started.SessionID, core.StatusSuccess)
	before := apptest.Must(b.GetSession(started.SessionID))(t).MessageCount
	apptest.Must(call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		return true, db.Hibernate(ctx, started.SessionID, []core.Wake{{Kind: core.WakeTime, AtMs: 1, Active: true}})
	}))(t)
	session := statusOf(t, b, started.SessionID, core.StatusSuccess)
	if session.MessageCount != before+2 || session.Model != script {
		t.Errorf("%d messages after %d, model %s", session.MessageCount, before, session.Model)
	}
	if live := apptest.Must(b.GetRun(session.ID, "", 0, 0))(t); live.Run.ID == started.RunID || !strings.HasPrefix(strings.Join(live.Notices, " "), "woken: it is past ") {
		t.Errorf("the run of the window is %+v", live)
	}
}

// TestWindowWakesAfterKilledWake continues a session that another process woke, if that process ended before it stored why.
func TestWindowWakesAfterKilledWake(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	script := writeTurns(t, map[string]any{"alternatives": []any{[]any{map[string]any{"text": "started"}}}},
		map[string]any{"alternatives": []any{[]any{map[string]any{"text": "continued"}}}})
	started := apptest.Must(b.StartRun(launch.RunRequest{Text: "go", Model: script, Workspace: t.TempDir()}))(t)
	statusOf(t, b, started.SessionID, core.StatusSuccess)
	apptest.Must(call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		soon := time.Now().Add(time.Second).UnixMilli()
		if err := db.Hibernate(ctx, started.SessionID, []core.Wake{{Kind: core.WakeTime, AtMs: soon, Active: true}}); err != nil {
			return false, err
		}
		dead := core.Run{ID: "dead", SessionID: started.SessionID, Mode: core.ModeYolo, Owner: core.Owner{PID: 1 << 40, Host: engine.Self().Host}, WakeID: core.AnyWake}
		_, err := db.StartRun(ctx, dead)
		return true, err
	}))(t)
	statusOf(t, b, started.SessionID, core.StatusSuccess)
	live := apptest.Must(b.GetRun(started.SessionID, "", 0, 0))(t)
	if !strings.HasPrefix(strings.Join(live.Notices, " "), "woken: it is past ") {
		t.Errorf("the run of the window is %+v", live)
	}
}

// TestWindowHibernates ends a run whose question is not answered for the time of the settings.
func TestWindowHibernates(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	for minutes, valid := range map[int64]bool{-1: false, maxHibernateMinutes + 1: false, 30: true} {
		if err := b.SetSettings(Settings{Theme: themeSystem, ZoomPercent: 100, HibernateAfterMinutes: minutes}); (err == nil) != valid {
			t.Errorf("%d minutes: %v", minutes, err)
		}
	}
	request := apptest.Must(call(b.program, func(ctx context.Context, db *sqlite.DB) (launch.RunRequest, error) {
		return withPatience(ctx, db, launch.RunRequest{})
	}))(t)
	if request.HibernateAfterMs != 30*60_000 {
		t.Errorf("a run waits %d ms", request.HibernateAfterMs)
	}
	script := writeScript(t, map[string]any{"text": "I write.", "toolCalls": []any{map[string]any{"name": "write_file", "arguments": map[string]any{"path": "a.txt", "content": "a"}}}})
	started := apptest.Must(b.StartRun(launch.RunRequest{Text: "go", Model: script, Workspace: t.TempDir(), HibernateAfterMs: 50}))(t)
	if session := statusOf(t, b, started.SessionID, core.StatusHibernated); session.StopReason != string(core.StopHibernated) {
		t.Errorf("stopped: %s", session.StopReason)
	}
	if err := b.SetSettings(Settings{Theme: themeSystem, ZoomPercent: 100}); err != nil {
		t.Error(err)
	}
}

// TestHibernateSession hibernates a session in the window, which wakes it when a file has changed.
func TestHibernateSession(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	script := writeTurns(t, map[string]any{"alternatives": []any{[]any{map[string]any{"text": "started"}}}},
		map[string]any{"alternatives": []any{[]any{map[string]any{"text": "continued"}}}})
	id := apptest.Must(b.StartRun(launch.RunRequest{Text: "go", Model: script, Workspace: t.TempDir()}))(t).SessionID
	before := statusOf(t, b, id, core.StatusSuccess).MessageCount
	file := filepath.Join(t.TempDir(), "notes.txt")
	for _, request := range []WakeRequest{{At: "soon"}, {At: "2020-01-01"}, {Path: "notes.txt"}, {SessionID: id}, {SessionID: "missing"}} {
		if _, err := b.HibernateSession(id, request); err == nil {
			t.Errorf("%+v is accepted", request)
		}
	}
	if wakes := apptest.Must(b.HibernateSession(id, WakeRequest{}))(t); len(wakes) != 1 || wakes[0].Kind != core.WakeManual {
		t.Errorf("without a condition: %+v", wakes)
	}
	wakes := apptest.Must(b.HibernateSession(id, WakeRequest{At: "24h", Path: file}))(t)
	if len(wakes) != 2 || wakes[0].Kind != core.WakeTime || wakes[1].Path != file || !wakes[1].Active {
		t.Errorf("waits for %+v", wakes)
	}
	statusOf(t, b, id, core.StatusHibernated)
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if session := statusOf(t, b, id, core.StatusSuccess); session.MessageCount <= before {
		t.Errorf("%d messages after %d", session.MessageCount, before)
	}
	if wakes := apptest.Must(b.ListWakes(id))(t); len(wakes) != 0 {
		t.Errorf("still waits for %+v", wakes)
	}
}
