package importer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
	"coppice/backend/importer/importertest"
	"coppice/backend/importer/importertest/fixture"
	"coppice/backend/importer/opencode"
	"coppice/backend/sqlite"
)

// openLibrary opens a real library in a file of its own.
func openLibrary(t *testing.T) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "library.db"), sqlite.Options{})
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

// dumpLibrary writes everything that a library holds except times of use.
func dumpLibrary(t *testing.T, db *sqlite.DB) string {
	t.Helper()
	sessions, err := db.Sessions(t.Context(), core.SessionFilter{Children: true, Sort: core.SortCreated})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range sessions {
		fmt.Fprintf(&b, "%+v\n", s)
		tree, err := db.Tree(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "head %s\n", tree.Head)
		for _, branch := range tree.Branches {
			fmt.Fprintf(&b, "%+v\n", branch)
		}
		for _, turn := range tree.Turns {
			fmt.Fprintf(&b, "%+v\n", turn)
		}
		for m, err := range db.Messages(t.Context(), s.ID) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "m%d n%d b%d d%d %s under %s %s %s\n", m.Seq, m.Turn, m.Branch, m.Depth, m.UID, m.ParentUID, text(m), m.Meta)
		}
		for r, err := range db.Records(t.Context(), s.ID) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "record %d %s %s\n", r.Line, r.Type, r.AfterUID)
		}
	}
	return b.String()
}

// TestGrowthInSQLite grows a file in the real library.
func TestGrowthInSQLite(t *testing.T) {
	for name, f := range growing(t) {
		t.Run(name, func(t *testing.T) {
			data, cuts := f.data, f.sizes
			if cuts == nil {
				cuts = cutsAt(data, false)[:20]
			}
			path := filepath.Join(t.TempDir(), "growing.jsonl")
			growing, whole := openLibrary(t), openLibrary(t)
			for _, n := range append(slices.Clone(cuts), len(data)) {
				write(t, path, string(data[:n]))
				if report := run(t, growing, path); len(report.Problems) != 0 {
					t.Fatalf("after %d bytes: %v", n, report.Problems)
				}
			}
			run(t, whole, path)
			if got, want := dumpLibrary(t, growing), dumpLibrary(t, whole); got != want {
				t.Error(firstDifference(got, want))
			}
		})
	}
}

// TestSamplesInSQLite imports the real sessions into the real library: one session per file except for the replayed
// prefix, no branches, and nothing to do the second time.
func TestSamplesInSQLite(t *testing.T) {
	for _, folder := range importertest.SampleFolders(t) {
		prefix, whole := fixture.ClaudePrefix, fixture.ClaudeWhole
		if filepath.Base(folder) == "samples" {
			prefix, whole = "e1bc91d1-2731-4b12-bf00-44f4dcddffd1", "b4dcf65c-8a8f-4be8-80c2-fcebbda55946"
		}
		t.Run(filepath.Base(folder), func(t *testing.T) { importRealSessions(t, filepath.Join(folder, "claude-code", "real"), prefix, whole) })
	}
}

