package importertest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/sqlite"
)

// openedAtMs is the time of the libraries that Open opens: messages without a time of their own get it.
const openedAtMs = 1_790_000_000_000

// Open opens a library in a file of its own, with a fixed clock.
func Open(t testing.TB) *sqlite.DB {
	t.Helper()
	db, err := open(t, filepath.Join(t.TempDir(), "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// Import imports paths through a format.
func Import(t Tester, db *sqlite.DB, f importer.Format, paths ...string) core.Report {
	t.Helper()
	im := importer.Importer{Library: db, Formats: []importer.Format{f}}
	report, err := im.Import(t.Context(), paths, "")
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Grow imports a file repeatedly while it grows to each of the sizes; the library is then the same as after one import
// of the whole, and one more import is a no-op.
func Grow(t testing.TB, f importer.Format, name string, data []byte, sizes []int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	growing, whole := Open(t), Open(t)
	for _, n := range append(sizes, len(data)) {
		Write(t, path, data[:n])
		if report := Import(t, growing, f, path); len(report.Problems) != 0 && n == len(data) {
			t.Fatalf("after %d bytes: %v", n, report.Problems)
		}
	}
	Import(t, whole, f, path)
	if got, want := Dump(t, growing), Dump(t, whole); got != want {
		t.Errorf("grown by %d steps:\n%s\nat once:\n%s", len(sizes), got, want)
	}
	if again := Import(t, whole, f, path); again.Unchanged != 1 || len(again.Sessions) != 0 {
		t.Errorf("importing again is no no-op: %+v", again)
	}
	if problems, err := growing.Check(t.Context(), nil); err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}

// Dump writes what a library holds of its sessions except times of use. A message's number in the order of arrival is
// left out: messages that had to wait arrive later.
func Dump(t Tester, db *sqlite.DB) string {
	t.Helper()
	sessions, err := db.Sessions(t.Context(), core.SessionFilter{Children: true, Sort: core.SortCreated})
	if err != nil {
		t.Fatal(err)
	}
	// Sessions that began at the same time come in the order of their import.
	slices.SortStableFunc(sessions, func(a, b core.Session) int {
		return cmp.Or(cmp.Compare(a.CreatedAtMs, b.CreatedAtMs), cmp.Compare(a.SourceID, b.SourceID))
	})
	out := ""
	for _, s := range sessions {
		out += fmt.Sprintf("%s %q %q %s %s %s head %s: %d messages, %d branches, %d turns, %d steps, tokens %d %d %d, files %v, below %s, times %d to %d\n", s.SourceID, s.Title, s.Task, s.Model,
			s.WorkspacePath, s.ParentID, s.HeadUID, s.MessageCount, s.BranchCount, s.TurnCount, s.StepCount, s.InputTokens, s.OutputTokens, s.CacheRead,
			s.FilesModified, s.ParentUID, s.CreatedAtMs, s.UpdatedAtMs)
		labels, err := db.Labels(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range labels {
			out += fmt.Sprintf("  label %q of %s\n", l.Text, l.UID)
		}
		lines := map[string]string{}
		var order []string
		for m, err := range db.Messages(t.Context(), s.ID) {
			if err != nil {
				t.Fatal(err)
			}
			lines[m.UID] = fmt.Sprintf("  %s under %s: %s %s %s, %s, %d to %d\n", m.UID, m.ParentUID, m.Role, m.Kind, partsJSON(t, m.Parts),
				m.Meta, m.CreatedAtMs, m.FinishedAtMs)
			order = append(order, m.UID)
		}
		slices.Sort(order)
		for _, uid := range order {
			out += lines[uid]
		}
		for r, err := range db.Records(t.Context(), s.ID) {
			if err != nil {
				t.Fatal(err)
			}
			out += fmt.Sprintf("  record %d %s\n", r.Line, r.Type)
		}
	}
	return out
}

func partsJSON(t Tester, parts []core.Part) []byte {
	t.Helper()
	text, err := json.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
