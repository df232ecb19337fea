package importer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
)

const id = "11111111-2222-4333-8444-555555555555"

// lines is a session of two messages, followed by more lines.
func lines(uid string, more ...string) string {
	from := `,"sessionId":"` + uid + `","cwd":"/p","timestamp":"2026-01-02T03:04:05.000Z","type":`
	all := []string{
		`{"uuid":"` + uid + `-q","parentUuid":null` + from + `"user","message":{"role":"user","content":"hello"}}`,
		`{"uuid":"` + uid + `-a","parentUuid":"` + uid + `-q"` + from + `"assistant","message":{"id":"` + uid + `","role":"assistant","content":[{"type":"text","text":"hi"}]}}`,
	}
	return strings.Join(append(all, more...), "\n") + "\n"
}

// another is a prompt that continues lines.
func another(uid, n string) string {
	return `{"uuid":"` + uid + n + `","parentUuid":"` + uid + `-a","sessionId":"s","timestamp":"2026-01-02T03:05:00.000Z","type":"user",` +
		`"message":{"role":"user","content":"more ` + n + `"}}`
}

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run imports paths and fails the test if the import could not continue.
func run(t *testing.T, library importer.Library, paths ...string) core.Report {
	t.Helper()
	im := importer.Importer{Library: library, Formats: []importer.Format{claudecode.Format()}}
	report, err := im.Import(t.Context(), paths, "")
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func counts(r core.Report) [4]int64 { return [4]int64{r.Imported, r.Updated, r.Unchanged, r.Skipped} }

func want(t *testing.T, r core.Report, imported, updated, unchanged, skipped int64) {
	t.Helper()
	if got := counts(r); got != [4]int64{imported, updated, unchanged, skipped} {
		t.Errorf("imported, updated, unchanged, skipped: %v, want %v; %v", got, [4]int64{imported, updated, unchanged, skipped}, r.Problems)
	}
}

func TestUnchangedGrownAndRewritten(t *testing.T) {
	library, path := newMemory(), filepath.Join(t.TempDir(), id+".jsonl")
	write(t, path, lines("x"))
	want(t, run(t, library, path), 1, 0, 0, 0)
	merges := library.merges
	want(t, run(t, library, path), 0, 0, 1, 0)
	if library.merges != merges {
		t.Error("an unchanged file was merged again")
	}

	write(t, path, lines("x", another("x", "1")))
	want(t, run(t, library, path), 0, 1, 0, 0)
	if got := library.only(t).order; !slices.Equal(got, []string{"x-q", "x-a", "x1"}) {
		t.Errorf("after growth: %v", got)
	}

	// A torn last line is not a problem, and is read when it is complete.
	write(t, path, strings.TrimSuffix(lines("x", another("x", "1"), another("x", "2")), "\n")[:len(lines("x", another("x", "1")))+40])
	report := run(t, library, path)
	want(t, report, 0, 0, 1, 0)
	if len(report.Problems) != 0 {
		t.Errorf("problems %v", report.Problems)
	}
	write(t, path, lines("x", another("x", "1"), another("x", "2")))
	want(t, run(t, library, path), 0, 1, 0, 0)

	// Rewritten to the same length: everything is read again.
	before := lines("x", another("x", "1"), another("x", "2"))
	write(t, path, strings.Replace(before, "hello", "howdy", 1))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	want(t, run(t, library, path), 0, 1, 0, 0)
	if got := library.only(t).byUID["x-q"].Parts[0].Text; got != "howdy" {
		t.Errorf("after rewriting: %q", got)
	}

	// Grown, but not from what was read.
	write(t, path, lines("y", another("y", "1"), another("y", "2"), another("y", "3")))
	want(t, run(t, library, path), 0, 1, 0, 0)
	if _, known := library.only(t).byUID["y3"]; !known {
		t.Error("a rewritten file was not read from the start")
	}
}

func TestFolder(t *testing.T) {
	library, dir := newMemory(), realFolder(t)
	write(t, filepath.Join(dir, "p10", "a.jsonl"), lines("c"))
	write(t, filepath.Join(dir, "p9", "b10.jsonl"), lines("b"))
	write(t, filepath.Join(dir, "p9", "b9.jsonl"), lines("a"))
	write(t, filepath.Join(dir, "p9", "notes.txt"), "not looked at")
	write(t, filepath.Join(dir, "p9", "other.jsonl"), "{\"format\":\"something else\"}\n")
	write(t, filepath.Join(dir, "p9", "snapshots.jsonl"), "{\"type\":\"file-history-snapshot\",\"messageId\":\"m\",\"snapshot\":{}}\n")
	symlink(t, dir, filepath.Join(dir, "p9", "loop"))
	symlink(t, filepath.Join(dir, "p10", "a.jsonl"), filepath.Join(dir, "p9", "again.jsonl"))
	symlink(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "p9", "dangling"))

	report := run(t, library, dir)
	want(t, report, 3, 0, 0, 2)
	if len(report.Problems) != 1 || !strings.HasSuffix(report.Problems[0].Path, "dangling") {
		t.Errorf("problems %v", report.Problems)
	}
	var order []string
	for _, s := range library.sessions {
		order = append(order, s.order[0])
	}
	if !slices.Equal(order, []string{"a-q", "b-q", "c-q"}) {
		t.Errorf("order %v", order)
	}
	if len(report.Sessions) != 3 {
		t.Errorf("sessions %v", report.Sessions)
	}
	want(t, run(t, library, dir), 0, 0, 4, 1)
	other := filepath.Join(dir, "p9", "other.jsonl")
	if c := library.cursors[other]; c.Path != other {
		t.Error("a file of another tool would be opened at each import")
	}
	if report := run(t, library, other); len(report.Problems) != 1 {
		t.Errorf("a foreign file named twice: %v", report.Problems)
	}
	write(t, other, lines("d"))
	want(t, run(t, library, dir), 1, 0, 4, 0)
}

