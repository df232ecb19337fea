package window

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"coppice/app/internal/apptest"
	"coppice/app/internal/library"
)

// TestWindowWarnsOfLocation requires a warning about a library in a synchronised folder until the user dismisses it, and
// again a day later.
func TestWindowWarnsOfLocation(t *testing.T) {
	for folder, want := range map[string]string{"Dropbox": "Dropbox", "plain": ""} {
		path := filepath.Join(t.TempDir(), folder, "coppice.db")
		b := newBindings(&quietHost{}, windowStateFile(filepath.Join(t.TempDir(), "window.json")))
		b.library.start(t.Context(), path)
		t.Cleanup(func() {
			if err := b.close(); err != nil {
				t.Error(err)
			}
			_ = os.Remove(library.LocationMark(path))
		})
		if risk := apptest.Must(b.GetLocationRisk())(t); risk.SyncedBy != want {
			t.Errorf("in %s: %+v", folder, risk)
		}
		if err := b.DismissLocationRisk(); err != nil {
			t.Fatal(err)
		}
		if risk := apptest.Must(b.GetLocationRisk())(t); risk != (LocationRisk{}) {
			t.Errorf("in %s, dismissed: %+v", folder, risk)
		}
		if !library.IsWarningDue(path, time.Now().Add(library.WarnEvery)) {
			t.Errorf("in %s: not due a day later", folder)
		}
	}
}
