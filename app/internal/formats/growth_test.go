package formats

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

// TestSamplesTwice imports every generated session and every sample twice. The second import must change nothing and
// open no file that is known, and the library must be intact.
func TestSamplesTwice(t *testing.T) {
	t.Parallel()
	for _, folder := range importertest.SampleFolders(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) { importTwice(t, folder) })
	}
}

func importTwice(t *testing.T, folder string) {
	t.Helper()
	db := importertest.Open(t)
	first := importAll(t, db, folder)
	found := map[core.Source]bool{}
	for _, s := range apptest.Must(db.Sessions(t.Context(), core.SessionFilter{}))(t) {
		found[s.Source] = true
	}
	for _, source := range []core.Source{
		core.SourceClaudeCode, core.SourceCodex, core.SourceGeminiCLI, core.SourceOpenCode, core.SourcePi, core.SourceOpenAssistant, core.SourceArchitect,
		core.SourceAgentBase, core.SourceFuseraft, core.SourceAgentZero,
	} {
		if !found[source] {
			t.Errorf("nothing of %s", source)
		}
	}
	for _, p := range first.Problems {
		if !strings.Contains(p.Message, "damaged line") && !strings.Contains(p.Message, "kept as it is") && !strings.HasSuffix(p.Path, ".enc") &&
			!strings.Contains(p.Path, "fallback-broken") && !strings.Contains(p.Path, "service-thread") {
			t.Errorf("%s:%d: %s", p.Path, p.Line, p.Message)
		}
	}
	before := importertest.Dump(t, db)
	again := importAll(t, db, folder)
	if again.Imported+again.Updated != 0 || len(again.Sessions) != 0 {
		t.Errorf("again: %+v", again)
	}
	if importertest.Dump(t, db) != before {
		t.Error("the second import has changed something")
	}
	if problems := apptest.Must(db.Check(t.Context(), nil))(t); len(problems) != 0 {
		t.Errorf("check: %v", problems)
	}
}

// grownBytes is the size limit for samples that are grown. Larger samples have tests of their own.
const grownBytes = 300 << 10

// TestSamplesGrow grows every session file that consists of lines, at and within line boundaries. The library must then
// be the same as after one import of the whole file.
func TestSamplesGrow(t *testing.T) {
	t.Parallel()
	for _, folder := range importertest.SampleFolders(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) { growAll(t, folder) })
	}
}

func growAll(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" || strings.Contains(path, "openassistant") {
			return err
		}
		data := apptest.Must(os.ReadFile(path))(t)
		if len(data) > grownBytes || len(takersOf(t, path)) == 0 {
			return nil
		}
		if strings.HasSuffix(filepath.ToSlash(path), "small-fixtures/agent-sessions-small.jsonl") {
			return nil // a collection of record shapes, not a session: a subagent's message precedes the session that runs the subagent
		}
		name := filepath.Base(path)
		if strings.HasPrefix(name, "agent-sessions-") {
			name = "session.jsonl" // the file is named after its origin, and the name must not look like a subagent's
		}
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) { growLines(t, name, data) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func growLines(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	growing, whole := importertest.Open(t), importertest.Open(t)
	imported := int64(0)
	for _, size := range sizesOf(data) {
		if err := os.WriteFile(path, data[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		imported += importAll(t, growing, path).Imported
	}
	if at := importAll(t, whole, path).Imported; imported != at {
		t.Errorf("%d sessions were new while it grew, %d at once", imported, at)
	}
	if got, want := importertest.Dump(t, growing), importertest.Dump(t, whole); got != want {
		t.Errorf("grown:\n%s\nat once:\n%s", got, want)
	}
}

// sizesOf returns five sizes, of which three end within a line, and the whole size.
func sizesOf(data []byte) []int {
	var sizes []int
	for n := 1; n <= 5; n++ {
		size := len(data) * n / 6
		if n%2 == 0 {
			size += bytes.IndexByte(data[size:], '\n') + 1
		}
		sizes = append(sizes, size)
	}
	return append(sizes, len(data))
}
