package launch

import (
	"encoding/json"
	"testing"
	"time"

	"coppice/backend/engine"
	"coppice/backend/tools"
)

// TestPromptSize measures the system prompt and the tools of Coppice's agents, which every request contains, in bytes: about four
// are a token. docs/decisions/0022-prompts.md has the figures of other tools. Raise a limit only with a reason there.
func TestPromptSize(t *testing.T) {
	limits := map[string]struct{ system, tools int }{"build": {3_600, 11_000}, "plan": {2_000, 7_500}, "review": {2_000, 7_500}}
	box, err := tools.New(tools.Options{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	var all []engine.Tool
	for _, tool := range box.Tools() {
		all = append(all, tool)
	}
	for _, agent := range engine.Agents() {
		place := engine.Environment{
			WorkspacePath: "/home/ada/shop", System: "linux/amd64", Day: time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC).Format("2006-01-02, Monday"),
			Sandbox: "files confined by landlock; network off", Branch: "main",
		}
		system, specs := len(engine.SystemPrompt(agent, place, nil, false)), 0
		for _, tool := range engine.ChooseTools(agent, all) {
			data, err := json.Marshal(tool.Spec())
			if err != nil {
				t.Fatal(err)
			}
			specs += len(data)
		}
		t.Logf("%s: %d bytes of system prompt, %d of tools, about %d tokens", agent.Name, system, specs, (system+specs)/4)
		if limit := limits[agent.Name]; system > limit.system || specs > limit.tools {
			t.Errorf("%s: %d bytes of system prompt and %d of tools, more than %+v", agent.Name, system, specs, limit)
		}
	}
}
