package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"coppice/app/internal/exit"
)

// narrowed is a console that becomes narrower while the program waits. It models a terminal that wraps what does not fit, as most do.
type narrowed struct {
	*console
	*screen
	shown int // the bytes that the screen has shown
}

// narrow waits until the program has shown a text, and changes the width of the terminal.
func narrow(c *console, from, to int, after string) *narrowed {
	c.t.Helper()
	c.see(after)
	n := &narrowed{console: c, screen: newScreen(from, consoleHeight)}
	n.settle()
	c.console().resize(uint16(to))
	n.screen.resize(to)
	return n
}

func (c *console) console() *console { return c }

// settle shows what the program writes until it has written nothing for a while. The program waits for input then.
func (n *narrowed) settle() {
	n.t.Helper()
	for quiet := 0; quiet < 3; time.Sleep(20 * time.Millisecond) {
		text := n.all()
		quiet++
		if len(text) > n.shown {
			quiet = 0
		}
		if err := n.write(text[n.shown:]); err != nil {
			n.t.Fatal(err)
		}
		n.shown = len(text)
	}
}

// wait waits until the last rows of the screen are these.
func (n *narrowed) wait(want ...string) {
	n.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		n.settle()
		rows := n.lines()
		if last := rows[max(len(rows)-len(want), 0):]; strings.Join(last, "\n") == strings.Join(want, "\n") {
			return
		}
		if time.Now().After(deadline) {
			n.t.Fatalf("the screen shows\n%s\nwithout\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestResizeWhileTyping makes the terminal narrower while a line is edited: it is drawn again without a key, and once.
func TestResizeWhileTyping(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	c := openConsoleOf(t, h.command("chat", "--model", "script/demo"), 100)
	c.see("you> ")
	const text = "a line that is long enough to be wrapped when the terminal has forty columns only"
	c.enter(text)
	n := narrow(c, 100, 40, "columns only")
	n.wait("you> a line that is long enough to be w", "     rapped when the terminal has forty", "      columns only")
	c.enter("\x01")
	n.settle()
	c.resize(20)
	n.screen.resize(20)
	n.wait("you> a line that is", "      long enough t", "     o be wrapped w", "     hen the termin", "     al has forty c", "     olumns only")
	for _, row := range n.lines() {
		if strings.Count(row, "a line that is") > 0 && !strings.HasPrefix(row, "you> ") {
			t.Errorf("there are remains: %q", row)
		}
	}
	c.enter("\x03")
	c.see("you> ")
	c.enter("\x04")
	c.ends(exit.OK)
}

// TestResizeWhilePicking makes the terminal narrower while a menu is open.
func TestResizeWhilePicking(t *testing.T) {
	t.Parallel()
	h := newHome(t, nil)
	for i := range 3 {
		if said, err := h.command("run", fmt.Sprintf("task %d with a title that is wider than a narrow terminal is", i), "--model", "script/demo").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	c := openConsoleOf(t, h.command("chat", "--resume", "--model", "script/demo"), 100)
	n := narrow(c, 100, 40, "task 0")
	want := []string{"Which session?  ↑ ↓ and Enter choose, …", "search: ▏", "  AGE  TASK", "❯ now  task 2 with a title that is wid…", "  now  task 1 with a title that is wid…", "  now  task 0 with a title that is wid…"}
	n.wait(want...)
	if rows := n.lines(); len(rows) != len(want) {
		t.Errorf("there are remains:\n%s", strings.Join(rows, "\n"))
	}
	c.enter("\x1b[B\r")
	c.see("Resumed session ")
	c.see("task 1 with a title")
	c.see("you> ")
	c.enter("\x04")
	c.ends(exit.OK)
}

// TestResizeWhileAsked makes the terminal narrower while a permission is asked for. The question can still be answered.
func TestResizeWhileAsked(t *testing.T) {
	t.Parallel()
	h := newHome(t, map[string]string{"s.json": askingScript})
	c := openConsoleOf(t, h.command("run", "a note", "--model", "script/s.json"), 100)
	n := narrow(c, 100, 20, "[n] no: ")
	c.enter("s")
	c.see("Remember it for\r\n[p] every file below docs/ of this workspace\r\n[t] this only: ")
	c.enter("t")
	c.see("Created docs/1.md")
	c.ends(exit.OK)
	n.settle()
	for _, row := range n.lines() {
		if len([]rune(row)) > 20 {
			t.Errorf("%q is wider than the terminal", row)
		}
	}
}

// TestResizeWhileStreaming makes the terminal narrower in the middle of an answer, and wider again. Nothing that is redrawn remains.
func TestResizeWhileStreaming(t *testing.T) {
	t.Parallel()
	const paragraph = "A paragraph that is not finished yet, and that is so long that it takes several rows of the screen when the terminal is narrow"
	h := newHome(t, nil)
	m := newPacedModel(t, []piece{{text: "First.\n\n" + paragraph}, pause, {text: " and then it ends.\n"}, pause, {text: "\nLast."}})
	c := openConsoleOf(t, m.command(h, "run", "go"), 120)
	n := narrow(c, 120, 30, "terminal is narrow")
	n.waitFor("\nA paragraph that is not\n", "step 1") // as it is laid out for 30 columns
	c.resize(60)
	n.screen.resize(60)
	n.waitFor("\nA paragraph that is not finished yet, and that is so long\n", "step 1")
	m.proceed <- struct{}{}
	m.proceed <- struct{}{}
	c.see("· done · ")
	c.ends(exit.OK)
	n.settle()
	text := strings.Join(n.lines(), " ")
	for _, once := range []string{"A paragraph that", "and then it ends.", "Last.", "First."} {
		if strings.Count(text, once) != 1 {
			t.Errorf("%q is there %d times:\n%s", once, strings.Count(text, once), strings.Join(n.lines(), "\n"))
		}
	}
	if strings.Contains(text, "step 1") {
		t.Errorf("the progress remains:\n%s", strings.Join(n.lines(), "\n"))
	}
}

// waitFor waits until the last row contains a text, and a row above it another one, once each.
func (n *narrowed) waitFor(above, last string) {
	n.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		n.settleBriefly()
		rows := n.lines()
		text := strings.Join(rows, "\n")
		if strings.Contains(rows[len(rows)-1], last) && strings.Count(text, last) == 1 && strings.Contains(text, above) {
			return
		}
		if time.Now().After(deadline) {
			n.t.Fatalf("the screen shows\n%s\nwithout %q and %q", text, above, last)
		}
	}
}

// settleBriefly shows what the program has written by now.
func (n *narrowed) settleBriefly() {
	time.Sleep(20 * time.Millisecond)
	text := n.all()
	if err := n.write(text[n.shown:]); err != nil {
		n.t.Fatal(err)
	}
	n.shown = len(text)
}
