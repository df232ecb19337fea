package app

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// settings are the configuration in force in a workspace: the person's own file, and over it that of the workspace.
type settings struct {
	config
	Workspace string // absolute
	Trusted   bool   // the person's own file trusts the workspace
	own       config // what holds without the workspace's file
	agents    []agent
	origins   map[string]origin
	ignored   []string // what an untrusted workspace may not set, for people
	problems  []problem
}

// loadSettings reads the configuration. A mistake in a file is an Invalid error that names file and line.
func loadSettings(workspace string) (*settings, error) {
	set, err := readSettings(workspace)
	if err != nil {
		return nil, err
	}
	if len(set.problems) > 0 {
		return nil, set.problems[0].error()
	}
	return set, nil
}

// settings reads the configuration for a command and tells the person what of a workspace's is ignored.
func (s *shell) settings(workspace string) (*settings, error) {
	set, err := loadSettings(workspace)
	if err != nil {
		return nil, err
	}
	for _, line := range set.ignored {
		s.say("coppice: %s", line)
	}
	if len(set.ignored) > 0 {
		s.say("hint: this workspace is not trusted; to trust it add %s to trusted_workspaces in %s", set.Workspace, configPath())
	}
	return set, nil
}

// readSettings reads the configuration with all mistakes that are in it.
func readSettings(workspace string) (*settings, error) {
	workspace, err := filepath.Abs(workspace)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "find the workspace")
	}
	set := &settings{config: defaultConfig(), Workspace: workspace, origins: map[string]origin{}}
	data, err := readUserFile(configPath())
	if err != nil {
		return nil, err
	}
	set.apply(userConfigName, data, nil)
	set.Trusted = trusts(set.TrustedWorkspaces, workspace)
	set.own = set.config
	if data, err = readWorkspaceFile(workspace, filepath.FromSlash(workspaceConfigName)); err != nil {
		return nil, err
	}
	set.apply(workspaceConfigName, data, set.workspaceRule())
	set.checkWhole()
	return set, set.readAgents()
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

// workspaceRule says what a workspace may set over the person's own settings. A workspace comes from anybody: untrusted, it
// names no program, no address and no place for a key, it can only be stricter than the person, and it decides nothing about their
// library. It can never trust another workspace.
func (s *settings) workspaceRule() func(path, value string) bool {
	if s.Trusted {
		return func(path, _ string) bool { return path != "trusted_workspaces" }
	}
	own, steps := s.own, s.own.MaxSteps
	if steps == 0 {
		steps = defaultSteps
	}
	return func(path, value string) bool {
		switch path {
		case "trusted_workspaces", "providers", "mcp", "pricing", "sessions", "tools.sandbox", "idle_timeout":
			return false
		case "mode":
			return strictness(core.Mode(value)) >= strictness(own.Mode)
		case "tools.network", "local_servers":
			return value == "false"
		case "budget":
			var amount dollars
			return amount.UnmarshalText([]byte(value)) != nil || isLower(int64(amount), int64(own.Budget))
		case "timeout":
			var time span
			return time.UnmarshalText([]byte(value)) != nil || isLower(int64(time), int64(own.Timeout))
		case "max_steps":
			return isLower(wholeNumber(value), steps)
		case "max_tokens":
			return isLower(wholeNumber(value), own.MaxTokens)
		default:
			return true
		}
	}
}

// wholeNumber returns a number, and for anything else one that is no limit.
func wholeNumber(text string) int64 {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return number
}

// isLower says whether a limit is as strict as another one, where 0 is none.
func isLower(limit, than int64) bool { return than == 0 || (limit > 0 && limit <= than) }

// strictness orders the modes; one that is not known is refused elsewhere.
func strictness(mode core.Mode) int {
	return slices.Index([]core.Mode{core.ModeYolo, core.ModeConfirmSensitive, core.ModeConfirmAll, core.ModePlan}, mode)
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
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		if m := s.MCP[name]; (m.Command == "") == (m.URL == "") {
			s.mistake("mcp."+name, "needs a command or a url, one of them")
		} else if m.URL != "" && (len(m.Args) > 0 || len(m.Env) > 0) {
			s.mistake("mcp."+name, "args and env go with a command, not with a url")
		} else if m.Command != "" && len(m.Headers) > 0 {
			s.mistake("mcp."+name, "headers go with a url, not with a command")
		}
	}
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
func expand(value, where string) (string, error) {
	var missing []string
	expanded := variableUse.ReplaceAllStringFunc(value, func(use string) string {
		name := use[2 : len(use)-1]
		text, ok := os.LookupEnv(name)
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
func expandAll(values map[string]string, where string) (map[string]string, error) {
	expanded := make(map[string]string, len(values))
	var failed error
	for name, value := range values {
		text, err := expand(value, where+"."+name)
		failed = errors.Join(failed, err)
		expanded[name] = text
	}
	return expanded, failed
}
