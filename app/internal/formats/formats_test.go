package formats

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/importertest"
)

// TestNoFormatTakesAnothersFiles asks every format about every generated session and every sample. At most one format
// may recognize a file, so that the order of the formats does not matter.
func TestNoFormatTakesAnothersFiles(t *testing.T) {
	t.Parallel()
	for _, folder := range importertest.SampleFolders(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) { askAll(t, folder) })
	}
}

func askAll(t *testing.T, folder string) {
	t.Helper()
	known := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		takers := takersOf(t, path)
		if len(takers) > 1 {
			t.Errorf("%s is taken by %v", path, takers)
		}
		if len(takers) == 1 && !slices.Contains(writersOf(path), takers[0]) {
			t.Errorf("%s is taken by %v", path, takers)
		}
		known += len(takers)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if known < 50 {
		t.Errorf("only %d samples are known to any format", known)
	}
}

func takersOf(t *testing.T, path string) (takers []core.Source) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // the file is only read
	head, err := io.ReadAll(io.LimitReader(file, 64<<10))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range All() {
		if f.Sniff(path, head) {
			takers = append(takers, f.Name)
		}
	}
	return takers
}

// writersOf returns the tools whose files are in the folder of a sample.
func writersOf(path string) []core.Source {
	for folder, writers := range map[string][]core.Source{
		"claude-code": {core.SourceClaudeCode}, "claudecode": {core.SourceClaudeCode}, "claude-web": {core.SourceClaudeCode}, "codex": {core.SourceCodex}, "gemini-cli": {core.SourceGeminiCLI}, "pi": {core.SourcePi},
		"opencode": {core.SourceOpenCode}, "chatgpt": {core.SourceChatGPT}, "claude-ai": {core.SourceClaudeAI}, "agent-harness": {core.SourceAgentHarness}, "openassistant-trees": {core.SourceOpenAssistant}, "architect": {core.SourceArchitect},
		"agent-template": {core.SourceAgentBase}, "agentzero": {core.SourceAgentZero}, "fuseraft": {core.SourceFuseraft},
	} {
		if strings.Contains(filepath.ToSlash(path), "/"+folder+"/") {
			return writers
		}
	}
	return nil
}

// TestKnownPlaces requires that the sessions of tools in workspaces are found, each folder once.
func TestKnownPlaces(t *testing.T) {
	t.Parallel()
	garden := t.TempDir()
	for _, folder := range []string{".architect/sessions", ".agentzero/sessions", ".fuseraft/repl-sessions", ".git"} {
		if err := os.MkdirAll(filepath.Join(garden, filepath.FromSlash(folder)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var found []string
	for _, p := range KnownLocations([]string{garden, "a/relative/one", garden, filepath.Join(garden, "gone")}) {
		if below, ok := strings.CutPrefix(p.Path, garden); ok {
			found = append(found, string(p.Source)+" "+filepath.ToSlash(below))
		}
	}
	if got := strings.Join(found, ", "); got != "architect /.architect/sessions, fuseraft /.fuseraft/repl-sessions, agentzero /.agentzero/sessions" {
		t.Error(got)
	}
	for _, f := range All() {
		if of := Of(f.Name); len(of) != 1 || of[0].Name != f.Name {
			t.Errorf("%s: %v", f.Name, of)
		}
	}
}

// TestSharedFolder requires that the contents distinguish two tools that store sessions in one folder.
func TestSharedFolder(t *testing.T) {
	t.Parallel()
	db := apptest.OpenLibrary(t)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"base.json": `{"name":"base","created_at":"2025-11-21T10:30:00","thread":{"kind":"fallback","messages":[` +
			`{"role":"user","contents":[{"type":"text","text":"hello"}]}],"message_count":1}}`,
		"harness-1.json": `{"metadata":{"id":"h1","name":"h1","createdAt":"2026-01-02T03:04:05Z","lastActivityAt":"2026-01-02T03:04:06Z","messageCount":1},` +
			`"messages":[{"id":"m1","role":"user","content":"hello","timestamp":"2026-01-02T03:04:05Z"}]}`,
		"harness-2.json": `{"metadata":{"id":"h2","name":"h2","createdAt":"2026-01-02T03:04:05Z","lastActivityAt":"2026-01-02T03:04:06Z","messageCount":1},` +
			`"messages":[{"id":"m2","role":"user","content":"hello","timestamp":"2026-01-02T03:04:05Z"}]}`,
		"index.json": `{"sessions":[]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when string) {
		for source, want := range map[core.Source]int64{core.SourceAgentBase: 1, core.SourceAgentHarness: 2} {
			im := importer.Importer{Library: db, Formats: Of(source)}
			if files, _, err := im.Measure(t.Context(), folder); err != nil || files != want {
				t.Errorf("%s: %d files of %s, want %d; %v", when, files, source, want, err)
			}
		}
	}
	check("before the import")
	im := importer.Importer{Library: db, Formats: All()}
	if report, err := im.Import(t.Context(), []string{folder, folder}, ""); err != nil || report.Imported != 3 {
		t.Errorf("%+v, %v", report, err)
	}
	check("after it")
}
