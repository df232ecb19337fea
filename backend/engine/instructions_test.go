package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"coppice/backend/engine"
)

func TestReadInstructions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files     map[string]string
		workspace string
		home      string
		want      string // PATH=TEXT, separated by |
	}{
		"none":    {nil, "p", "", ""},
		"one":     {map[string]string{"p/AGENTS.md": "a\n"}, "p", "", "AGENTS.md=a"},
		"outside": {map[string]string{"AGENTS.md": "a", "p/x": ""}, "p", "", ""},
		"outer to inner, up to the repository": {map[string]string{
			"AGENTS.md": "never", "r/.git/HEAD": "", "r/AGENTS.md": "top", "r/s/CLAUDE.md": "middle", "r/s/w/AGENTS.md": "inner", "r/s/w/x/AGENTS.md": "below",
		}, "r/s/w", "", "AGENTS.md=top|s/CLAUDE.md=middle|s/w/AGENTS.md=inner"},
		"up to home":                  {map[string]string{"AGENTS.md": "never", "p/AGENTS.md": "a", "p/q/AGENTS.md": "b"}, "p/q", ".", "AGENTS.md=a|q/AGENTS.md=b"},
		"home under git":              {map[string]string{".git/HEAD": "", "AGENTS.md": "never", "p/AGENTS.md": "a"}, "p", ".", "AGENTS.md=a"},
		"both":                        {map[string]string{"p/AGENTS.md": "a", "p/CLAUDE.md": "b"}, "p", "", "AGENTS.md=a|CLAUDE.md=b"},
		"both the same":               {map[string]string{"p/AGENTS.md": "a", "p/CLAUDE.md": "a\n"}, "p", "", "AGENTS.md=a"},
		"one points to the other":     {map[string]string{"p/AGENTS.md": "a", "p/CLAUDE.md": "@AGENTS.md\n"}, "p", "", "AGENTS.md=a"},
		"empty":                       {map[string]string{"p/AGENTS.md": " \n"}, "p", "", ""},
		"a folder of that name":       {map[string]string{"p/AGENTS.md/x": "a"}, "p", "", ""},
		"bytes that are no text":      {map[string]string{"p/AGENTS.md": "a\x00\xffb"}, "p", "", "AGENTS.md=a\uFFFDb"},
		"the same in another folder":  {map[string]string{"r/.git/HEAD": "", "r/AGENTS.md": "a", "r/s/AGENTS.md": "a"}, "r/s", "", "AGENTS.md=a|s/AGENTS.md=a"},
		"a repository in another one": {map[string]string{"r/.git/HEAD": "", "r/AGENTS.md": "a", "r/s/.git": "gitdir: x", "r/s/AGENTS.md": "b"}, "r/s", "", "AGENTS.md=b"},
	} {
		folder := t.TempDir()
		for path, text := range c.files {
			write(t, folder, path, text)
		}
		workspace, home := filepath.Join(folder, filepath.FromSlash(c.workspace)), c.home
		if err := os.MkdirAll(workspace, 0o700); err != nil {
			t.Fatal(err)
		}
		if home != "" {
			home = filepath.Join(folder, home)
		}
		got, err := engine.ReadInstructions(workspace, home)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, i := range got {
			said = append(said, i.Path+"="+i.Text)
		}
		if text := strings.Join(said, "|"); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

func TestInstructionsStayInside(t *testing.T) {
	t.Parallel()
	outside, repository := t.TempDir(), t.TempDir()
	write(t, outside, "secret", "the key")
	write(t, repository, ".git/HEAD", "")
	write(t, repository, "docs/rules.md", "the rules")
	for link, target := range map[string]string{
		"AGENTS.md": filepath.Join("docs", "rules.md"),
		"CLAUDE.md": filepath.Join(outside, "secret"),
	} {
		if err := os.Symlink(target, filepath.Join(repository, link)); err != nil {
			t.Skip("no links here")
		}
	}
	got, err := engine.ReadInstructions(repository, "")
	if err != nil || len(got) != 1 || got[0].Text != "the rules" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestInstructionsAreBounded(t *testing.T) {
	t.Parallel()
	repository := t.TempDir()
	write(t, repository, ".git/HEAD", "")
	long := strings.Repeat("ä rule\n", 10_000)
	write(t, repository, "AGENTS.md", "outermost "+long)
	write(t, repository, "CLAUDE.md", "outer "+long)
	write(t, repository, "a/AGENTS.md", "inner "+long)
	write(t, repository, "a/b/AGENTS.md", "innermost "+strings.Repeat("ä", 40_000))
	got, err := engine.ReadInstructions(filepath.Join(repository, "a", "b"), "")
	if err != nil || len(got) != 2 {
		t.Fatalf("%d, %v", len(got), err)
	}
	for i, begins := range []string{"inner ", "innermost "} {
		if !strings.HasPrefix(got[i].Text, begins) || !got[i].Cut || len(got[i].Text) > 33_000 || !utf8.ValidString(got[i].Text) {
			t.Errorf("%.20q, %d bytes, cut %v", got[i].Text, len(got[i].Text), got[i].Cut)
		}
	}
}
