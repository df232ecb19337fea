package core

import (
	"path"
	"slices"
)

// Agent is a named role: its instructions to the model, and the tools and mode it may use.
type Agent struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"` // one line, for users
	Prompt      string `json:"prompt"`                // the beginning of the system prompt
	Model       string `json:"model,omitempty"`       // PROVIDER/MODEL; empty: the run's
	// Tools are the names of the tools it is given, with * for any characters, such as github__*. Empty: all.
	Tools  []string `json:"tools,omitempty"`
	Mode   Mode     `json:"mode"`
	Effort Effort   `json:"effort,omitempty"` // empty: the model's own
	Limits Budget   `json:"limits"`
	// Delegates are the names of the agents that it may give jobs to.
	Delegates []string `json:"delegates,omitempty"`
	// Compaction is when and how the context is compacted.
	Compaction CompactionSettings `json:"compaction,omitzero"`
}

// Allows reports whether the agent is given a tool of this name.
func (a Agent) Allows(tool string) bool {
	return len(a.Tools) == 0 || slices.ContainsFunc(a.Tools, func(pattern string) bool {
		matched, err := path.Match(pattern, tool)
		return err == nil && matched
	})
}
