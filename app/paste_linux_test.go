package app

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/app/internal/exit"
)

// pixel is the smallest PNG.
const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"

// paste types a text as a terminal does when it is pasted.
func (c *console) paste(text string) { c.enter("\x1b[200~" + text + "\x1b[201~") }

// request returns the last request that the model received.
func (m *pacedModel) request() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked[len(m.asked)-1]
}

// TestPaste pastes lines into prompts, in terminals of two widths: they are one prompt, sent when the user presses Enter.
func TestPaste(t *testing.T) {
	t.Parallel()
	for _, columns := range []uint16{20, 100} {
		h := newHome(t, nil)
		m := newPacedModel(t, []piece{{text: "One."}}, []piece{{text: "Two."}, pause}, []piece{{text: "Three."}})
		c := openConsoleOf(t, m.command(h, "chat"), columns)
		c.see("you> ")
		c.paste("func a() {\r\n\treturn\r\n}\r\n/quit\r\n\x1b[31m!rm\x03\x04")
		c.enter(" end\r")
		c.see("One.")
		if got := m.request(); !strings.Contains(got, `func a() {\n\treturn\n}\n/quit\n[31m!rm end"`) {
			t.Errorf("the model received %s", got)
		}

		// A paste while the model works is one message too.
		c.see("you> ")
		c.enter("go on\r")
		c.see("Two.")
		c.paste("while you\rwork")
		c.enter("\r")
		c.see("receives it")
		m.proceed <- struct{}{}
		c.see("Three.")
		if got := m.request(); !strings.Contains(got, `while you\nwork`) {
			t.Errorf("the model received %s", got)
		}
		c.see("you> ")
		c.enter("\x04")
		c.ends(exit.OK)
	}
}

// TestPasteImage pastes the path of an image, and an image in the clipboard. A mark that the user removes removes the image.
func TestPasteImage(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"wl-paste": "#!/bin/sh\ncat \"$(dirname \"$0\")/with a space.png\"\n"})
	h.put(t, "with a space.png", pixel)
	h.put(t, "no.png", "text")
	if err := os.Chmod(filepath.Join(h.dir, "wl-paste"), 0o700); err != nil { //nolint:gosec // the test runs it
		t.Fatal(err)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(pixel))
	m := newPacedModel(t, []piece{{text: "One."}}, []piece{{text: "Two."}}, []piece{{text: "Three."}}, []piece{{text: "Four."}})
	cmd := m.command(h, "chat")
	cmd.Env = append(cmd.Env, "PATH="+h.dir+":"+os.Getenv("PATH"))
	c := openConsole(t, cmd)
	c.see("you> ")
	c.enter("what is ")
	c.paste(filepath.Join(h.dir, `with\ a\ space.png`))
	c.see("[image 1: with a space.png]")
	c.enter("?\r")
	c.see("One.")
	if got := m.request(); !strings.Contains(got, "what is [image 1: with a space.png]?") || strings.Count(got, encoded) != 1 {
		t.Errorf("the model received %s", got)
	}
	c.see("you> ")
	c.enter("and \x16")
	c.see("[image 1: clipboard.png]")
	c.enter("?\r")
	c.see("Two.")
	if got := m.request(); strings.Count(got, encoded) != 2 {
		t.Errorf("the model received %s", got)
	}
	c.see("you> ")
	c.paste(filepath.Join(h.dir, "no.png"))
	c.see("/no.png")
	c.enter("\x15")
	c.paste(filepath.Join(h.dir, "with a space.png"))
	c.see("[image 1: with a space.png]")
	c.enter("\x15without\r")
	c.see("Three.")
	if got := m.request(); strings.Count(got, encoded) != 2 {
		t.Errorf("the model received %s", got)
	}
	c.see("you> ")
	h.put(t, "wl-paste", "#!/bin/sh\nexit 1\n")
	c.enter("none\x16")
	c.see("the clipboard has no image")
	c.enter("\r")
	c.see("Four.")
	c.see("you> ")
	c.enter("\x04")
	c.ends(exit.OK)
}

// TestShellOutputIsBounded runs a command with much output: the screen shows all of it, the model the end.
func TestShellOutputIsBounded(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	m := newPacedModel(t, []piece{{text: "One."}})
	c := openConsole(t, m.command(h, "chat"))
	c.see("you> ")
	c.enter("!i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo line $i; done\r")
	c.see("line 1\r\n")
	c.see("line 2500\r\n")
	c.see("line 5000\r\n")
	c.see("the next prompt shows it to the model")
	c.see("you> ")
	c.enter("why?\r")
	c.see("One.")
	got := m.request()
	if strings.Contains(got, `line 2500\n`) || !strings.Contains(got, `line 4999\nline 5000\n`) || !strings.Contains(got, "bytes are left out here]") {
		t.Errorf("the model received %s", got)
	}
	if _, shown, _ := strings.Cut(got, "I ran `"); strings.Index(shown, "why?") > 20<<10 {
		t.Errorf("the model received %d bytes", strings.Index(shown, "why?"))
	}
	c.see("you> ")
	c.enter("\x04")
	c.ends(exit.OK)
}
