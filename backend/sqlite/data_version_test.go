package sqlite

import (
	"path/filepath"
	"testing"
)

func TestDataVersionCountsOtherWritersOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "coppice.db")
	var open [2]*DB
	for i := range open {
		db, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		open[i] = db
	}
	version := func() int64 {
		t.Helper()
		v, err := open[0].DataVersion(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := version()
	if err := open[0].PutSetting(t.Context(), "mine", "1"); err != nil {
		t.Fatal(err)
	}
	if version() != before {
		t.Error("an own write changed it")
	}
	if err := open[1].PutSetting(t.Context(), "other", "1"); err != nil {
		t.Fatal(err)
	}
	if version() == before {
		t.Error("a write of another one did not change it")
	}
}
