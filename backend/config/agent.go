package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/lazyregexp"
)

// AgentsFolder holds agents, one file each, in the folder of the configuration and in that of a workspace.
const AgentsFolder = "agents"

// defaultSteps is the limit of an agent that names none.
const defaultSteps = 50

// maxAgents is how many files of a folder of agents are read, and maxExtends how many agents one may extend in a row: resolving takes the
// product of both.
const (
	maxAgents  = 1000
	maxExtends = 100
)

// Agent is an agent and the file that defines it.
type Agent struct {
	core.Agent
	Source string          // the file, as it is shown; empty: a built-in agent
	own    map[string]bool // the keys that override the configuration
	layer  int             // 0: built in, 1: the user's, 2: the workspace's
}

// agentFile is an agent as a file defines it. What it does not set comes from the agent that it extends.
type agentFile struct {
	Description string      `yaml:"description"`
	Extends     string      `yaml:"extends"`
	Prompt      string      `yaml:"prompt"`
	Model       string      `yaml:"model"`
	Tools       []string    `yaml:"tools"`
	Delegates   []string    `yaml:"delegates"`
	Mode        core.Mode   `yaml:"mode"`
	Effort      core.Effort `yaml:"effort"`
	Budget      Dollars     `yaml:"budget"`
	MaxSteps    int64       `yaml:"max_steps"`
	MaxTokens   int64       `yaml:"max_tokens"`
	Timeout     Duration    `yaml:"timeout"`
	Compaction  Compaction  `yaml:"compaction"`
}

// writtenAgent is a file that was read.
type writtenAgent struct {
	agentFile
	name  string
	file  string
	layer int
	own   map[string]bool
}

var agentForm = lazyregexp.New(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

// readAgents reads the agents that the user has written, and those of the workspace.
func (s *Settings) readAgents(withWorkspace bool) error {
	for _, a := range engine.Agents() {
		s.Agents = append(s.Agents, Agent{Agent: a, own: map[string]bool{"mode": a.Mode == core.ModePlan}})
	}
	user, err := s.readAgentFolder(1, os.DirFS(Folder()), AgentsFolder, AgentsFolder)
	if err != nil {
		return err
	}
	s.Agents = append(s.Agents, s.complete(user, s.Agents)...)
	if !withWorkspace {
		s.checkDelegates()
		return nil
	}
	root, err := openWorkspace(s.Workspace)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	folder := path.Join(WorkspaceFolder, AgentsFolder)
	theirs, err := s.readAgentFolder(2, root.FS(), folder, folder)
	if err != nil {
		return err
	}
	s.Agents = append(s.Agents, s.complete(theirs, s.Agents)...)
	s.checkDelegates()
	return nil
}

// checkDelegates finds agents that give jobs to others that do not exist.
func (s *Settings) checkDelegates() {
	for _, a := range s.Agents {
		for _, name := range a.Delegates {
			if _, found := FindAgent(s.Agents, name); !found {
				s.Problems = append(s.Problems, Problem{origin{File: a.Source}, fmt.Sprintf("delegates: unknown agent %q", name), "one of: " + strings.Join(s.agentNames(), ", ")})
			}
		}
	}
}

func (s *Settings) agentNames() []string {
	var names []string
	for _, a := range s.AllAgents() {
		names = append(names, a.Name)
	}
	return names
}

// readAgentFolder reads the files of a folder; none if the folder does not exist.
func (s *Settings) readAgentFolder(layer int, files fs.FS, folder, shown string) ([]writtenAgent, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, core.Wrap(core.Invalid, err, "read the agents in %s", shown)
	}
	var agents []writtenAgent
	for _, entry := range entries {
		name, isYAML := strings.CutSuffix(entry.Name(), ".yaml")
		if !isYAML {
			name, isYAML = strings.CutSuffix(entry.Name(), ".yml")
		}
		if !isYAML || entry.IsDir() {
			continue
		}
		if len(agents) == maxAgents {
			s.Problems = append(s.Problems, Problem{origin{File: shown}, fmt.Sprintf("the folder holds more than %d agents", maxAgents), "remove the others"})
			break
		}
		file := path.Join(shown, entry.Name())
		if !agentForm.MatchString(name) {
			s.Problems = append(s.Problems, Problem{origin{File: file}, "invalid name of an agent", "small letters, digits, - and _"})
			continue
		}
		data, err := readBounded(files, path.Join(folder, entry.Name()))
		if err != nil {
			return nil, core.Wrap(core.Invalid, err, "read the agent %s", file)
		}
		agents = append(agents, s.readAgent(writtenAgent{name: name, file: file, layer: layer}, data))
	}
	return agents, nil
}

func readBounded(files fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFileBytes {
		return nil, core.E(core.Invalid, "not a file of at most %d bytes", maxFileBytes)
	}
	return fs.ReadFile(files, name)
}

func (s *Settings) readAgent(w writtenAgent, data []byte) writtenAgent {
	reader := &strictYAML{file: w.file, checks: checks(), origins: map[string]origin{}}
	reader.read(data, &w.agentFile)
	for _, pattern := range w.Tools {
		if _, err := path.Match(pattern, ""); err != nil {
			at := reader.origins["tools"]
			reader.problems = append(reader.problems, Problem{at, "tools: " + "invalid pattern " + pattern, ""})
		}
	}
	s.Problems = append(s.Problems, reader.problems...)
	w.own = map[string]bool{}
	for key := range reader.origins {
		w.own[key] = true
	}
	if err := checkCompaction(w.compaction()); err != nil {
		s.Problems = append(s.Problems, Problem{firstOrigin(reader.origins, w.file), err.Error(), core.HintOf(err)})
	}
	return w
}

