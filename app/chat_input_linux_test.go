package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/app/internal/exit"
)

// TestChatInput completes files, runs a command, adds an image, and writes a prompt in an editor.
func TestChatInput(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": askingScript, "edit.sh": "#!/bin/sh\ncat >> \"$1\" <<'END'\n of two\nlines\nEND\n"})
	if err := os.MkdirAll(filepath.Join(h.dir, "guides", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.put(t, "guides/first.md", "one")
	h.put(t, "guides/second.md", "two")
	h.put(t, "pixel.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00")
	cmd := h.command("chat", "--model", "script/s.json")
	cmd.Env = append(cmd.Env, "EDITOR=sh "+filepath.Join(h.dir, "edit.sh"))
	c := openConsole(t, cmd)
	c.see("you> ")

	c.enter("look at @gui\t")
	c.see("@guides/")
	c.enter("\t")
	c.see("guides/deep/  guides/first.md  guides/second.md")
	c.enter("f\t\r")
	c.see("You said: look at @guides/first.md")
	c.see("you> ")

	c.enter("!echo from the shell; exit 3\r")
	c.see("from the shell\r\n")
	c.see("exit code 3")
	c.see("you> ")
	c.enter("why?\r")
	c.see("You said: I ran \x1b[36mecho from the shell; exit 3\x1b[0m (exit code 3):")
	c.see("why?")
	c.see("you> ")
	c.enter("and now?\r")
	c.see("You said: and now?")
	c.see("you> ")

	c.enter("!echo begun; sleep 60\r")
	c.see("begun\r\n")
	c.enter("\x03")
	c.see("exit code")
	c.see("you> ")
	c.enter("stopped\r")
	c.see("sleep 60\x1b[0m (exit code ")
	c.see("you> ")

	c.enter("/image nothing.png\r")
	c.see("read the image nothing.png")
	c.enter("/image pix\t\r")
	c.see("The next prompt has 1 image")
	c.enter("what is it?\r")
	c.see("You said: what is it?")
	c.see("you> ")
	c.enter("/context\r")
	c.see("system prompt")
	c.see("in all")
	c.see("you> ")

	c.enter("\x1b[200~pasted\nlines\x1b[201~ with an end\r")
	c.see("You said: pasted lines with an end")
	c.see("you> ")

	c.enter("a text\x07")
	c.see("a text of two")
	c.enter("\r")
	c.see("You said: a text of two lines")
	c.see("you> ")

	c.enter("a note\r")
	c.see("[n] no: ")
	c.enter("y") // one key, without Enter
	c.see("Created docs/")
	c.see("you> ")
	c.enter("/details\r")
	c.see("▸ write_file")
	c.see("Created docs/")
	c.see("you> ")
	c.enter("\x04")
	c.ends(exit.OK)
	shown := ""
	for _, m := range h.messages(t) {
		shown += m + "\n"
	}
	if !strings.Contains(shown, "pixel.png") {
		t.Errorf("the prompt has no image: %s", shown)
	}
}

// messages returns the transcript of the newest session, line by line.
func (h home) messages(t *testing.T) []string {
	t.Helper()
	out, err := h.command("show", h.sessions(t)[0].ID).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(out), "\n")
}
