package tools

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sensitive"
	"coppice/backend/tools/excerpt"
)

// ReadSkill is the name of the tool that reads skills.
const ReadSkill = "read_skill"

// Skill is a folder with instructions for one kind of task in a file SKILL.md, and files that these refer to.
type Skill struct {
	Name        string
	Description string // when it is to be used, on one line
	Folder      string // slash-separated and relative to the workspace if InWorkspace, else absolute
	InWorkspace bool
}

const (
	skillFile       = "SKILL.md"
	maxSkillFiles   = 100 // that a skill lists
	maxSkillEntries = 5000
	maxSkillBytes   = 1 << 20 // of one file of a skill
)

type readSkillArgs struct {
	Name string `json:"name"`
	File string `json:"file"`
}

type readSkill struct {
	*workspace
	skills []Skill
}

func newReadSkill(w *workspace, skills []Skill) Tool {
	t := define[readSkillArgs](ReadSkill, `
		"name": {"type": "string", "description": "The name of the skill."},
		"file": {"type": "string", "description": "A file of the skill, relative to its folder; SKILL.md if left out."}`, "name")
	r := readSkill{w, skills}
	t.access = func(_ context.Context, args readSkillArgs) (core.Access, error) {
		if _, err := r.find(args.Name); err != nil {
			return core.Access{}, err
		}
		title := "Read the skill " + args.Name
		if args.File != "" {
			title += ": " + core.Preview(args.File, 100)
		}
		return core.Access{Effect: core.EffectNone, Idempotent: true, Title: title}, nil
	}
	t.run = r.run
	return t
}

func (r readSkill) find(name string) (Skill, error) {
	names := make([]string, len(r.skills))
	for i, skill := range r.skills {
		if skill.Name == name {
			return skill, nil
		}
		names[i] = skill.Name
	}
	return Skill{}, core.E(core.NotFound, "there is no skill %q; the skills are %s", core.Cut(name, 100), strings.Join(names, ", "))
}

func (r readSkill) run(_ context.Context, _ core.ToolCall, args readSkillArgs) (core.ToolResult, error) {
	skill, err := r.find(args.Name)
	if err != nil {
		return core.ToolResult{}, err
	}
	root, err := r.open(skill)
	if err != nil {
		return core.ToolResult{}, core.Wrap(core.Unavailable, err, "open the skill %s", skill.Name)
	}
	defer root.Close() //nolint:errcheck // it is only read
	file := path.Clean(filepath.ToSlash(args.File))
	if args.File == "" {
		file = skillFile
	}
	text, err := skillText(root, file)
	if err != nil {
		return core.ToolResult{}, err
	}
	if args.File != "" {
		return outputResult(text, int64(len(text)), excerpt.CountLines(text)), nil
	}
	text = bodyOf(text) + "\n\n" + skill.about(filesOf(root))
	return outputResult(text, int64(len(text)), excerpt.CountLines(text)), nil
}

// open opens the folder of a skill. Links do not lead out of it, nor out of the workspace.
func (r readSkill) open(skill Skill) (*os.Root, error) {
	if skill.InWorkspace {
		return r.root.OpenRoot(filepath.FromSlash(skill.Folder))
	}
	return os.OpenRoot(skill.Folder)
}

// skillText returns a file of a skill as text.
func skillText(root *os.Root, name string) (string, error) {
	if reason := sensitive.Reason(name); reason != "" {
		return "", core.E(core.Denied, "%s, so it is not read", reason)
	}
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() {
		return "", core.E(core.NotFound, "the skill has no file %s", name)
	}
	file, err := core.OpenRegularIn(root, filepath.FromSlash(name))
	if err != nil {
		return "", explain(err, name)
	}
	defer file.Close() //nolint:errcheck // it is only read
	data, err := io.ReadAll(io.LimitReader(file, maxSkillBytes))
	if err != nil {
		return "", explain(err, name)
	}
	if isBinary(data[:min(len(data), 8000)]) {
		return "", core.E(core.Invalid, "%s is binary and is not shown", name)
	}
	return readable(data), nil
}

// bodyOf returns a Markdown text without its front matter.
func bodyOf(text string) string {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, body, ok := strings.Cut("\n"+rest, "\n---\n"); ok {
			text = body
		}
	}
	return strings.TrimSpace(text)
}

// filesOf returns the other files of a skill, sorted.
func filesOf(root *os.Root) (files []string, more bool) {
	seen := 0
	_ = fs.WalkDir(root.FS(), ".", func(at string, entry fs.DirEntry, err error) error { // what cannot be read is not listed
		if seen++; seen > maxSkillEntries || len(files) > maxSkillFiles {
			return fs.SkipAll
		}
		switch {
		case err != nil || at == ".":
			return nil
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case entry.Type().IsRegular() && at != skillFile:
			files = append(files, at)
		}
		return nil
	})
	slices.Sort(files)
	if len(files) > maxSkillFiles {
		return files[:maxSkillFiles], true
	}
	return files, seen > maxSkillEntries
}

// about describes where a skill is, and how its files are read.
func (s Skill) about(files []string, more bool) string {
	if len(files) == 0 {
		return fmt.Sprintf("(The skill %s has no other files.)", s.Name)
	}
	how := fmt.Sprintf("Its folder is outside the workspace: read a file with %s, and file. Commands cannot open it.", ReadSkill)
	if s.InWorkspace {
		how = "They are in the folder " + s.Folder + " of the workspace."
	}
	list := strings.Join(files, "\n")
	if more {
		list += "\n…"
	}
	return fmt.Sprintf("Files of the skill %s. %s\n%s", s.Name, how, list)
}
