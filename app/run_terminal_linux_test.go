package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"coppice/app/internal/exit"
	"coppice/app/term"
	"coppice/backend/core"
)

// The scripts for the models of these tests.
const (
	askingScript = `{ "name": "asking", "turns": [
  { "match": "note", "alternatives": [[
    { "text": "I write.", "toolCalls": [{ "name": "write_file", "arguments": { "path": "docs/{{turn}}.md", "content": "one\n" } }] },
    { "text": "The tool said: {{result}}" }
  ]] },
  { "match": "command", "alternatives": [[
    { "text": "I run it.", "toolCalls": [{ "name": "run_command", "arguments": { "command": "touch made-{{turn}}" } }] },
    { "text": "It said: {{result}}" }
  ]] },
  { "alternatives": [[{ "text": "You said: {{prompt}}" }, { "text": "There is nothing to add to {{prompt}}." }]] }
] }`
	slowScript = `{ "name": "slow", "tokensPerSecond": 20, "turns": [
  { "match": "work", "alternatives": [[
    { "text": "First.", "toolCalls": [{ "name": "list_files", "arguments": { "path": "." } }] },
    { "text": "This is a long answer that is written so slowly that there is time enough to stop it in the middle of what it says, well before its end." },
    { "text": "The end." }
  ]] },
  { "match": "sleep", "alternatives": [[
    { "text": "I run it.", "toolCalls": [{ "name": "run_command", "arguments": { "command": "echo begun > begun; sleep 60" } }] },
    { "text": "It said: {{result}}" }
  ]] },
  { "alternatives": [[{ "text": "You said: {{prompt}}" }]] }
] }`
)

// endlessScript is slowScript with an answer of two minutes, so that even a busy machine has time to end it from
// outside.
func endlessScript() string {
	const end = "well before its end."
	return strings.Replace(slowScript, end, end+strings.Repeat(" And it goes on.", 600), 1)
}

// sessions returns the sessions of a home, newest first.
func (h home) sessions(t *testing.T) []core.Session {
	t.Helper()
	cmd := h.command("sessions", "--json")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []core.Session
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPermissionsAtATerminal(t *testing.T) {
	t.Parallel()
	const (
		question     = "[y] once  [s] this session  [w] this workspace  [a] always  [n] no: "
		fileQuestion = "[y] once  [s] this session  [w] this workspace  [n] no: "
	)
	h := newHome(t, map[string]string{"s.json": askingScript})

	c := h.console(t, "run", "a note", "--model", "script/s.json")
	c.see("Permit? Write docs/1.md")
	c.see("\x1b[32m+one")
	c.see(fileQuestion)
	c.enter("what?\n")
	c.see(fileQuestion)
	c.enter("y\n")
	c.see("The tool said: Created docs/1.md")
	c.ends(exit.OK)

	// "Once" covers one call: the same session asks again. A permission for the folder covers the next file too, also
	// in the next process.
	id := h.sessions(t)[0].ID
	c = h.console(t, "resume", id, "a second note")
	c.see(fileQuestion)
	c.enter("s\n")
	c.see("Remember it for  [p] every file below docs/ of this workspace  [t] this only: ")
	c.enter("p\n")
	c.see("Created docs/2.md")
	c.ends(exit.OK)
	c = h.console(t, "resume", id, "a third note")
	c.see("Created docs/3.md")
	c.ends(exit.OK)

	// The permission does not cover another session. A refusal carries its reason.
	c = h.console(t, "run", "a note for another session", "--model", "script/s.json")
	c.see(fileQuestion)
	c.enter("n\n")
	c.see("Why not? The model is told (Enter: no reason): ")
	c.enter("write it elsewhere\n")
	c.see("The tool said: Permission denied: write it elsewhere")
	c.ends(exit.OK)

	// A permission for this workspace and only this command, and a permission that lasts for all commands with the
	// prefix.
	c = h.console(t, "run", "a command", "--model", "script/s.json")
	c.see("Permit? Run touch made-1")
	c.see(question)
	c.enter("w\n")
	c.see("[p] every command that begins with touch  [t] this only: ")
	c.enter("t")
	c.see("It said: (exit code 0")
	c.ends(exit.OK)
	c = h.console(t, "run", "a command", "--model", "script/s.json")
	c.see("It said: (exit code 0")
	c.ends(exit.OK)
	c = h.console(t, "resume", h.sessions(t)[0].ID, "another command")
	c.see("Permit? Run touch made-2")
	c.enter("a\np\n")
	c.see("It said: (exit code 0")
	c.ends(exit.OK)
	c = h.console(t, "run", "a command", "--model", "script/s.json", "--workspace", t.TempDir())
	c.see("It said: (exit code 0")
	c.ends(exit.OK)

	// The end of the input refuses the call. Ctrl+C stops the run, which asks again when it resumes.
	c = h.console(t, "run", "a note", "--model", "script/s.json")
	c.see(fileQuestion)
	c.enter("\x04")
	c.see("The tool said: Permission denied.")
	c.ends(exit.OK)
	c = h.console(t, "run", "a note", "--model", "script/s.json")
	c.see(fileQuestion)
	c.enter("\x03")
	c.see("continue with: coppice resume ")
	c.ends(exit.Interrupted)
}

func TestQuestionsWithoutColor(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": askingScript})
	cmd := h.command("run", "a note", "--model", "script/s.json")
	cmd.Env = append(cmd.Env, "NO_COLOR=1")
	c := openConsole(t, cmd)
	c.see("+one")
	c.enter("y\n")
	c.see("Created docs/1.md")
	c.ends(exit.OK)
	if found := colors.FindString(c.all()); found != "" { // others move the cursor
		t.Errorf("%q in %q", found, c.all())
	}
}

func TestHumanInTheLoop(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": askingScript})
	c := h.console(t, "run", "--hitl", "hello", "--model", "script/s.json")
	c.see("You said: hello")
	c.see("[HITL] Press Enter to continue, type a message to inject it, or 'q' to quit: ")
	c.enter("and this\n")
	c.see("You said: and this")
	c.see(term.ReviewQuestion)
	c.enter("\n")
	c.see("· done · 2 steps")
	c.ends(exit.OK)

	// After q the session can be continued. An injected message is a message of the user.
	c = h.console(t, "run", "--hitl", "hello", "--model", "script/s.json")
	c.see(term.ReviewQuestion)
	c.enter("q\n")
	c.see("continue with: coppice resume ")
	c.ends(exit.Partial)
	all := h.sessions(t)
	if all[0].Status != core.StatusPartial || all[0].StopReason != string(core.StopHITLQuit) {
		t.Errorf("after q: %s %s", all[0].Status, all[0].StopReason)
	}
	if out, err := h.command("show", all[1].ID, "--json").Output(); err != nil || !bytes.Contains(out, []byte(`"name":"Human"`)) {
		t.Errorf("nobody said it: %s %v", out, err)
	}
	c = h.console(t, "resume", all[0].ID)
	c.see("There is nothing to add to hello.")
	c.ends(exit.OK)
}

func TestInterrupts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		signal os.Signal
		reason core.StopReason
	}{{"Ctrl+C", os.Interrupt, core.StopUserInterrupt}, {"the system", syscall.SIGTERM, core.StopTerminated}} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, map[string]string{"s.json": endlessScript()})
			c := h.console(t, "run", "the work", "--model", "script/s.json", "--output", "log.md")
			c.see("long answer")
			if tc.signal == os.Interrupt {
				c.enter("\x03")
			} else if err := c.cmd.Process.Signal(tc.signal); err != nil {
				t.Fatal(err)
			}
			c.see("· interrupted · 2 steps")
			c.see("continue with: coppice resume ")
			c.ends(exit.Interrupted)
			one := h.sessions(t)[0]
			if one.Status != core.StatusInterrupted || one.StopReason != string(tc.reason) || one.MessageCount != 4 {
				t.Errorf("%s %s with %d messages", one.Status, one.StopReason, one.MessageCount)
			}
			if log, err := os.ReadFile(filepath.Join(h.dir, "log.md")); err != nil || !bytes.Contains(log, []byte("long answer")) {
				t.Errorf("the transcript is %s, %v", log, err)
			}
			h.put(t, "s.json", slowScript)
			c = h.console(t, "resume", one.ID)
			c.see("This is a long answer")
			c.ends(exit.OK)
			if one = h.sessions(t)[0]; one.Status != core.StatusSuccess {
				t.Errorf("after the resume: %s", one.Status)
			}
		})
	}
}

