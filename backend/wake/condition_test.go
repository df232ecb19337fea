package wake

import (
	"path/filepath"
	"testing"
	"time"

	"coppice/backend/core"
)

func TestMoment(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 24, 17, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"18:00":                "2026-12-24 18:00",
		"17:30":                "2026-12-25 17:30",
		"2027-01-02 09:15":     "2027-01-02 09:15",
		"2027-01-02":           "2027-01-02 00:00",
		"2027-01-02T09:15:00Z": "2027-01-02 09:15",
		"90m":                  "2026-12-24 19:00",
		"+2h":                  "2026-12-24 19:30",
		"-2h":                  "",
		"soon":                 "",
		"":                     "",
	} {
		at, ok := Moment(text, now)
		if got := at.Format("2006-01-02 15:04"); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s, %t", text, got, ok)
		}
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.txt")
	if w, err := OnChange(file); err != nil || w.Path != file || w.Fingerprint != Fingerprint(file) || !w.Active {
		t.Errorf("%+v, %v", w, err)
	}
	if _, err := OnChange("notes.txt"); core.CodeOf(err) != core.Invalid {
		t.Errorf("a relative path: %v", err)
	}
	sessions := library{sessions: map[string]core.Status{"a": core.StatusIdle, "b": core.StatusRunning}}
	if w, err := OnEnd(t.Context(), sessions, "a", "b"); err != nil || w.Kind != core.WakeDone || w.AwaitedID != "b" || !w.Active {
		t.Errorf("%+v, %v", w, err)
	}
	if _, err := OnEnd(t.Context(), sessions, "a", "a"); core.CodeOf(err) != core.Invalid {
		t.Errorf("its own end: %v", err)
	}
	if _, err := OnEnd(t.Context(), sessions, "a", "c"); core.CodeOf(err) != core.NotFound {
		t.Errorf("a missing session: %v", err)
	}
}
