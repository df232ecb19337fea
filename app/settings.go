package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// settings are the configuration in force in a workspace: the user's own file, and over it that of the workspace if it is trusted.
type settings struct {
	config
	Workspace string // absolute
	Trusted   bool
	trust     WorkspaceTrust
	agents    []agent
	origins   map[string]origin
	ignored   []string // what is not used, for people
	problems  []problem
}

// loadSettings reads the configuration. A mistake in a file is an Invalid error that names file and line.
func loadSettings(workspace string, trust *trust) (*settings, error) {
	set, err := readSettings(workspace, trust)
	if err != nil {
		return nil, err
	}
	if len(set.problems) > 0 {
		return nil, set.problems[0].error()
	}
	return set, nil
}

// readSettings reads the configuration with all mistakes that are in it. Nothing of a workspace that is not trusted is in it.
func readSettings(workspace string, trust *trust) (*settings, error) {
	workspace, err := filepath.Abs(workspace)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "find the workspace")
	}
	set := &settings{config: defaultConfig(), Workspace: workspace, origins: map[string]origin{}}
	if err := set.readFiles(true); err != nil {
		return nil, err
	}
	if set.trust, err = set.decide(trust); err != nil || set.Trusted {
		return set, err
	}
	safe := &settings{config: defaultConfig(), Workspace: workspace, origins: map[string]origin{}, trust: set.trust}
	if line := set.trust.unused(); line != "" {
		safe.ignored = []string{line}
	}
	return safe, safe.readFiles(false)
}

// readFiles reads the user's own files, and those of the workspace.
func (s *settings) readFiles(withWorkspace bool) error {
	data, err := readUserFile(configPath())
	if err != nil {
		return err
	}
	s.apply(userConfigName, data, nil)
	if withWorkspace {
		if data, err = readWorkspaceFile(s.Workspace, filepath.FromSlash(workspaceConfigName)); err != nil {
			return err
		}
		s.apply(workspaceConfigName, data, allowedInWorkspace)
	}
	s.checkWhole()
	return s.readAgents(withWorkspace)
}

// decide returns whether the workspace is trusted, from settings that were read as if it were.
func (s *settings) decide(trust *trust) (w WorkspaceTrust, err error) {
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
	s.Trusted = w.Listed || w.Answer == trustYes || w.Answer == trustOnce
	return w, nil
}

// allowedInWorkspace reports whether a trusted workspace may set a key. Which workspaces are trusted, and where programs start, is for the
// user's own file alone.
func allowedInWorkspace(path, _ string) bool {
	return path != "trusted_workspaces" && pattern(path) != "mcp.*.cwd"
}

// apply puts a file over what is set.
func (s *settings) apply(name string, data []byte, allow func(path, value string) bool) {
	reader := &strictYAML{file: name, checks: configChecks(), allow: allow, origins: s.origins}
	reader.read(data, &s.config)
	s.problems = append(s.problems, reader.problems...)
	s.ignore(name, reader.ignored)
}

func (s *settings) ignore(file string, paths []string) {
	for _, path := range paths {
		s.ignored = append(s.ignored, fmt.Sprintf("%s: %s is ignored", file, path))
	}
}

// trusts says whether a workspace is one of those, or in one of them.
func trusts(trusted []string, workspace string) bool {
	workspace = resolved(workspace)
	return slices.ContainsFunc(trusted, func(folder string) bool {
		folder = resolved(homePath(folder))
		below, err := filepath.Rel(folder, workspace)
		return err == nil && filepath.IsAbs(folder) && filepath.IsLocal(below)
	})
}

// resolved follows the links of a path, where it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// homePath writes out a ~ at the beginning of a path.
func homePath(path string) string {
	if path == "~" {
		return xdg.Home
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(xdg.Home, rest)
	}
	return path
}

// checkWhole finds what no single value shows.
func (s *settings) checkWhole() {
	s.checkMCP()
	for _, folder := range s.TrustedWorkspaces {
		if !filepath.IsAbs(homePath(folder)) {
			s.mistake("trusted_workspaces", fmt.Sprintf("%q is no absolute path", folder))
		}
	}
}

func (s *settings) mistake(path, text string) {
	s.problems = append(s.problems, problem{s.origins[path], path + ": " + text, ""})
}

// expand puts variables of the environment, written ${NAME}, into a value, so that a file need not hold secrets. One
// that is not set is an Invalid error.
func expand(value, where string, lookup func(name string) (string, bool)) (string, error) {
	var missing []string
	expanded := variableUse.ReplaceAllStringFunc(value, func(use string) string {
		name := use[2 : len(use)-1]
		text, ok := lookup(name)
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

// expandAll is expand for each value of a map.
func expandAll(values map[string]string, where string, lookup func(name string) (string, bool)) (map[string]string, error) {
	expanded := make(map[string]string, len(values))
	var failed error
	for name, value := range values {
		text, err := expand(value, where+"."+name, lookup)
		failed = errors.Join(failed, err)
		expanded[name] = text
	}
	return expanded, failed
}
