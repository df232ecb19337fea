package config

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/provider/endpoint"
)

// ProviderEdit holds what a user sets for a provider. What is empty is removed from the file.
type ProviderEdit struct {
	Name     string            `json:"name"`
	Protocol endpoint.Protocol `json:"protocol"`
	BaseURL  string            `json:"baseUrl"`
	KeyEnv   string            `json:"keyEnv"`
}

// SaveProvider changes a provider in the user's file. Its headers and extra values stay.
func SaveProvider(e ProviderEdit) error {
	if !ProviderForm.MatchString(e.Name) {
		return core.E(core.Invalid, "invalid provider %q", e.Name).WithHint("small letters, digits, - and _")
	}
	return edit(func(top *yaml.Node) {
		put := fieldsAt(top, "providers", e.Name)
		put("protocol", text(string(e.Protocol)))
		put("base_url", text(e.BaseURL))
		put("key_env", text(e.KeyEnv))
		if left := nodeAt(top, "providers", e.Name); left != nil && len(left.Content) == 0 {
			removeNode(top, []string{"providers", e.Name})
		}
	})
}

// RemoveProvider removes a provider from the user's file.
func RemoveProvider(name string) error { return removeFrom("providers", name) }

// ServerEdit holds what a user sets for an MCP server. What is empty is removed from the file. A value Hidden in Env or
// Headers stays as it is in the file.
type ServerEdit struct {
	Name     string            `json:"name"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	Cwd      string            `json:"cwd"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Disabled bool              `json:"disabled"`
}

// Servers returns the MCP servers of the configuration, sorted by name. Values that may be secrets are Hidden.
func (s *Settings) Servers() []ServerEdit {
	servers := []ServerEdit{}
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		m := s.MCP[name]
		servers = append(servers, ServerEdit{
			Name: name, Command: m.Command, Args: lists.NonNil(m.Args), Env: masked(m.Env), Cwd: m.Cwd, URL: m.URL, Headers: masked(m.Headers), Disabled: m.Disabled,
		})
	}
	return servers
}

func masked(values map[string]string) map[string]string {
	shown := map[string]string{}
	for name, value := range values {
		shown[name] = Hidden
		if variableUse.MatchString(value) {
			shown[name] = value
		}
	}
	return shown
}

// SaveServer changes an MCP server in the user's file, or adds it. Its time limit stays.
func SaveServer(e ServerEdit) error {
	if e.Command == "" && e.URL == "" {
		return core.E(core.Invalid, "the MCP server %q needs a command or a URL", e.Name)
	}
	return edit(func(top *yaml.Node) {
		before := map[string]*yaml.Node{}
		for _, section := range []string{"env", "headers"} {
			before[section] = nodeAt(top, "mcp", e.Name, section)
		}
		put := fieldsAt(top, "mcp", e.Name)
		put("command", text(e.Command))
		put("args", list(e.Args))
		put("env", table(e.Env, before["env"]))
		put("cwd", text(e.Cwd))
		put("url", text(e.URL))
		put("headers", table(e.Headers, before["headers"]))
		put("disabled", flag(e.Disabled))
	})
}

// RemoveServer removes an MCP server from the user's file.
func RemoveServer(name string) error { return removeFrom("mcp", name) }

// AgentEdit holds what the file of an agent sets. What is empty is taken from the agent that it extends, or from the
// configuration.
type AgentEdit struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Extends     string      `json:"extends"`
	Prompt      string      `json:"prompt"`
	Model       string      `json:"model"`
	Mode        core.Mode   `json:"mode"`
	Effort      core.Effort `json:"effort"`
	Tools       []string    `json:"tools"` // patterns of names; empty: those of the agent that it extends, or all
	MaxSteps    int64       `json:"maxSteps"`
}

// UserAgents returns the agents that the user has written, sorted by name.
func UserAgents() ([]AgentEdit, error) {
	set := &Settings{}
	written, err := set.readAgentFolder(1, os.DirFS(Folder()), AgentsFolder, AgentsFolder)
	agents := []AgentEdit{}
	for _, w := range written {
		agents = append(agents, AgentEdit{
			Name: w.name, Description: w.Description, Extends: w.Extends, Prompt: w.Prompt, Model: w.Model, Mode: w.Mode, Effort: w.Effort,
			Tools: lists.NonNil(w.Tools), MaxSteps: w.MaxSteps,
		})
	}
	slices.SortFunc(agents, func(a, b AgentEdit) int { return cmp.Compare(a.Name, b.Name) })
	return agents, err
}

