package app

import (
	"testing"

	"coppice/app/internal/exit"
	"coppice/backend/core"
)

// unansweredScript is a model whose first answer needs a permission.
const unansweredScript = `{"turns": [{"alternatives": [[
	{"text": "I write it.", "toolCalls": [{"name": "write_file", "arguments": {"path": "notes.md", "content": "x\n"}}]},
	{"text": "The tool said: {{result}}"}]]}]}`

// TestHibernateAtATerminal leaves a prompt and a permission question unanswered, in a chat and in a run.
func TestHibernateAtATerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": unansweredScript})

	c := h.console(t, "run", "write it", "--model", "script/s.json", "--hibernate-after", "1s")
	c.see("notes.md")
	c.see("hibernated: no answer for 1s")
	c.see("continue with: coppice resume ")
	c.ends(exit.Partial)
	one := h.sessions(t)[0]
	if one.Status != core.StatusHibernated || one.StopReason != string(core.StopHibernated) {
		t.Errorf("the session is %s, %s", one.Status, one.StopReason)
	}

	// The question is asked again when the session wakes.
	c = h.console(t, "wake", one.ID)
	c.see("woken: the user continues it")
	c.see("[y] once")
	c.enter("y\n")
	c.see("The tool said: ")
	c.ends(exit.OK)

	c = h.console(t, "chat", "--model", "script/demo", "--hibernate-after", "1s")
	c.see("you> ")
	c.enter("hello\r")
	c.see("you> ")
	c.see("Hibernated: session ")
	c.see("Resume with: coppice chat --resume ")
	c.ends(exit.Partial)
	if one = h.sessions(t)[0]; one.Status != core.StatusHibernated {
		t.Errorf("the session of the chat is %s", one.Status)
	}

	c = h.console(t, "chat", "--model", "script/s.json", "--mode", "confirm-sensitive", "--hibernate-after", "1s")
	c.see("you> ")
	c.enter("write it\r")
	c.see("hibernated: no answer for 1s")
	c.see("Resume with: coppice chat --resume ")
	c.ends(exit.Partial)
}
