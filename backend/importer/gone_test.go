package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// goneOf returns which sessions are marked, by their source ids.
func goneOf(t *testing.T, db *sqlite.DB) map[string]bool {
	t.Helper()
	sessions, err := db.Sessions(t.Context(), core.SessionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	gone := map[string]bool{}
	for _, s := range sessions {
		gone[s.SourceID] = s.SourceGoneMs > 0
	}
	return gone
}

// What is deleted elsewhere stays, is marked, and is unmarked when it comes back, changed or not.
func TestGone(t *testing.T) {
	db, folder := openLibrary(t), t.TempDir()
	one, two := session(t, folder, 1), session(t, filepath.Join(folder, "deep"), 2)
	aside := session(t, folder+"-aside", 3) // its path begins like the folder's
	run(t, db, folder, aside)
	check := func(step string, gone1, gone2 bool, report core.Report, count, back int64) {
		t.Helper()
		got := goneOf(t, db)
		if len(got) != 3 || got[uuidOf(1)] != gone1 || got[uuidOf(2)] != gone2 || got[uuidOf(3)] {
			t.Errorf("%s: %v", step, got)
		}
		if report.Gone != count || report.Back != back {
			t.Errorf("%s: %d gone and %d back, want %d and %d", step, report.Gone, report.Back, count, back)
		}
	}
	kept, err := os.ReadFile(two)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{one, filepath.Dir(two), aside} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	check("nobody looked", false, false, core.Report{}, 0, 0)
	check("deleted", true, true, run(t, db, folder), 2, 0)
	check("looked at again", true, true, run(t, db, folder), 0, 0)

	write(t, one, lines(uuidOf(1), another(uuidOf(1), "x")))
	check("one is back, and has grown", false, true, run(t, db, folder), 0, 1)
	write(t, two, string(kept))
	check("both are back", false, false, run(t, db, folder), 0, 1)
}

// A conversation that is in two files exists as long as one of them does.
func TestGoneCopy(t *testing.T) {
	db, folder := openLibrary(t), t.TempDir()
	one := session(t, folder, 1)
	rename := strings.NewReplacer(uuidOf(1)+"-q", uuidOf(8), uuidOf(1)+"-a", uuidOf(9))
	write(t, one, rename.Replace(lines(uuidOf(1))))
	two := write(t, filepath.Join(folder, uuidOf(2)+".jsonl"),
		strings.ReplaceAll(rename.Replace(lines(uuidOf(1), another(uuidOf(1), "x"))), `"sessionId":"`+uuidOf(1), `"sessionId":"`+uuidOf(2)))
	run(t, db, folder)
	for i, path := range []string{one, two} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		run(t, db, folder)
		if got := goneOf(t, db); len(got) != 1 || got[uuidOf(1)] != (i == 1) {
			t.Errorf("%d of 2 files deleted: %v", i+1, got)
		}
	}
}