// complete fills each agent from the one that it extends: another one of the same folder, or one of those
// before. Its own name means the one before.
func (s *Settings) complete(written []writtenAgent, before []Agent) []Agent {
	var complete []Agent
	for _, w := range written {
		chain, base, wrong := chainOf(w, written, before)
		if wrong != "" {
			s.Problems = append(s.Problems, Problem{origin{File: w.file}, wrong, "name an agent of this folder, or one of the built-in agents"})
			continue
		}
		a := Agent{Agent: base.Agent, Source: w.file, layer: w.layer, own: map[string]bool{}}
		for key, own := range base.own {
			a.own[key] = own
		}
		for _, link := range slices.Backward(chain) {
			link.over(&a)
		}
		a.Name = w.name
		if strings.TrimSpace(a.Prompt) == "" {
			s.Problems = append(s.Problems, Problem{origin{File: w.file}, "the agent has no prompt", "give it a prompt, or extends: build"})
			continue
		}
		complete = append(complete, a)
	}
	return complete
}

// chainOf follows extends, from an agent to the one that comes with Coppice or extends nothing.
func chainOf(w writtenAgent, written []writtenAgent, before []Agent) (chain []writtenAgent, base Agent, wrong string) {
	for {
		chain = append(chain, w)
		if len(chain) > maxExtends {
			return nil, Agent{}, fmt.Sprintf("it extends more than %d agents", maxExtends)
		}
		name := w.Extends
		if name == "" {
			return chain, Agent{Agent: core.Agent{Limits: core.Budget{Steps: defaultSteps}}}, ""
		}
		next := slices.IndexFunc(written, func(other writtenAgent) bool { return other.name == name && name != w.name })
		if next < 0 {
			base, found := FindAgent(before, name)
			if !found {
				return nil, Agent{}, "it extends " + name + ", which is not an agent"
			}
			return chain, base, ""
		}
		w = written[next]
		if slices.ContainsFunc(chain, func(other writtenAgent) bool { return other.name == w.name }) {
			return nil, Agent{}, "it extends itself by way of " + name
		}
	}
}

// compaction returns what the file sets of the compaction.
func (w *writtenAgent) compaction() core.CompactionSettings {
	return w.Compaction.settings(func(key string) bool { return w.own[key] })
}

// over applies what a file sets to an agent.
func (w *writtenAgent) over(a *Agent) {
	a.Compaction = w.compaction().Over(a.Compaction)
	a.Description = cmp.Or(w.Description, a.Description)
	a.Prompt = cmp.Or(w.Prompt, a.Prompt)
	a.Model = cmp.Or(w.Model, a.Model)
	a.Mode = cmp.Or(w.Mode, a.Mode)
	a.Effort = cmp.Or(w.Effort, a.Effort)
	if w.own["tools"] {
		a.Tools = w.Tools
	}
	if w.own["delegates"] {
		a.Delegates = w.Delegates
	}
	for key, set := range limitsOf(&a.Limits) {
		if w.own[key] {
			*set = w.limit(key)
		}
	}
	for key := range w.own {
		a.own[key] = true
	}
}

// limitsOf returns the fields of a budget by the keys that set them.
func limitsOf(b *core.Budget) map[string]*int64 {
	return map[string]*int64{"budget": &b.CostNanoUSD, "max_steps": &b.Steps, "max_tokens": &b.Tokens, "timeout": &b.TimeoutMs}
}

func (f *agentFile) limit(key string) int64 {
	switch key {
	case "budget":
		return int64(f.Budget)
	case "max_steps":
		return f.MaxSteps
	case "max_tokens":
		return f.MaxTokens
	default:
		return f.Timeout.Milliseconds()
	}
}

// FindAgent returns the agent with a name. If several have it, the one that was read last wins.
func FindAgent(agents []Agent, name string) (Agent, bool) {
	for _, a := range slices.Backward(agents) {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// AllAgents returns the agents that can be named, built-in ones first, sorted by name.
func (s *Settings) AllAgents() []Agent {
	var all []Agent
	for i, a := range s.Agents {
		if !slices.ContainsFunc(s.Agents[i+1:], func(later Agent) bool { return later.Name == a.Name }) {
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b Agent) int {
		return cmp.Or(cmp.Compare(min(a.layer, 1), min(b.layer, 1)), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// Resolve returns the agent for a run; an empty name is the configured one. What the agent's own file sets overrides the
// configuration, and that overrides the built-in agents. An agent that only plans stays one.
func (s *Settings) Resolve(name string) (core.Agent, error) {
	name = cmp.Or(name, s.Agent)
	a, found := FindAgent(s.Agents, name)
	if !found {
		return core.Agent{}, core.E(core.Invalid, "unknown agent %q", name).WithHint("one of: %s", strings.Join(s.agentNames(), ", "))
	}
	a.Model = cmp.Or(a.Model, s.Model)
	a.Effort = cmp.Or(a.Effort, s.Effort)
	if !a.own["mode"] {
		a.Mode = cmp.Or(s.Mode, a.Mode)
	}
	a.Compaction = a.Compaction.Over(s.compaction())
	configured := core.Budget{CostNanoUSD: int64(s.Budget), Steps: s.MaxSteps, Tokens: s.MaxTokens, TimeoutMs: s.Timeout.Milliseconds()}
	values := limitsOf(&configured)
	for key, limit := range limitsOf(&a.Limits) {
		if !a.own[key] && *values[key] != 0 {
			*limit = *values[key]
		}
	}
	return a.Agent, nil
}