// TestInterruptTwice requires that the second interrupt ends the program at once, whatever a tool does, and that no
// finished work is lost.
func TestInterruptTwice(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": endlessScript()})
	c := h.console(t, "run", "the work", "--model", "script/s.json")
	c.see("long answer")
	c.enter("\x03\x03")
	c.ends(exit.Interrupted)
	if one := h.sessions(t)[0]; one.Status != core.StatusInterrupted {
		t.Errorf("the session is %s", one.Status)
	}
}

func TestKilledRunIsShownAndPicked(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": endlessScript()})
	c := h.console(t, "run", "the work", "--model", "script/s.json")
	c.see("long answer")

	// A second process reports which process runs the session.
	one := h.sessions(t)[0]
	second := h.command("resume", one.ID)
	said, err := second.CombinedOutput()
	if exitCodeOf(err) != exit.Failed || !bytes.Contains(said, []byte("is being continued by process")) || !bytes.Contains(said, []byte("hint: wait until it ends")) {
		t.Errorf("%d: %s", exitCodeOf(err), said)
	}
	if one.Status != core.StatusRunning {
		t.Errorf("a session that runs is %s", one.Status)
	}
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.cmd.Wait()
	if one = h.sessions(t)[0]; one.Status != core.StatusInterrupted {
		t.Errorf("after kill -9 it is %s", one.Status)
	}

	// Without an id, coppice resume offers the session.
	h.put(t, "s.json", slowScript)
	c = h.console(t, "resume")
	c.see("STATUS")
	c.see("interrupted")
	c.see("the work")
	c.enter("\r")
	c.see("Resuming session " + one.ID[:13])
	c.see("This is a long answer")
	c.ends(exit.OK)
	c = h.console(t, "resume")
	c.see("no session is unfinished")
	c.ends(exit.Usage)
}

func TestProgressGivesWay(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": strings.ReplaceAll(slowScript, `"text": "First."`, `"delayMs": 400, "text": "First."`)})
	c := h.console(t, "run", "the work", "--model", "script/s.json")
	c.see("step 1 · 0:00 · waiting for the model")
	c.see("\r\x1b[K")
	c.see("▸\x1b[0m list_files .  ")
	c.ends(exit.OK)
	lines := strings.Split(strings.TrimRight(c.all(), "\r\n"), "\n")
	if last := lines[len(lines)-1]; strings.Contains(last, "step 1 ·") || !strings.Contains(last, "done · 2 steps") {
		t.Errorf("the last line is %q", last)
	}
}
