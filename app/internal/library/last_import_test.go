package library

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func TestHomeShowsTheLastImport(t *testing.T) {
	ctx := t.Context()
	db, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "coppice.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC) // a Sunday
	home, err := Home(ctx, db, now)
	if err != nil || home.LastImport != nil || home.Recent == nil || home.Imported == nil {
		t.Fatalf("of an empty library: %+v, %v", home, err)
	}
	if want := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC).UnixMilli(); home.WeekFromMs != want {
		t.Errorf("the week begins at %d, want %d", home.WeekFromMs, want)
	}

	samples, err := LoadSamples(ctx, db, now)
	if err != nil {
		t.Fatal(err)
	}
	report := core.Report{Imported: 9, Skipped: 3000, Sessions: append([]string{"0000-deleted"}, samples.Sessions...)}
	for i := range 300 {
		report.SkippedFiles = append(report.SkippedFiles, core.SkippedFile{Path: fmt.Sprintf("/p/%d", i), Reason: "contains no session"})
		report.Problems = append(report.Problems, core.Problem{Path: fmt.Sprintf("/p/%d", i)})
	}
	if err := StoreLastImport(ctx, db, report, now); err != nil {
		t.Fatal(err)
	}
	if home, err = Home(ctx, db, now); err != nil {
		t.Fatal(err)
	}
	last := home.LastImport
	if last == nil || last.AtMs != now.UnixMilli() || last.SessionCount != int64(len(report.Sessions)) || last.ProblemCount != 300 ||
		len(last.Report.SkippedFiles) != storedSkipped || len(last.Report.Problems) != storedProblems || last.Report.Skipped != 3000 {
		t.Errorf("last import %+v", last)
	}
	if len(home.Imported) != storedSessions-1 || home.Imported[0].ID != samples.Sessions[0] {
		t.Errorf("%d imported sessions", len(home.Imported))
	}
}