// importRealSessions imports a folder in which one file is a prefix of another one.
func importRealSessions(t *testing.T, folder, prefixID, wholeID string) {
	t.Helper()
	db := openLibrary(t)
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	report := run(t, db, folder)
	if len(report.Problems) != 2 { // the damaged lines
		t.Errorf("problems %v", report.Problems)
	}
	sessions, err := db.Sessions(t.Context(), core.SessionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(sessions) != len(files)-1 {
		t.Errorf("%d sessions of %d files", len(sessions), len(files))
	}
	for _, s := range sessions {
		if s.BranchCount != 1 {
			t.Errorf("%s has %d branches", s.SourceID, s.BranchCount)
		}
	}
	prefix, err := db.Session(t.Context(), prefixID)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := db.Session(t.Context(), wholeID)
	if err != nil {
		t.Fatal(err)
	}
	if prefix.ID != whole.ID {
		t.Error("the replayed prefix is a session of its own")
	}
	problems, err := db.Check(t.Context(), nil)
	if err != nil || len(problems) != 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
	again := run(t, db, folder)
	if again.Unchanged != int64(len(files)) || len(again.Sessions) != 0 {
		t.Errorf("second import: %+v", again)
	}
}

// TestCopyInSQLite imports a conversation and its /branch copy: one session under both ids.
func TestCopyInSQLite(t *testing.T) {
	db := openLibrary(t)
	folder := filepath.Join(importertest.SampleFolders(t)[0], "claude-code", "rewind-shape")
	run(t, db, filepath.Join(folder, "three-branches.jsonl"), filepath.Join(folder, "branch-copy.jsonl"))
	original, err := db.Session(t.Context(), fixture.ClaudeRewound)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := db.Session(t.Context(), fixture.ClaudeCopy)
	if err != nil {
		t.Fatal(err)
	}
	if original.ID != copied.ID || original.BranchCount != 3 || original.MessageCount != 8 {
		t.Errorf("%s with %d branches and %d messages, copy %s", original.ID, original.BranchCount, original.MessageCount, copied.ID)
	}
}

// TestLeavesTheLibraryAlone imports the folder that the library is kept in, and the library itself.
func TestLeavesTheLibraryAlone(t *testing.T) {
	library := openLibrary(t)
	im := importer.Importer{Library: library, Formats: []importer.Format{opencode.Format()}}
	report, err := im.Import(t.Context(), []string{filepath.Dir(library.FilePath())}, "")
	if err != nil || report.Skipped != 0 || len(report.Problems) != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if cursors, err := library.Cursors(t.Context(), []string{library.FilePath()}); err != nil || len(cursors) != 0 {
		t.Errorf("it was opened: %v, %v", cursors, err)
	}
	report, err = im.Import(t.Context(), []string{library.FilePath()}, "")
	if err != nil || len(report.Problems) != 1 || report.Problems[0].Message != "this is the library itself" {
		t.Errorf("%+v, %v", report, err)
	}
	for _, suffix := range []string{"-wal", "-shm", ".lock"} {
		report, err = im.Import(t.Context(), []string{library.FilePath() + suffix}, "")
		if err != nil || len(report.Problems) != 1 || report.Problems[0].Message != "this is the library itself" {
			t.Errorf("%s: %+v, %v", suffix, report, err)
		}
	}
}

// TestSubagentWithoutParent imports the file of a subagent whose session is missing, and again when it has grown: it is not its own
// parent.
func TestSubagentWithoutParent(t *testing.T) {
	db := openLibrary(t)
	path := filepath.Join(t.TempDir(), id, "subagents", "agent-7.jsonl")
	of := func(more ...string) string {
		return strings.ReplaceAll(lines("y", more...), `"uuid"`, `"isSidechain":true,"agentId":"7","uuid"`)
	}
	write(t, path, of())
	run(t, db, path)
	before, err := db.Session(t.Context(), id+"/7")
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, of(another("y", "1")))
	want(t, run(t, db, path), 0, 1, 0, 0)
	after, err := db.Session(t.Context(), id+"/7")
	if err != nil || after.ID != before.ID || after.MessageCount != 3 || after.ParentID != before.ParentID || after.ParentID == after.ID {
		t.Errorf("%v; parent %s of %s, before %s; %d messages", err, after.ParentID, after.ID, before.ParentID, after.MessageCount)
	}
}

// TestUnknownRecords counts records of unknown types by format and type, and stores them.
func TestUnknownRecords(t *testing.T) {
	db := importertest.Open(t)
	path := write(t, filepath.Join(t.TempDir(), id+".jsonl"), lines("x",
		`{"type":"novelty","sessionId":"s","a":1}`, `{"type":"novelty","sessionId":"s","a":2}`, `{"type":"custom-title","customTitle":"t","sessionId":"s"}`))
	report := importertest.Import(t, db, claudecode.Format(), path)
	if got := report.UnknownRecords; len(got) != 1 || got[0] != (core.UnknownRecords{Source: core.SourceClaudeCode, Type: "novelty", Count: 2}) {
		t.Errorf("%v", got)
	}
	s, err := db.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	records, err := db.RecordCounts(t.Context(), s.ID)
	if err != nil || !slices.Equal(records, []core.RecordCount{{Type: "novelty", Count: 2}, {Type: "custom-title", Known: true, Count: 1}}) {
		t.Errorf("%v, %v", records, err)
	}
	if again := importertest.Import(t, db, claudecode.Format(), path); len(again.UnknownRecords) != 0 {
		t.Errorf("again %v", again.UnknownRecords)
	}
}

// TestRemovedForGood leaves out what the user has removed for good: the file is read once and not again until it grows, and comes back
// only if it is asked for.
func TestRemovedForGood(t *testing.T) {
	db := openLibrary(t)
	path := write(t, filepath.Join(t.TempDir(), id+".jsonl"), lines(id))
	want(t, run(t, db, path), 1, 0, 0, 0)
	if err := db.Trash(t.Context(), []string{onlySession(t, db).ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Purge(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{lines(id), lines(id), lines(id, another(id, "1")), lines(id, another(id, "1"))} {
		write(t, path, content)
		report := run(t, db, path)
		want(t, report, 0, 0, 0, 1)
		if report.Removed != 1 || len(report.Sessions) > 0 {
			t.Errorf("removed %d, sessions %v", report.Removed, report.Sessions)
		}
	}
	im := importer.Importer{Library: db, Formats: []importer.Format{claudecode.Format()}, Again: true}
	report, err := im.Import(t.Context(), []string{path}, "")
	if err != nil {
		t.Fatal(err)
	}
	want(t, report, 1, 0, 0, 0)
	want(t, run(t, db, path), 0, 0, 1, 0)
	if s := onlySession(t, db); s.MessageCount != 3 {
		t.Errorf("%d messages", s.MessageCount)
	}
}

// onlySession returns the only session of a library.
func onlySession(t *testing.T, db *sqlite.DB) core.Session {
	t.Helper()
	sessions, err := db.Sessions(t.Context(), core.SessionFilter{})
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	return sessions[0]
}