// realFolder returns a temporary folder by the path that an import reports: that of macOS is below a symbolic link.
func realFolder(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func symlink(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skip("no symbolic links here")
	}
}

func TestProblemsOfPaths(t *testing.T) {
	dir := t.TempDir()
	report := run(t, newMemory(), filepath.Join(dir, "missing"), write(t, filepath.Join(dir, "x.txt"), "hello"), write(t, filepath.Join(dir, "y.md"), lines("y")))
	want(t, report, 1, 0, 0, 1)
	if len(report.Problems) != 2 {
		t.Errorf("problems %v", report.Problems)
	}
	im := importer.Importer{Library: newMemory(), Formats: []importer.Format{claudecode.Format()}}
	if _, err := im.Import(t.Context(), nil, "nonsense"); core.CodeOf(err) != core.Invalid || core.HintOf(err) == "" {
		t.Errorf("an unknown format gives %v", err)
	}
}

// A file that is empty, or that was transferred only in part, is reported as such.
func TestUnfinishedFiles(t *testing.T) {
	var whole bytes.Buffer
	z := zip.NewWriter(&whole)
	if _, err := z.Create("holiday.txt"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for text, message := range map[string]string{
		"":                             "the file is empty",
		whole.String()[:whole.Len()/2]: "a zip that is not whole",
		whole.String():                 "not a session file of a known format",
	} {
		report := run(t, newMemory(), write(t, filepath.Join(t.TempDir(), "export.zip"), text))
		if len(report.Problems) != 1 || report.Problems[0].Message != message {
			t.Errorf("%d bytes: %+v, want %q", len(text), report.Problems, message)
		}
	}
}

// An editor may have saved a session in UTF-16: the file is of a known tool, but not readable as it is.
func TestWideText(t *testing.T) {
	for name, mark := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		var text []byte
		for _, unit := range utf16.Encode([]rune("\uFEFF" + lines(id))) {
			text = mark.AppendUint16(text, unit)
		}
		report := run(t, newMemory(), write(t, filepath.Join(t.TempDir(), name+".jsonl"), string(text)))
		if len(report.Problems) != 1 || report.Problems[0].Message != "a text in UTF-16" || !strings.Contains(report.Problems[0].Hint, "UTF-8") {
			t.Errorf("%s: problems %v", name, report.Problems)
		}
	}
}

