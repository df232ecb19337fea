package original_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/app/internal/original"
	"coppice/backend/core"
)

func TestOf(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "it's mine; rm -rf")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "session.jsonl")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	installed := func(string) (string, error) { return "/bin/true", nil }
	absent := func(string) (string, error) { return "", errors.New("not found") }
	session := func(source core.Source, change func(*core.Session)) *core.Session {
		s := &core.Session{Source: source, SourceID: "0a1b-2c", SourcePath: file, WorkspacePath: folder}
		if change != nil {
			change(s)
		}
		return s
	}
	cases := []struct {
		name     string
		session  *core.Session
		lookPath func(string) (string, error)
		args     []string
		reason   string // its beginning
	}{
		{"claude", session(core.SourceClaudeCode, nil), installed, []string{"claude", "--resume", "0a1b-2c"}, ""},
		{"codex", session(core.SourceCodex, nil), installed, []string{"codex", "resume", "0a1b-2c"}, ""},
		{"gemini", session(core.SourceGeminiCLI, nil), installed, []string{"gemini", "--resume", "0a1b-2c"}, ""},
		{"opencode", session(core.SourceOpenCode, nil), installed, []string{"opencode", "--session", "0a1b-2c"}, ""},
		{"pi", session(core.SourcePi, nil), installed, []string{"pi", "--session", file}, ""},
		{"not installed", session(core.SourceClaudeCode, nil), absent, []string{"claude", "--resume", "0a1b-2c"}, "Claude Code is not installed"},
		{"file gone", session(core.SourceCodex, func(s *core.Session) { s.SourceGoneMs = 1 }), installed, []string{"codex", "resume", "0a1b-2c"}, "The original file is missing"},
		{"folder missing", session(core.SourceCodex, func(s *core.Session) { s.WorkspacePath = "/no/such/folder" }), installed, []string{"codex", "resume", "0a1b-2c"}, "The folder /no/such/folder does not exist"},
		{"no id", session(core.SourceClaudeCode, func(s *core.Session) { s.SourceID = "" }), installed, nil, "It was imported from a file without"},
		{"an option as id", session(core.SourceClaudeCode, func(s *core.Session) { s.SourceID = "--dangerously-skip-permissions" }), installed, nil, "Its id --dangerously"},
		{"a subagent", session(core.SourceClaudeCode, func(s *core.Session) { s.Relation = core.RelationSubagent }), installed, nil, "It is a subagent's"},
		{"an export", session(core.SourceChatGPT, nil), installed, nil, "No program continues"},
		{"our own", session(core.SourceCoppice, nil), installed, nil, "The session is from Coppice itself"},
	}
	for _, c := range cases {
		got := original.Of(c.session, c.lookPath)
		if !slices.Equal(got.Args, c.args) || got.Args == nil || !strings.HasPrefix(got.Reason, c.reason) || (c.reason == "") != (got.Reason == "") {
			t.Errorf("%s: got %+v", c.name, got)
		}
	}
	want := `cd '` + strings.ReplaceAll(folder, "'", `'\''`) + `' && claude --resume 0a1b-2c`
	if got := original.Of(cases[0].session, installed).Text; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
