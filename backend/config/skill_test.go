package config

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"coppice/backend/core"
	"coppice/backend/tools"
)

func TestReadSkills(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"skills/pdf/SKILL.md":     {Data: []byte("---\nname: pdf\ndescription: >\n  Fills forms.\n  Use it for PDF.\nlicense: MIT\nmetadata: {version: 1}\n---\n# PDF\n")},
		"skills/unnamed/SKILL.md": {Data: []byte("---\ndescription: x\n---\n")},
		"skills/silent/SKILL.md":  {Data: []byte("# Nothing described\n")},
		"skills/shout/SKILL.md":   {Data: []byte("---\nname: SHOUT\ndescription: x\n---\n")},
		"skills/nothing/notes.md": {Data: []byte("x")},
		"skills/README.md":        {Data: []byte("x")},
	}
	s := &Settings{}
	skills := s.readSkillFolder(files, SkillsFolder, func(folder string) tools.Skill { return tools.Skill{Folder: folder} })
	want := "[{pdf Fills forms. Use it for PDF. skills/pdf false} {unnamed x skills/unnamed false}]"
	if got := fmt.Sprint(skills); got != want {
		t.Errorf("%s", got)
	}
	if got := strings.Join(s.Ignored, "|"); got != "the skill skills/shout is ignored: its name must have small letters, digits, - and _|the skill skills/silent is ignored: it has no description" {
		t.Errorf("%q", got)
	}
}

func TestSkillsPrompt(t *testing.T) {
	t.Parallel()
	var many []tools.Skill
	for i := range 100 {
		many = append(many, tools.Skill{Name: fmt.Sprintf("s%d", i), Description: strings.Repeat("d", 1000)})
	}
	all := core.Agent{}
	if got := SkillsPrompt(all, many); len(got) > 18<<10 || !strings.Contains(got, "- s0: ddd") || !strings.Contains(got, "- s99\n") {
		t.Errorf("%d bytes", len(got))
	}
	if got := SkillsPrompt(core.Agent{Tools: []string{"read_file"}}, many); got != "" {
		t.Errorf("an agent that cannot read skills is sent %d bytes", len(got))
	}
	if got := SkillsPrompt(all, nil); got != "" {
		t.Errorf("%q", got)
	}
}
