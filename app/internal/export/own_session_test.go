package export

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/provider/script"
	"coppice/backend/sqlite"
	"coppice/backend/tools"
)

// probe is the task by which Session-Bench measures the size of a session.
const probe = "Reply with exactly the word: ok"

const ownScript = `{"name": "gates", "turns": [
	{"match": "the word: ok", "alternatives": [[{"text": "ok", "usage": {"inputTokens": 900, "outputTokens": 2}, "costNanoUsd": 812500}]]},
	{"match": "notes", "alternatives": [[
		{"reasoning": "The file has to be read. Über <b>\"alles\"</b> & 你好.", "text": "I read it.", "usage": {"inputTokens": 1000, "outputTokens": 20}, "costNanoUsd": 900000,
			"toolCalls": [{"name": "read_file", "arguments": {"path": "notes.txt"}}, {"name": "list_files", "arguments": {"path": "."}}]},
		{"text": "It has <many> lines: grün & 你好.", "usage": {"inputTokens": 1200, "outputTokens": 9, "cacheReadTokens": 1000}, "costNanoUsd": 700000}]]},
	{"alternatives": [[{"text": "And more.", "usage": {"inputTokens": 1300, "outputTokens": 3}, "costNanoUsd": 600000}]]}]}`

// freeOfCharge is a price list for scripts, which have costs of their own.
type freeOfCharge struct{}

func (freeOfCharge) Cost(string, string, core.Usage, int64) (int64, bool) { return 0, true }

// runTask runs a task with the agent build, its system prompt and its tools, and a scripted model. It continues the session, or begins one
// if id is empty.
func runTask(t *testing.T, db *sqlite.DB, id, prompt string) string {
	t.Helper()
	workspace := t.TempDir()
	if err := os.WriteFile(filepath.Join(workspace, "notes.txt"), []byte(strings.Repeat("one more line of notes\n", 4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(path, []byte(ownScript), 0o600); err != nil {
		t.Fatal(err)
	}
	box := apptest.Must(tools.New(tools.Options{Workspace: workspace}))(t)
	defer func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	}()
	var all []engine.Tool
	for _, tool := range box.Tools() {
		all = append(all, tool)
	}
	agents := engine.Agents()
	agent := agents[slices.IndexFunc(agents, func(a core.Agent) bool { return a.Name == "build" })]
	e := engine.Engine{Store: db, Price: freeOfCharge{}, Now: func() int64 { return time.Now().UnixMilli() }, Owner: engine.Self()}
	result := apptest.Must(e.Run(t.Context(), engine.Task{
		SessionID: id, Prompt: []core.Part{{Type: core.PartText, Text: prompt}}, Agent: agent,
		System:   engine.SystemPrompt(agent, engine.EnvironmentOf(workspace, "", time.Now()), nil, false),
		ModelRef: "script/gates", Model: script.New(apptest.Must(script.Open(path))(t)), Tools: engine.ChooseTools(agent, all),
		Mode: core.ModeYolo, WorkspacePath: workspace,
	}))(t)
	return result.SessionID
}

// runOwn runs sessions of Coppice: one with calls of tools, a long prompt and a second turn, and the probe.
func runOwn(t *testing.T, db *sqlite.DB) {
	t.Helper()
	id := runTask(t, db, "", "Read the notes, and compare them with these:\n"+strings.Repeat("a note that the user has pasted\n", 1500))
	runTask(t, db, id, "Go on")
	runTask(t, db, "", probe)
}
