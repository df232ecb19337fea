package engine

import (
	"embed"
	"slices"

	"coppice/backend/core"
)

// DefaultAgent is the agent of a run that names none.
const DefaultAgent = "build"

//go:embed agents/*.md
var prompts embed.FS

// lookTools are the tools of agents that change nothing. run_command lets them read the history with git: in mode plan only commands
// that are known to change nothing run.
func lookTools() []string {
	return []string{"read_file", "list_files", "find_files", "search", "todo", "run_command", "read_skill", "web_fetch"}
}

// Agents returns the agents that are built into Coppice.
func Agents() []core.Agent {
	return []core.Agent{
		{
			Name: "build", Description: "Does a task from beginning to end, with all tools",
			Prompt: promptOf("build"), Mode: core.ModeConfirmSensitive, Limits: core.Budget{Steps: 50},
		},
		{
			Name: "plan", Description: "Reads the workspace and works out a plan; changes nothing",
			Prompt: promptOf("plan"), Tools: lookTools(), Mode: core.ModePlan, Limits: core.Budget{Steps: 20},
		},
		{
			Name: "review", Description: "Looks for what is wrong in a change or in code; changes nothing",
			Prompt: promptOf("review"), Tools: lookTools(), Mode: core.ModePlan, Limits: core.Budget{Steps: 20},
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

// readOutputTool reads what was left out of the results of other tools.
const readOutputTool = "read_output"

// ChooseTools returns the tools that an agent is given, in their order. An agent that has tools can read their whole output, too.
func ChooseTools(agent core.Agent, tools []Tool) []Tool {
	var chosen []Tool
	hasTools := slices.ContainsFunc(tools, func(tool Tool) bool { return agent.Allows(tool.Spec().Name) })
	for _, tool := range tools {
		if name := tool.Spec().Name; agent.Allows(name) || name == readOutputTool && hasTools {
			chosen = append(chosen, tool)
		}
	}
	return chosen
}