// failing returns a format whose every file ends with an error.
func failing(err error) importer.Format {
	return importer.Format{
		Name: core.SourceCoppice, Version: 1, Extensions: []string{".json"}, Sniff: func(string, []byte) bool { return true },
		Read: func(context.Context, core.SourceFile) iter.Seq2[core.Incoming, error] {
			return func(yield func(core.Incoming, error) bool) { yield(core.Incoming{}, err) }
		},
	}
}

func TestProblemsHaveHints(t *testing.T) {
	tooNew := core.E(core.TooNew, "written by a newer Coppice").WithHint("update Coppice")
	path := write(t, filepath.Join(realFolder(t), "x.json"), "{}")
	tests := []struct {
		name          string
		err           error
		message, hint string
	}{
		{"the hint of an error", core.Wrap(core.TooNew, tooNew, "read the header"), "read the header: written by a newer Coppice", "update Coppice"},
		{"no hint", core.E(core.Invalid, "odd"), "odd", ""},
		{"no right to read", &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}, "cannot read: permission denied", "make it readable for you, or import a copy of it"},
		{"a bad disk", &fs.PathError{Op: "read", Path: path, Err: syscall.EIO}, "cannot read: input/output error", ""},
		{"a file beside it", &fs.PathError{Op: "open", Path: "/p/y.json", Err: syscall.EIO}, "cannot read: open /p/y.json: input/output error", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			im := importer.Importer{Library: newMemory(), Formats: []importer.Format{failing(test.err)}}
			report, err := im.Import(t.Context(), []string{path}, "")
			if err != nil {
				t.Fatal(err)
			}
			if want := []core.Problem{{Path: path, Message: test.message, Hint: test.hint}}; !slices.Equal(report.Problems, want) {
				t.Errorf("%+v, want %+v", report.Problems, want)
			}
		})
	}
	library := newMemory()
	library.fail = tooNew
	if report := run(t, library, write(t, filepath.Join(t.TempDir(), "x.jsonl"), lines("x"))); len(report.Problems) != 1 || report.Problems[0].Hint == "" {
		t.Errorf("what the library says: %+v", report.Problems)
	}
	foreign := run(t, newMemory(), write(t, filepath.Join(t.TempDir(), "x.txt"), "hello"))
	if len(foreign.Problems) != 1 || !strings.Contains(foreign.Problems[0].Hint, "claude_code") {
		t.Errorf("a foreign file: %+v", foreign.Problems)
	}
}

func TestUnreadableIsReported(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "x.jsonl"), lines("x"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if report := run(t, newMemory(), dir); len(report.Problems) != 1 {
		t.Errorf("problems %v", report.Problems)
	}
}

func TestCancelKeepsWhatIsFinished(t *testing.T) {
	library, dir := newMemory(), t.TempDir()
	write(t, filepath.Join(dir, "1.jsonl"), lines("a"))
	var more []string
	for i := range 2000 {
		more = append(more, another("b", string(rune('A'+i%26))+strings.Repeat("x", i)))
	}
	write(t, filepath.Join(dir, "2.jsonl"), lines("b", more...))
	write(t, filepath.Join(dir, "3.jsonl"), lines("c"))
	ctx, cancel := context.WithCancel(t.Context())
	library.during = func(messages int) {
		if messages > 1000 {
			cancel()
		}
	}
	im := importer.Importer{Library: library, Formats: []importer.Format{claudecode.Format()}}
	report, err := im.Import(ctx, []string{dir}, "")
	if core.CodeOf(err) != core.Canceled {
		t.Fatalf("error %v", err)
	}
	want(t, report, 1, 0, 0, 0)
	if len(report.Problems) != 0 {
		t.Errorf("problems %v", report.Problems)
	}
	library.during = nil
	want(t, run(t, library, dir), 2, 0, 1, 0)
}