// SaveAgent changes the file of an agent of the user, or creates it. Its other limits and its compaction stay.
func SaveAgent(e AgentEdit) error {
	file, err := agentPath(e.Name)
	if err != nil {
		return err
	}
	shown := path.Join(AgentsFolder, filepath.Base(file))
	check := func(data []byte) []Problem { return checkAgent(e.Name, shown, data) }
	return editFile(file, shown, check, func(top *yaml.Node) {
		put := fieldsAt(top)
		put("description", text(e.Description))
		put("extends", text(e.Extends))
		put("prompt", text(e.Prompt))
		put("model", text(e.Model))
		put("mode", text(string(e.Mode)))
		put("effort", text(string(e.Effort)))
		put("tools", list(e.Tools))
		put("max_steps", number(e.MaxSteps))
	})
}

// RemoveAgent removes the file of an agent of the user; NotFound if it has none.
func RemoveAgent(name string) error {
	file, err := agentPath(name)
	if err != nil {
		return err
	}
	err = os.Remove(file)
	if errors.Is(err, fs.ErrNotExist) {
		return core.E(core.NotFound, "no agent %q of yours", name)
	}
	return core.Wrap(core.Unavailable, err, "remove the agent %s", name)
}

// agentPath returns the path of the file of an agent of the user, whether it exists or not.
func agentPath(name string) (string, error) {
	if !agentForm.MatchString(name) {
		return "", core.E(core.Invalid, "invalid name of an agent %q", name).WithHint("small letters, digits, - and _")
	}
	file := filepath.Join(Folder(), AgentsFolder, name)
	if _, err := os.Stat(file + ".yml"); err == nil {
		return file + ".yml", nil
	}
	return file + ".yaml", nil
}

// checkAgent returns the mistakes in the file of an agent, among the other agents of the user.
func checkAgent(name, shown string, data []byte) []Problem {
	set, err := ReadUser()
	if err != nil {
		return []Problem{{text: err.Error()}}
	}
	others, err := (&Settings{}).readAgentFolder(1, os.DirFS(Folder()), AgentsFolder, AgentsFolder)
	if err != nil {
		return []Problem{{text: err.Error()}}
	}
	builtIn := slices.DeleteFunc(set.Agents, func(a Agent) bool { return a.layer > 0 })
	written := slices.DeleteFunc(others, func(w writtenAgent) bool { return w.name == name })
	alone := &Settings{}
	w := alone.readAgent(writtenAgent{name: name, file: shown, layer: 1}, data)
	if len(alone.Problems) == 0 {
		alone.complete(append(written, w), builtIn)
	}
	return slices.DeleteFunc(alone.Problems, func(p Problem) bool { return p.File != shown && p.File != "" })
}

// removeFrom removes a name from a section of the user's file, and the section if it is empty then.
func removeFrom(section, name string) error {
	return edit(func(top *yaml.Node) {
		removeNode(top, []string{section, name})
		if rest := valueOf(top, section); rest != nil && rest.Kind == yaml.MappingNode && len(rest.Content) == 0 {
			removeNode(top, []string{section})
		}
	})
}

// fieldsAt returns a function that sets a field of a mapping, or removes it if the value is nil.
func fieldsAt(top *yaml.Node, keys ...string) func(name string, value *yaml.Node) {
	return func(name string, value *yaml.Node) {
		at := append(slices.Clone(keys), name)
		if value == nil {
			removeNode(top, at)
			return
		}
		putNode(top, at, value)
	}
}

// nodeAt returns the value at a key of nested mappings, or nil.
func nodeAt(at *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if at == nil || at.Kind != yaml.MappingNode {
			return nil
		}
		at = valueOf(at, key)
	}
	return at
}

// text returns a node for a text, nil if it is empty.
func text(value string) *yaml.Node {
	if value == "" {
		return nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

func number(value int64) *yaml.Node {
	if value == 0 {
		return nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(value, 10)}
}

func flag(on bool) *yaml.Node {
	if !on {
		return nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"}
}

func list(values []string) *yaml.Node {
	if len(values) == 0 {
		return nil
	}
	node := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, value := range values {
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value})
	}
	return node
}

// table returns a mapping sorted by name. A value Hidden is taken from before.
func table(values map[string]string, before *yaml.Node) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: values[name]}
		if values[name] == Hidden {
			if value = nodeAt(before, name); value == nil {
				continue
			}
		}
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, value)
	}
	if len(node.Content) == 0 {
		return nil
	}
	return node
}
