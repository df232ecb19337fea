package wake

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coppice/backend/core"
)

func TestFingerprint(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "sub", "notes.txt")
	before := map[string]string{}
	changes := func(what string, want bool) {
		t.Helper()
		for _, path := range []string{folder, file} {
			now := Fingerprint(path)
			if changed := now != before[path]; changed != want {
				t.Errorf("%s: %s has changed: %t", what, filepath.Base(path), changed)
			}
			before[path] = now
		}
	}
	changes("first", true)
	changes("again", false)
	must(t, os.Mkdir(filepath.Dir(file), 0o700))
	must(t, os.WriteFile(file, []byte("a"), 0o600))
	changes("created", true)
	must(t, os.WriteFile(file, []byte("bb"), 0o600))
	changes("written", true)
	must(t, os.Chtimes(file, time.UnixMilli(1), time.UnixMilli(1)))
	changes("touched", true)
	changes("again", false)
	must(t, os.Remove(file))
	changes("removed", true)
	must(t, os.MkdirAll(filepath.Join(folder, ".git", "objects"), 0o700))
	before[folder] = Fingerprint(folder)
	must(t, os.WriteFile(filepath.Join(folder, ".git", "index"), nil, 0o600))
	changes("a commit", false)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// library is a library in memory.
type library struct {
	wakes    []core.Wake
	sessions map[string]core.Status
}

func (s library) Wakes(context.Context, string) ([]core.Wake, error) { return s.wakes, nil }

func (s library) Session(_ context.Context, id string) (core.Session, error) {
	status, known := s.sessions[id]
	if !known {
		return core.Session{}, core.E(core.NotFound, "no session %q", id)
	}
	return core.Session{ID: id, Title: "other", Status: status}, nil
}

func TestDue(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_000_000)
	file := filepath.Join(t.TempDir(), "f")
	library := library{sessions: map[string]core.Status{"runs": core.StatusRunning, "sleeps": core.StatusHibernated, "done": core.StatusSuccess, "failed": core.StatusFailed}}
	for i, test := range []struct {
		wake core.Wake
		due  bool
	}{
		{core.Wake{Kind: core.WakeManual}, false},
		{core.Wake{Kind: core.WakeMessage}, false},
		{core.Wake{Kind: core.WakeTime, AtMs: 1_000_001}, false},
		{core.Wake{Kind: core.WakeTime, AtMs: 1_000_000}, true},
		{core.Wake{Kind: core.WakeChange, Path: file, Fingerprint: Fingerprint(file)}, false},
		{core.Wake{Kind: core.WakeChange, Path: file, Fingerprint: "other"}, true},
		{core.Wake{Kind: core.WakeDone, AwaitedID: "runs"}, false},
		{core.Wake{Kind: core.WakeDone, AwaitedID: "sleeps"}, false},
		{core.Wake{Kind: core.WakeDone, AwaitedID: "done"}, true},
		{core.Wake{Kind: core.WakeDone, AwaitedID: "failed"}, true},
		{core.Wake{Kind: core.WakeDone, AwaitedID: "removed"}, true},
	} {
		for _, active := range []bool{true, false} {
			test.wake.ID, test.wake.SessionID, test.wake.Active = "w", "s", active
			library.wakes = []core.Wake{test.wake, test.wake}
			calls, err := Due(t.Context(), library, now)
			must(t, err)
			if want := test.due && active; (len(calls) == 1 && calls[0].Reason != "") != want {
				t.Errorf("%d, active %t: %+v", i, active, calls)
			}
		}
	}
}
