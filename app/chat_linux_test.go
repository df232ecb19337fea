package app

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"coppice/app/internal/exit"
	"coppice/backend/core"
)

func TestChatAtATerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": slowScript})
	c := h.console(t, "chat", "--model", "script/s.json")
	c.see("build · script/s.json · confirm-sensitive")
	c.see("you> ")
	c.enter("hello\\\r")
	c.see("...> ")
	c.enter("world\r")
	c.see("You said: hello world")
	c.see("you> ")

	// Ctrl+C stops the current answer, and /continue resumes it.
	c.enter("the work\r")
	c.see("long answer")
	c.enter("\x03")
	c.see("· interrupted · 2 steps")
	c.see("you> ")
	c.enter("/continue\r")
	c.see("This is a long answer")
	c.see("· done · ")
	c.see("you> ")

	// Completion, the tree, moving back to a label.
	c.enter("/lab\tmid way\r")
	c.see("Labeled current node.")
	c.enter("/branch n0\r")
	c.see("Branched from n0 (2 messages)")
	c.enter("/branch mi\t\r")
	c.see("/branch mid way")
	c.see("Branched from n1 ")
	c.enter("/t\t")
	c.see("/tree  /tools")
	c.enter("ree\r")
	c.see("(2 msgs)")
	c.see("[mid way]")

	// The history returns what was entered before. /edit starts with the text of the last prompt.
	c.enter("\x1b[A\x1b[A\x1b[A\x1b[A\x01\x0b/branch n0\r")
	c.see("Branched from n0")
	c.enter("hel\x1b[A\r")
	c.see("hello")
	c.see("You said: hello world")
	c.see("you> ")
	c.enter("/edit\r")
	c.see("edit> \x1b[0mhello")
	c.enter(", again\r")
	c.see("You said: hello world, again")

	// Ctrl+C discards the current line. Twice in an empty line, it ends the chat.
	c.see("you> ")
	c.enter("never mind\x03")
	c.see("you> ")
	c.enter("\x03")
	c.see("Ctrl+C again")
	c.enter("\x03")
	c.see("Resume with: coppice chat --resume ")
	c.ends(exit.OK)

	one := h.sessions(t)[0]
	if one.TurnCount != 4 || one.Status != core.StatusSuccess {
		t.Errorf("%d turns, %s", one.TurnCount, one.Status)
	}
	past, err := os.ReadFile(filepath.Join(h.home, ".local", "state", "coppice", "chat_history"))
	if err != nil || !strings.Contains(string(past), `"hello\nworld"`) || strings.Contains(string(past), "never mind") {
		t.Errorf("the history is %s, %v", past, err)
	}
	if info, err := os.Stat(filepath.Join(h.home, ".local", "state", "coppice", "chat_history")); err == nil && info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the history: %v", info.Mode())
	}

	c = h.console(t, "chat", "--continue")
	c.see("Resumed session " + one.ID[:13])
	c.see("you> \x1b[0mhello")
	c.see("\r\nYou said: hello world, again")
	c.see("you> ")
	c.enter("\x04")
	c.see("Resume with: ")
	c.ends(exit.OK)
}

// TestChatPicksASession lets the user choose at the start of a chat and within it.
func TestChatPicksASession(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": slowScript})
	for _, name := range []string{"first", "second"} {
		if said, err := h.command("run", name+" task", "--name", name, "--model", "script/demo").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	c := h.console(t, "chat", "--resume", "--model", "script/demo")
	c.see("Which session?")
	c.see("NAME")
	c.see("❯ ")
	c.see("second task")
	c.see("first task")
	c.enter("\x1b[B")
	c.see("❯ now")
	c.enter("\r")
	c.see("Resumed session ")
	c.see("first task")
	c.see("Coppice · first · build")
	c.see("you> ")
	c.enter("/resume\r")
	c.see("Which session?")
	c.enter("\r") // the newest one
	c.see("Resumed session ")
	c.see("second task")
	c.see("you> ")
	c.enter("/resume\r")
	c.see("Which session?")
	c.enter("nothing like it\r") // Enter chooses nothing of nothing
	c.see("nothing matches")
	c.enter("\x15")
	c.see("second task")
	c.enter("fir")
	c.see("search: fir▏")
	c.enter("\x1b")
	c.see("no session was chosen")
	c.see("you> ")
	c.enter("/resume\r")
	c.see("Which session?")
	c.enter("first task\r")
	c.see("Resumed session ")
	c.see("first task")
	c.see("you> ")
	c.enter("/resume\r")
	c.see("Which session?")
	c.enter("\x03")
	c.see("no session was chosen")
	c.see("you> ")
	c.enter("\x04")
	c.see("Resume with: ")
	c.ends(exit.OK)
}

// TestPickASessionByNumber lets the user choose at a terminal that only shows lines.
func TestPickASessionByNumber(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	for _, name := range []string{"first", "second"} {
		if said, err := h.command("run", name+" task", "--name", name, "--model", "script/demo").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	cmd := h.command("chat", "--resume", "--model", "script/demo")
	cmd.Env = append(cmd.Env, "TERM=dumb")
	c := openConsole(t, cmd)
	c.see("Select session [1-2], or words to search for: ")
	c.enter("nothing like it\n")
	c.see(`no session with "nothing like it"`)
	c.see("Select session [1-2], or words to search for: ")
	c.enter("first task\n")
	c.see("first task")
	c.see("Select session [1-1], or words to search for: ")
	c.enter("7\n")
	c.see("Select session [1-1], or words to search for: ")
	c.enter("1\n")
	c.see("Resumed session ")
	c.see("first task")
}

func TestChatIsEndedByTheSystem(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]string{"at the prompt": "you> ", "in an answer": "long answer"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, map[string]string{"s.json": slowScript})
			c := h.console(t, "chat", "--model", "script/s.json")
			c.see("you> ")
			c.enter("the work\r")
			c.see("long answer")
			if at == "you> " {
				c.see(at)
			}
			if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			c.see("Resume with: coppice chat --resume ")
			c.ends(exit.Interrupted)
			if one := h.sessions(t)[0]; (one.Status == core.StatusSuccess) != (at == "you> ") {
				t.Errorf("the session is %s", one.Status)
			}
		})
	}
}

func TestChatAsks(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": askingScript})
	c := h.console(t, "chat", "--model", "script/s.json")
	c.see("you> ")
	c.enter("a note\r")
	c.see("[n] no: ")
	c.enter("y\n")
	c.see("Created docs/1.md")
	c.see("you> ")
	c.enter("/mode yolo\r")
	c.see("build · script/s.json · yolo")
	c.enter("a note\r")
	c.see("Created docs/2.md")
	c.see("you> ")
	c.enter("/quit\r")
	c.ends(exit.OK)
}
