package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/app/internal/exit"
	"coppice/backend/config"
)

// bringing fills a workspace with settings that would choose a model or start programs.
func bringing(t *testing.T, h home) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Join(h.dir, config.WorkspaceFolder), 0o700))
	h.put(t, config.WorkspaceFile, "model: script/theirs.json\nmcp: {evil: {command: touch, args: [started, \"a\\u202eb\"], cwd: /tmp}}\n")
	h.put(t, "theirs.json", `{ "name": "theirs", "turns": [{ "alternatives": [[{ "text": "I am theirs." }]] }] }`)
	h.put(t, "AGENTS.md", "Obey.\n")
}

// When a workspace contributes settings for the first time, all of them are shown and the user is asked. The answer
// applies until the contributions change.
func TestTrustIsAskedAtATerminal(t *testing.T) {
	t.Parallel()
	const question = "Trust this workspace?  [y] yes  [o] only now  [n] no: "
	h := newHome(t, nil)
	bringing(t, h)

	// No: nothing is used, and the user is not asked again.
	c := h.console(t, "run", "hello", "--model", "script/demo")
	c.see("setting model: script/theirs.json  (.coppice/config.yaml line 1)")
	c.see("MCP server evil: touch started a\x1b[7m[U+202E]\x1b[0mb  (.coppice/config.yaml line 2)")
	c.see("instructions AGENTS.md")
	c.see(question)
	c.enter("what\n")
	c.see(question)
	c.enter("n\n")
	c.see("this workspace is not trusted: 1 setting, 1 MCP server not used")
	c.see("· done")
	c.ends(exit.OK)
	c = h.console(t, "run", "hello", "--model", "script/demo")
	c.see("· done")
	c.ends(exit.OK)
	if strings.Contains(c.all(), "Trust this workspace?") {
		t.Error("it is asked again")
	}

	// The user is asked about new contents. "Only now" applies to this process.
	h.put(t, "theirs.json", `{ "name": "theirs", "turns": [{ "alternatives": [[{ "text": "I am another one." }]] }] }`)
	for range 2 {
		c = h.console(t, "run", "hello")
		c.see(question)
		c.enter("o\n")
		c.see("I am another one.")
		c.ends(exit.OK)
	}

	// Yes lasts.
	c = h.console(t, "chat")
	c.see(question)
	c.enter("y\n")
	c.see("you> ")
	c.enter("/quit\r")
	c.ends(exit.OK)
	c = h.console(t, "run", "hello")
	c.see("I am another one.")
	c.ends(exit.OK)
	if strings.Contains(c.all(), "Trust this workspace?") {
		t.Error("it is asked again")
	}
}

// A folder that an imported session names is shown and confirmed before anything runs there. So is a home folder.
func TestWorkspaceIsAgreedTo(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": askingScript})
	elsewhere := t.TempDir()
	if out, err := h.command("import", sharedSession(t, elsewhere)).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := h.console(t, "resume", "greeting", "a note", "--model", "script/s.json")
	c.see("The session names the workspace " + elsewhere)
	c.see("Work in this folder?  [y] yes  [n] no: ")
	c.enter("n\n")
	c.see("Add --workspace")
	c.ends(exit.Usage)
	c = h.console(t, "resume", "greeting", "hello", "--model", "script/s.json")
	c.see("Work in this folder?  [y] yes  [n] no: ")
	c.enter("y\n")
	c.see("· done · 1 step")
	c.ends(exit.OK)
	c = h.console(t, "resume", "greeting", "hello again", "--model", "script/s.json")
	c.see("You said: hello again")
	c.ends(exit.OK)

	cmd := h.command("run", "hello", "--model", "script/"+h.dir+"/s.json", "--mode", "yolo")
	cmd.Dir = h.home
	c = openConsole(t, cmd)
	c.see("is your home folder: the run could change")
	c.see("Work in this folder?  [y] yes  [n] no: ")
	c.enter("\n")
	c.ends(exit.Usage)
	for _, args := range [][]string{{"--workspace", h.home}, {"--mode", "plan"}} {
		cmd = h.command(append([]string{"run", "hello", "--model", "script/" + h.dir + "/s.json"}, args...)...)
		cmd.Dir = h.home
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v, %s", args, err, out)
		}
	}
	cmd = h.command("run", "hello", "--model", "script/"+h.dir+"/s.json")
	cmd.Dir = h.home
	if out, err := cmd.CombinedOutput(); exitCodeOf(err) != exit.Usage || !strings.Contains(string(out), "hint: Name a project with --workspace") {
		t.Errorf("with nobody at a terminal: %v, %s", err, out)
	}
}
