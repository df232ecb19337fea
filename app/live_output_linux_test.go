package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/app/internal/exit"
	"coppice/backend/core"
)

// printingScript is the script for a model that runs a command, which prints and then waits for a file named "go".
const printingScript = `{ "name": "printing", "turns": [{ "alternatives": [[
  { "text": "I build it.", "toolCalls": [{ "name": "run_command", "arguments": { "command":
    "printf '\\033[32mgreen\\033[0m \\033]0;title\\007line\\n'; printf '\\r15%%\\r30%%\\r45%%\\n'; printf 'b\\007l\\342\\200\\256r\\n'; until [ -e go ]; do sleep 0.1; done; echo ended" } }] },
  { "text": "It is built." }
]] }] }`

// TestLiveOutput runs a command that waits until its output is on the screen.
func TestLiveOutput(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": printingScript})
	c := h.console(t, "run", "build it", "--model", "script/s.json", "--mode", "yolo")
	c.see("│ 45%")
	c.see("│ b␇l[U+202E]r")
	live := c.all()
	if !strings.Contains(live, "│ green line") || strings.Contains(live, "30%") {
		t.Errorf("the screen shows %q", live)
	}
	id := h.sessions(t)[0].ID
	if out, err := h.command("show", id, "--json").Output(); err != nil || strings.Contains(string(out), "tool_result") || !strings.Contains(string(out), "tool_call") {
		t.Errorf("while the command runs, %v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(h.dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.see("│ ended")
	c.see("It is built.")
	c.ends(exit.OK)
	seen := newScreen(100, consoleHeight)
	if err := seen.write(c.all()); err != nil {
		t.Fatal(err)
	}
	if shown := strings.Join(seen.lines(), "\n"); !strings.Contains(shown, "│ 45%\n│ b␇l[U+202E]r\n│ ended\n") || strings.Contains(shown, "green line") {
		t.Errorf("in the end the screen shows\n%s", shown)
	}
}

// TestStopWhileACommandPrints stops a command whose output is on the screen.
func TestStopWhileACommandPrints(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": printingScript})
	c := h.console(t, "run", "build it", "--model", "script/s.json", "--mode", "yolo")
	c.see("│ 45%")
	c.enter("\x03")
	c.see("continue with: ")
	c.ends(exit.Interrupted)
	session := h.sessions(t)[0]
	out, err := h.command("show", session.ID, "--json").Output()
	if err != nil || session.Status != core.StatusInterrupted || !strings.Contains(string(out), `45%\n`) {
		t.Errorf("%s %v: %s", session.Status, err, out)
	}
}
