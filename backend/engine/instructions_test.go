package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"coppice/backend/core"
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
	write(t, repository, "docs/rules.md", "the rules, with @../link.md, @../.env, @../.git/config and @"+filepath.Join(outside, "secret"))
	write(t, repository, ".env", "the password")
	write(t, repository, ".git/config", "the token")
	if err := os.Mkdir(filepath.Join(repository, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"AGENTS.md":   filepath.Join("docs", "rules.md"),
		"CLAUDE.md":   filepath.Join(outside, "secret"),
		"link.md":     ".env",
		"a/CLAUDE.md": filepath.Join("..", ".env"),
	} {
		if err := os.Symlink(target, filepath.Join(repository, link)); err != nil {
			t.Skip("no links here")
		}
	}
	got, err := engine.ReadInstructions(filepath.Join(repository, "a"), "")
	if err != nil || len(got) != 1 || !strings.HasPrefix(got[0].Text, "the rules") {
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

func TestImports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  string // PATH<IMPORTER, separated by |
	}{
		"in order, relative to the file": {
			map[string]string{"r/.git/HEAD": "", "r/AGENTS.md": "See @docs/a.md, and (@docs/b.md).", "r/docs/a.md": "@sub/c.md", "r/docs/b.md": "b", "r/docs/sub/c.md": "@../../README\n", "r/README": "x"},
			"AGENTS.md|docs/a.md<AGENTS.md|docs/sub/c.md<docs/a.md|README<docs/sub/c.md|docs/b.md<AGENTS.md",
		},
		"a cycle":            {map[string]string{"r/AGENTS.md": "@a.md", "r/a.md": "@b.md", "r/b.md": "@a.md @AGENTS.md"}, "AGENTS.md|a.md<AGENTS.md|b.md<a.md"},
		"the file beside it": {map[string]string{"r/AGENTS.md": "x", "r/CLAUDE.md": "@AGENTS.md\nMore."}, "AGENTS.md|CLAUDE.md"},
		"in code, names and addresses": {
			map[string]string{"r/AGENTS.md": "`@a.md` @types/node me@a.md @nobody\n```\n@a.md\n```\n~~~sh\n@a.md\n~~~\n", "r/a.md": "a"}, "AGENTS.md",
		},
		"too deep": {
			map[string]string{"r/AGENTS.md": "@1.md", "r/1.md": "@2.md", "r/2.md": "@3.md", "r/3.md": "@4.md", "r/4.md": "@5.md", "r/5.md": "@6.md", "r/6.md": "x"},
			"AGENTS.md|1.md<AGENTS.md|2.md<1.md|3.md<2.md|4.md<3.md|5.md<4.md",
		},
		"outside": {
			map[string]string{"r/.git/HEAD": "", "r/AGENTS.md": "@../x.md @~/x.md @/etc/passwd @a/../../x.md", "x.md": "secret"}, "AGENTS.md",
		},
		"above, without a repository": {map[string]string{"r/s/AGENTS.md": "@../x.md @y.md", "r/s/y.md": "y", "r/x.md": "secret"}, "s/AGENTS.md|s/y.md<s/AGENTS.md"},
		"above, in a repository":      {map[string]string{"r/.git/HEAD": "", "r/s/AGENTS.md": "@../x.md", "r/x.md": "x"}, "s/AGENTS.md|x.md<s/AGENTS.md"},
		"no text":                     {map[string]string{"r/AGENTS.md": "@a.bin @folder @empty", "r/a.bin": "a\x00b", "r/folder/x": "x", "r/empty": ""}, "AGENTS.md"},
		"too long for all": {
			map[string]string{"r/AGENTS.md": "@a.md @b.md @c.md\n" + strings.Repeat("x\n", 1000), "r/a.md": strings.Repeat("a\n", 15_000), "r/b.md": strings.Repeat("b\n", 15_900), "r/c.md": "@d.md", "r/d.md": "d"},
			"AGENTS.md|a.md<AGENTS.md|b.md<AGENTS.md|c.md<AGENTS.md|d.md<c.md",
		},
		"what does not fit": {
			map[string]string{"r/AGENTS.md": "@a.md @c.md\n" + strings.Repeat("x\n", 1000), "r/s/CLAUDE.md": strings.Repeat("s\n", 15_900), "r/s/AGENTS.md": strings.Repeat("t\n", 10_000), "r/a.md": strings.Repeat("@d.md\n", 5000), "r/c.md": "c", "r/d.md": "d", "r/.git/HEAD": ""},
			"AGENTS.md|c.md<AGENTS.md|s/AGENTS.md|s/CLAUDE.md",
		},
	} {
		folder := t.TempDir()
		for path, text := range c.files {
			write(t, folder, path, text)
		}
		workspace := filepath.Join(folder, "r")
		if _, err := os.Stat(filepath.Join(workspace, "s")); err == nil {
			workspace = filepath.Join(workspace, "s")
		}
		got, err := engine.ReadInstructions(workspace, folder)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, i := range got {
			line := i.Path
			if i.Importer != "" {
				line += "<" + i.Importer
			}
			said = append(said, line)
		}
		if text := strings.Join(said, "|"); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

func TestReadUserInstructions(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home, ".config/coppice/AGENTS.md", "Be brief. @style.md @../other.md @../../.ssh/id_rsa")
	write(t, home, ".config/coppice/style.md", "Use tabs.")
	write(t, home, ".config/other.md", "no")
	write(t, home, ".ssh/id_rsa", "no")
	got, err := engine.ReadUserInstructions(filepath.Join(home, ".config", "coppice"), home)
	if err != nil || len(got) != 2 || got[0].Path != "~/.config/coppice/AGENTS.md" || got[1].Path != "~/.config/coppice/style.md" || got[1].Importer != got[0].Path || !got[1].User {
		t.Fatalf("%+v, %v", got, err)
	}
	if none, err := engine.ReadUserInstructions(filepath.Join(home, "nothing"), home); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
	all := append(got, engine.Instruction{Path: "AGENTS.md", Text: "Use spaces."})
	for _, trusted := range []bool{true, false} {
		prompt := engine.SystemPrompt(core.Agent{Prompt: "x"}, engine.Environment{}, all, trusted)
		before, after, found := strings.Cut(prompt, "<instructions file=\"AGENTS.md\">")
		if !found || !strings.Contains(before, "# The user's instructions") || !strings.Contains(before, "imported-by=\"~/.config/coppice/AGENTS.md\">\nUse tabs.") || !strings.Contains(after, "Use spaces.") {
			t.Errorf("%s", prompt)
		}
		if strings.Contains(before, "has not marked it as trusted") == trusted {
			t.Errorf("trusted %v: %s", trusted, before)
		}
	}
}
