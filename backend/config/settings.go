package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/tools"
)

// Settings are the configuration in force in a workspace: the user's own file, and over it that of the workspace if it is trusted.
type Settings struct {
	Config
	Workspace string // absolute
	Trusted   bool
	Trust     WorkspaceTrust
	Agents    []Agent
	Commands  []Command     // sorted by name
	Skills    []tools.Skill // likewise
	origins   map[string]origin
	Ignored   []string // what is not used, as lines to show
	Problems  []Problem
}

// Load reads the configuration. A mistake in a file is an Invalid error that names file and line.
func Load(workspace string, trust *Answers) (*Settings, error) {
	set, err := Read(workspace, trust)
	if err != nil {
		return nil, err
	}
	if len(set.Problems) > 0 {
		return nil, set.Problems[0].Err()
	}
	return set, nil
}

// Read reads the configuration with all mistakes that are in it. Nothing of a workspace that is not trusted is in it.
func Read(workspace string, trust *Answers) (*Settings, error) {
	workspace, err := filepath.Abs(workspace)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "find the workspace")
	}
	set := &Settings{Config: Default(), Workspace: workspace, origins: map[string]origin{}}
	if err := set.readFiles(true); err != nil {
		return nil, err
	}
	if set.Trust, err = set.decide(trust); err != nil || set.Trusted {
		return set, err
	}
	safe := &Settings{Config: Default(), Workspace: workspace, origins: map[string]origin{}, Trust: set.Trust}
	if line := set.Trust.unused(); line != "" {
		safe.Ignored = []string{line}
	}
	return safe, safe.readFiles(false)
}

// ReadUser reads the user's own configuration with all mistakes that are in it, and nothing of any workspace.
func ReadUser() (*Settings, error) {
	set := &Settings{Config: Default(), Workspace: xdg.Home, origins: map[string]origin{}}
	return set, set.readFiles(false)
}

// EncryptsNew returns the user's library.encrypt. Mistakes elsewhere, and in files of agents, do not matter to it.
func EncryptsNew() (bool, error) {
	data, err := readUserFile(Path())
	if err != nil {
		return false, err
	}
	set := &Settings{Config: Default(), Workspace: xdg.Home, origins: map[string]origin{}}
	set.apply(userFile, data, nil)
	return set.Library.Encrypt, nil
}

// readFiles reads the user's own files, and those of the workspace.
func (s *Settings) readFiles(withWorkspace bool) error {
	data, err := readUserFile(Path())
	if err != nil {
		return err
	}
	s.apply(userFile, data, nil)
	if withWorkspace {
		if data, err = readWorkspaceFile(s.Workspace, filepath.FromSlash(WorkspaceFile)); err != nil {
			return err
		}
		s.apply(WorkspaceFile, data, allowedInWorkspace)
		s.readMCPFile(os.LookupEnv)
	}
	s.checkWhole()
	if err := s.readCommands(withWorkspace); err != nil {
		return err
	}
	if err := s.readSkills(withWorkspace); err != nil {
		return err
	}
	return s.readAgents(withWorkspace)
}

// decide returns whether the workspace is trusted, from settings that were read as if it were.
func (s *Settings) decide(trust *Answers) (w WorkspaceTrust, err error) {
	w = WorkspaceTrust{Workspace: s.Workspace, Listed: trusts(s.TrustedWorkspaces, s.Workspace)}
	if w.Brings, err = s.contributions(); err != nil {
		return w, err
	}
	if w.Digest, err = s.digest(w.Brings); err != nil {
		return w, err
	}
	if w.Answer, err = trust.answer(s.Workspace, w.Digest); err != nil {
		return w, err
	}
	s.Trusted = w.Listed || w.Answer == AnswerYes || w.Answer == AnswerOnce
	return w, nil
}

// allowedInWorkspace reports whether a trusted workspace may set a key. Which workspaces are trusted, where programs start, and whether
// the library is encrypted is for the user's own file alone.
func allowedInWorkspace(path, _ string) bool {
	return path != "trusted_workspaces" && !strings.HasPrefix(path, "library") && pattern(path) != "mcp.*.cwd"
}

// apply applies a file to what is set.
func (s *Settings) apply(name string, data []byte, allow func(path, value string) bool) {
	reader := &strictYAML{file: name, checks: checks(), allow: allow, origins: s.origins}
	reader.read(data, &s.Config)
	s.Problems = append(s.Problems, reader.problems...)
	s.ignore(name, reader.ignored)
}

func (s *Settings) ignore(file string, paths []string) {
	for _, path := range paths {
		s.Ignored = append(s.Ignored, fmt.Sprintf("%s: %s is ignored", file, path))
	}
}

// trusts reports whether a workspace is one of these folders, or in one of them.
func trusts(trusted []string, workspace string) bool {
	workspace = Resolved(workspace)
	return slices.ContainsFunc(trusted, func(folder string) bool {
		folder = Resolved(HomePath(folder))
		below, err := filepath.Rel(folder, workspace)
		return err == nil && filepath.IsAbs(folder) && filepath.IsLocal(below)
	})
}

// Resolved follows the links of a path if it exists.
func Resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// HomePath replaces ~ at the beginning of a path by the home folder.
func HomePath(path string) string {
	if path == "~" {
		return xdg.Home
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(xdg.Home, rest)
	}
	return path
}

// checkWhole finds mistakes that no single value shows.
func (s *Settings) checkWhole() {
	s.checkMCP()
	if err := checkCompaction(s.compaction()); err != nil {
		s.Problems = append(s.Problems, Problem{firstOrigin(s.origins, userFile), err.Error(), core.HintOf(err)})
	}
	for _, folder := range s.TrustedWorkspaces {
		if !filepath.IsAbs(HomePath(folder)) {
			s.mistake("trusted_workspaces", fmt.Sprintf("invalid path %q: want an absolute path", folder))
		}
	}
}

// compaction returns what the files set of the compaction.
func (s *Settings) compaction() core.CompactionSettings {
	return s.Compaction.settings(func(key string) bool { _, set := s.origins[key]; return set })
}

func (s *Settings) mistake(path, text string) {
	s.Problems = append(s.Problems, Problem{s.origins[path], path + ": " + text, ""})
}

// expand replaces variables of the environment, written ${NAME} or ${NAME:-TEXT}, so that a file need not hold secrets. A variable
// without a text that is not set is an Invalid error.
func expand(value, where string, lookup func(name string) (string, bool)) (string, error) {
	var missing []string
	expanded := variableUse.ReplaceAllStringFunc(value, func(use string) string {
		name, otherwise, hasDefault := strings.Cut(use[2:len(use)-1], ":-")
		text, ok := lookup(name)
		if hasDefault && text == "" {
			return otherwise
		}
		if !ok {
			missing = append(missing, name)
		}
		return text
	})
	if len(missing) > 0 {
		return "", core.E(core.Invalid, "%s: the environment has no %s", where, strings.Join(missing, ", "))
	}
	return expanded, nil
}

// ExpandAll is expand for each value of a map.
func ExpandAll(values map[string]string, where string, lookup func(name string) (string, bool)) (map[string]string, error) {
	expanded := make(map[string]string, len(values))
	var failed error
	for name, value := range values {
		text, err := expand(value, where+"."+name, lookup)
		failed = errors.Join(failed, err)
		expanded[name] = text
	}
	return expanded, failed
}

// openWorkspace opens the folder of a workspace, through which no link leads out of it.
func openWorkspace(workspace string) (*os.Root, error) {
	root, err := os.OpenRoot(workspace)
	return root, core.Wrap(core.Invalid, err, "open the workspace")
}
