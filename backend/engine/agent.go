package engine

import (
	"embed"
	"path"
	"slices"

	"coppice/backend/core"
)

// DefaultAgent is the agent of a run that names none.
const DefaultAgent = "build"

// Agent is a named role: its instructions to the model, and the tools and mode it may use.
type Agent struct {
	Name        string
	Description string // one line, for users
	Prompt      string // the beginning of the system prompt
	Model       string // PROVIDER/MODEL; empty: the run's
	// Tools are the names of the tools it is given, with * for any characters, such as github__*. Empty: all.
	Tools  []string
	Mode   core.Mode
	Effort core.Effort // empty: the model's own
	Limits core.Budget
}

//go:embed agents/*.md
var prompts embed.FS

// readTools are the tools that change nothing.
func readTools() []string {
	return []string{"read_file", "list_files", "find_files", "search", "todo"}
}

// Agents returns the agents that are built into Coppice.
func Agents() []Agent {
	return []Agent{
		{
			Name: "build", Description: "Does a task from beginning to end, with all tools",
			Prompt: promptOf("build"), Mode: core.ModeConfirmSensitive, Limits: core.Budget{Steps: 50},
		},
		{
			Name: "plan", Description: "Reads the workspace and works out a plan; changes nothing",
			Prompt: promptOf("plan"), Tools: readTools(), Mode: core.ModePlan, Limits: core.Budget{Steps: 20},
		},
		{
			// run_command lets it run git diff: in mode plan only commands that are known to be safe run.
			Name: "review", Description: "Looks for what is wrong in a change or in code; changes nothing",
			Prompt: promptOf("review"), Tools: append(readTools(), "run_command"), Mode: core.ModePlan, Limits: core.Budget{Steps: 20},
		},
	}
}

func promptOf(name string) string {
	text, err := prompts.ReadFile("agents/" + name + ".md")
	if err != nil { // it is embedded
		return ""
	}
	return string(text)
}

// Allows reports whether the agent is given a tool of this name.
func (a Agent) Allows(tool string) bool {
	return len(a.Tools) == 0 || slices.ContainsFunc(a.Tools, func(pattern string) bool {
		matched, err := path.Match(pattern, tool)
		return err == nil && matched
	})
}

// Choose returns the tools that the agent is given, in their order.
func (a Agent) Choose(tools []Tool) []Tool {
	var chosen []Tool
	for _, tool := range tools {
		if a.Allows(tool.Spec().Name) {
			chosen = append(chosen, tool)
		}
	}
	return chosen
}
