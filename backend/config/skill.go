package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/tools"
)

// SkillsFolder holds skills in the folder of the configuration: a folder with a file SKILL.md for each.
const SkillsFolder = "skills"

// skillFile describes a skill, and has its instructions.
const skillFile = "SKILL.md"

// Bounds on skills.
const (
	maxSkills     = 200  // folders of one place
	maxSkillRunes = 1024 // of a description
)

// workspaceSkills are the folders of a workspace with skills: Coppice's own, and those that several tools share.
func workspaceSkills() []string {
	return []string{".agents/" + SkillsFolder, ".claude/" + SkillsFolder, WorkspaceFolder + "/" + SkillsFolder}
}

// readSkills reads which skills the user has, and those of the workspace. One that is read later replaces one of the same name.
func (s *Settings) readSkills(withWorkspace bool) error {
	own := s.readSkillFolder(os.DirFS(Folder()), SkillsFolder, func(folder string) tools.Skill {
		return tools.Skill{Folder: filepath.Join(Folder(), filepath.FromSlash(folder))}
	})
	s.Skills = own
	if !withWorkspace {
		return nil
	}
	root, err := openWorkspace(s.Workspace)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, place := range workspaceSkills() {
		s.Skills = append(s.Skills, s.readSkillFolder(root.FS(), place, func(folder string) tools.Skill {
			return tools.Skill{Folder: folder, InWorkspace: true}
		})...)
	}
	var kept []tools.Skill
	for i, skill := range s.Skills {
		if !slices.ContainsFunc(s.Skills[i+1:], func(later tools.Skill) bool { return later.Name == skill.Name }) {
			kept = append(kept, skill)
		}
	}
	slices.SortFunc(kept, func(a, b tools.Skill) int { return cmp.Compare(a.Name, b.Name) })
	s.Skills = kept
	return nil
}

// readSkillFolder reads the descriptions of the skills in a folder. What is wrong with one is reported and stops no run: it may have been
// written for another tool.
func (s *Settings) readSkillFolder(files fs.FS, place string, at func(folder string) tools.Skill) []tools.Skill {
	entries, err := fs.ReadDir(files, place)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Ignored = append(s.Ignored, fmt.Sprintf("%s is ignored: %v", place, err))
		}
		return nil
	}
	var skills []tools.Skill
	for _, entry := range entries {
		if info, err := fs.Stat(files, path.Join(place, entry.Name())); err != nil || !info.IsDir() { // a link to a folder is one
			continue
		}
		if len(skills) == maxSkills {
			s.Ignored = append(s.Ignored, fmt.Sprintf("%s: more than %d skills are ignored", place, maxSkills))
			break
		}
		folder := path.Join(place, entry.Name())
		data, err := readBounded(files, path.Join(folder, skillFile))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		skill := at(folder)
		front, _ := splitFrontMatter(data)
		skill.Name, skill.Description = cmp.Or(front["name"], entry.Name()), core.Cut(front["description"], maxSkillRunes)
		problem := ""
		switch {
		case err != nil:
			problem = err.Error()
		case !agentForm.MatchString(skill.Name) || len(skill.Name) > 64:
			problem = "its name must have small letters, digits, - and _"
		case skill.Description == "":
			problem = "it has no description"
		}
		if problem != "" {
			s.Ignored = append(s.Ignored, fmt.Sprintf("the skill %s is ignored: %s", folder, problem))
			continue
		}
		skills = append(skills, skill)
	}
	return skills
}

// workspaceSkillFiles returns the files of the workspace that define its skills.
func (s *Settings) workspaceSkillFiles() []string {
	var names []string
	for _, skill := range s.Skills {
		if skill.InWorkspace {
			names = append(names, path.Join(skill.Folder, skillFile))
		}
	}
	return names
}

// SkillsPrompt returns the part of the system prompt that lists the skills for an agent; empty if it has none.
func SkillsPrompt(agent core.Agent, skills []tools.Skill) string {
	if len(skills) == 0 || !agent.Allows(tools.ReadSkill) {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n# Skills\n\nA skill holds instructions for one kind of task. If one fits what you are asked to do, read it with " + tools.ReadSkill + " before you begin.\n\n")
	for _, skill := range skills {
		line := "- " + skill.Name + ": " + skill.Description + "\n"
		if b.Len()+len(line) > maxSkillsBytes {
			line = "- " + skill.Name + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// maxSkillsBytes is from where on skills are listed without their descriptions, which every call of a model pays for.
const maxSkillsBytes = 16 << 10
