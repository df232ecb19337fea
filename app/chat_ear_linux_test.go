package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/app/internal/exit"
	"coppice/backend/core"
)

// steeredScript takes two slow steps before it answers with the last prompt that it received.
const steeredScript = `{ "name": "steered", "tokensPerSecond": 10, "turns": [
  { "match": "tests", "alternatives": [[{ "text": "I heard: {{prompt}}" }]] },
  { "match": "work", "alternatives": [[
    { "text": "First I look around for as long as it takes somebody to type a line.", "toolCalls": [{ "name": "list_files", "arguments": { "path": "." } }] },
    { "text": "Nobody said anything." }
  ]] },
  { "match": "note", "alternatives": [[
    { "text": "A long preface comes before the writing of the note itself.", "toolCalls": [{ "name": "write_file", "arguments": { "path": "note.md", "content": "one\n" } }] },
    { "text": "The tool said: {{result}}" }
  ]] },
  { "alternatives": [[{ "text": "You said: {{prompt}}" }]] }
] }`

// A text typed while the model works is sent to the model before its next step.
func TestSteeringAChat(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": steeredScript})
	c := h.console(t, "chat", "--model", "script/s.json")
	c.see("you> ")
	c.enter("the work\r")
	c.see("First I")
	c.enter("also ")
	c.see("you> ")
	c.enter("the tests\r")
	c.see("the model receives it before its next step")
	c.see("I heard: also the tests")
	c.see("· done · 2 steps")
	c.see("you> ")
	c.enter("/tree\r")
	c.see("n1")
	c.see("you> ")
	c.enter("\x04")
	c.ends(exit.OK)
	if strings.Contains(c.all(), "Nobody said anything") {
		t.Error("the model went on without what was said")
	}
}

// A text that no model received before the end of the run is in the next input line. So are a command and a line that
// was not entered.
func TestWhatARunDidNotHear(t *testing.T) {
	t.Parallel()
	answer := map[string]string{"entered": "You said: later", "not entered": "You said: later", "a command": "script/s.json"}
	for name, typed := range map[string]string{"entered": "later\r", "not entered": "later", "a command": "/cost\r"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, map[string]string{"s.json": steeredScript})
			c := h.console(t, "chat", "--model", "script/s.json")
			c.see("you> ")
			c.enter("the work\r")
			c.see("First I")
			c.enter(typed)
			c.see("you> ")
			if typed == "later" {
				c.see("· done · ") // the run does not wait for the line
			} else {
				c.see("\r\n")
				c.enter("\x03")
				c.see("· interrupted · ")
			}
			c.see("you> \x1b[0m" + strings.TrimSpace(typed))
			c.enter("\r")
			c.see(answer[name])
			c.see("you> ")
			c.enter("\x04")
			c.ends(exit.OK)
		})
	}
}

// A text typed before a question could be read does not answer it, neither in a chat nor in a run.
func TestTypedAheadIsNoAnswer(t *testing.T) {
	t.Parallel()
	const question = "[y] once  [s] this session  [w] this workspace  [n] no: "
	for _, command := range [][]string{{"chat"}, {"run", "a note"}} {
		t.Run(command[0], func(t *testing.T) {
			t.Parallel()
			h := newHome(t, map[string]string{"s.json": steeredScript})
			c := h.console(t, append(command, "--model", "script/s.json")...)
			if command[0] == "chat" {
				c.see("you> ")
				c.enter("a note\r")
			}
			c.see("A long preface")
			c.enter("y\ry")
			if command[0] == "chat" {
				c.see("you> \x1b[0my")
				c.enter("\r") // the question waits until the line is entered
			}
			c.see(question)
			if _, err := os.Stat(filepath.Join(h.dir, "note.md")); err == nil {
				t.Fatal("the call ran before it was permitted")
			}
			c.enter("n\n")
			c.see("Why not?")
			c.enter("\n")
			if command[0] == "chat" { // both texts were sent to the model
				c.see("You said: y")
				c.see("you> ")
				c.enter("\x04")
			} else {
				c.see("The tool said: Permission denied.")
			}
			c.ends(exit.OK)
			if one := h.sessions(t)[0]; one.Status != core.StatusSuccess {
				t.Errorf("the session is %s", one.Status)
			}
		})
	}
}

// Ctrl+C twice ends a chat at once, even in the middle of an answer, and restores the terminal.
func TestInterruptTwiceInAChat(t *testing.T) {
	t.Parallel()
	for name, typed := range map[string]string{"at once": "\x03\x03", "after a line": "never mind\x03\x03\x03"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, map[string]string{"s.json": steeredScript})
			c := h.console(t, "chat", "--model", "script/s.json")
			c.see("you> ")
			c.enter("the work\r")
			c.see("First I")
			for _, key := range strings.Split(typed, "") { // key by key, as a user types
				c.enter(key)
			}
			c.ends(exit.Interrupted)
			if one := h.sessions(t)[0]; one.Status != core.StatusInterrupted {
				t.Errorf("the session is %s", one.Status)
			}
		})
	}
}