func TestFailingLibrary(t *testing.T) {
	library, dir := newMemory(), t.TempDir()
	write(t, filepath.Join(dir, "1.jsonl"), lines("a"))
	write(t, filepath.Join(dir, "2.jsonl"), lines("b"))
	library.fail = core.E(core.Invalid, "cannot be")
	report := run(t, library, dir)
	want(t, report, 0, 0, 0, 2)
	if len(report.Problems) != 2 {
		t.Errorf("problems %v", report.Problems)
	}
	library.fail = core.E(core.Unavailable, "the disk is full")
	im := importer.Importer{Library: library, Formats: []importer.Format{claudecode.Format()}}
	if _, err := im.Import(t.Context(), []string{dir}, ""); core.CodeOf(err) != core.Unavailable || !errors.Is(err, library.fail) {
		t.Errorf("error %v", err)
	}
}

func TestProgress(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "1.jsonl"), lines("a"))
	write(t, filepath.Join(dir, "2.jsonl"), lines("b"))
	var last core.Progress
	im := importer.Importer{Library: newMemory(), Formats: []importer.Format{claudecode.Format()}, Progress: func(p core.Progress) { last = p }}
	if _, err := im.Import(t.Context(), []string{dir}, "claude_code"); err != nil {
		t.Fatal(err)
	}
	files, bytes, err := im.Measure(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if last.Done != files || last.Total != files || last.DoneBytes != bytes || last.TotalBytes != bytes || last.Current == "" {
		t.Errorf("last %+v, want %d files of %d bytes", last, files, bytes)
	}
}

// TestSubagentFiles checks that the files of subagents belong to their session, in whatever order they come.
func TestSubagentFiles(t *testing.T) {
	dir := t.TempDir()
	main := write(t, filepath.Join(dir, id+".jsonl"), lines("x",
		`{"uuid":"x2","parentUuid":"x-a","sessionId":"s","timestamp":"2026-01-02T03:05:00.000Z","type":"assistant","message":{"id":"m2","role":"assistant",`+
			`"content":[{"type":"tool_use","id":"t1","name":"Task","input":{"description":"look around","prompt":"hello","subagent_type":"explorer"}}]}}`))
	agent := write(t, filepath.Join(dir, id, "subagents", "agent-7.jsonl"), strings.ReplaceAll(lines("y"), `"uuid"`, `"isSidechain":true,"agentId":"7","uuid"`))
	for name, paths := range map[string][]string{"folder": {dir}, "child first": {agent, main}} {
		t.Run(name, func(t *testing.T) {
			library := newMemory()
			want(t, run(t, library, paths...), 2, 0, 0, 0)
			parent, err := library.Session(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			child, err := library.Session(t.Context(), id+"/7")
			if err != nil {
				t.Fatal(err)
			}
			if child.ParentID != parent.ID || child.ParentUID != "x2" || child.Relation != core.RelationSubagent {
				t.Errorf("child of %q at %q, %q", child.ParentID, child.ParentUID, child.Relation)
			}
			if child.Title != "look around" || child.Agent != "explorer" {
				t.Errorf("title %q, agent %q", child.Title, child.Agent)
			}
		})
	}
	t.Run("parent gone", func(t *testing.T) {
		library := newMemory()
		if err := os.Remove(main); err != nil {
			t.Fatal(err)
		}
		want(t, run(t, library, agent), 1, 0, 0, 0)
		if s := library.only(t); s.Relation != core.RelationNone || s.ParentID != "" {
			t.Errorf("an orphan is %q of %q", s.Relation, s.ParentID)
		}
	})
}

func TestSkippedFilesAreNamed(t *testing.T) {
	folder, library := realFolder(t), openLibrary(t)
	write(t, filepath.Join(folder, "session.jsonl"), lines(id))
	notes := write(t, filepath.Join(folder, "notes.jsonl"), `{"note":"not a session"}`+"\n")
	for range 2 { // the second time by what is stored of it
		report := run(t, library, folder)
		want := []core.SkippedFile{{Path: notes, Reason: "not a session file of a known tool"}}
		if report.Skipped != 1 || !slices.Equal(report.SkippedFiles, want) {
			t.Errorf("%d skipped, %+v", report.Skipped, report.SkippedFiles)
		}
	}
}
