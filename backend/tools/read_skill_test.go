package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/tools"
)

func TestReadSkill(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	for name, text := range map[string]string{"SKILL.md": "---\nname: pdf\n---\n\n# PDF\n\nRead forms.md.\n", "forms.md": "Fill them.", "scripts/fill.py": "print(1)", ".env": "KEY=x", "a.bin": "a\x00b", ".git/config": "x"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(own, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := newBenchWith(t, map[string]string{".coppice/skills/deploy/SKILL.md": "Deploy.", ".coppice/skills/deploy/x.md": "x", "secret.txt": "no"}, tools.Options{Skills: []tools.Skill{
		{Name: "pdf", Folder: own}, {Name: "deploy", Folder: ".coppice/skills/deploy", InWorkspace: true},
	}})
	if err := os.Symlink("../../../secret.txt", filepath.Join(b.dir, ".coppice/skills/deploy/link.md")); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{"name": "pdf"}`: "# PDF\n\nRead forms.md.\n\nFiles of the skill pdf. Its folder is outside the workspace: read a file with read_skill, and file. " +
			"Commands cannot open it.\n.env\na.bin\nforms.md\nscripts/fill.py",
		`{"name": "pdf", "file": "scripts/fill.py"}`: "print(1)",
		`{"name": "deploy"}`:                         "Deploy.\n\nFiles of the skill deploy. They are in the folder .coppice/skills/deploy of the workspace.\nx.md",
	} {
		if got := b.succeeds("read_skill", args); got != want {
			t.Errorf("%s: %q", args, got)
		}
	}
	for args, want := range map[string]string{
		`{"name": "nothing"}`:                           `there is no skill "nothing"; the skills are pdf, deploy`,
		`{"name": "pdf", "file": "../../etc/passwd"}`:   "no file ../../etc/passwd",
		`{"name": "pdf", "file": ".env"}`:               "may hold passwords",
		`{"name": "pdf", "file": "a.bin"}`:              "is binary",
		`{"name": "pdf", "file": "scripts"}`:            "no file scripts",
		`{"name": "deploy", "file": "link.md"}`:         "no file link.md",
		`{"name": "deploy", "file": "/etc/passwd"}`:     "no file /etc/passwd",
		`{"name": "` + strings.Repeat("x", 5000) + `"}`: "there is no skill",
	} {
		b.fails("read_skill", args, want)
	}
	if a, err := b.access("read_skill", `{"name": "pdf", "file": "forms.md"}`); err != nil || a.Effect != core.EffectNone || a.Title != "Read the skill pdf: forms.md" {
		t.Errorf("%+v, %v", a, err)
	}
	if names := newBench(t, nil).tools; names["read_skill"] != nil {
		t.Error("without skills there is a tool for them")
	}
}
