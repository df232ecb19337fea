package app

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// console is the program in a terminal, with a test as its user.
type console struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	over chan struct{}

	mu   sync.Mutex
	text string
	read int // the length of the text that the test has matched
}

// home is a workspace and a home folder for the programs of a test.
type home struct{ dir, home string }

// newHome returns a home with scripts for models, by name.
func newHome(t *testing.T, scripts map[string]string) home {
	t.Helper()
	h := home{t.TempDir(), t.TempDir()} // a workspace that contains the home folder would need a confirmation
	for name, script := range scripts {
		h.put(t, name, script)
	}
	return h
}

// put writes a script, and replaces a script with the same name.
func (h home) put(t *testing.T, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
}

// command returns a command that runs the program: the test binary, which is the program if its name is coppice.
func (h home) command(args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "coppice"
	cmd.Dir = h.dir
	cmd.Env = []string{"HOME=" + h.home, "COPPICE_DB=" + h.dir + "/coppice.db", "PATH=" + os.Getenv("PATH"), "TMPDIR=" + h.dir, "TERM=xterm", "TZ=UTC"}
	return cmd
}

// console starts the program in a terminal.
func (h home) console(t *testing.T, args ...string) *console {
	t.Helper()
	return openConsole(t, h.command(args...))
}

func openConsole(t *testing.T, cmd *exec.Cmd) *console {
	t.Helper()
	return openConsoleOf(t, cmd, 100)
}

// consoleHeight is the number of rows of a console.
const consoleHeight = 24

// openConsoleOf starts a program in a terminal of so many columns.
func openConsoleOf(t *testing.T, cmd *exec.Cmd, columns uint16) *console {
	t.Helper()
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	if err := unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, cmd: cmd, tty: tty, over: make(chan struct{})}
	c.resize(columns)
	child, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = child, child, child
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = child.Close()
	go c.watch()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = tty.Close()
	})
	return c
}

// resize changes the width of the terminal.
func (c *console) resize(columns uint16) {
	c.t.Helper()
	if err := unix.IoctlSetWinsize(int(c.tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: consoleHeight, Col: columns}); err != nil {
		c.t.Fatal(err)
	}
}

// watch reads the output of the program until it ends.
func (c *console) watch() {
	defer close(c.over)
	buffer := make([]byte, 4096)
	for {
		n, err := c.tty.Read(buffer)
		c.mu.Lock()
		c.text += string(buffer[:n])
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// patience is far longer than any operation of these tests takes.
const patience = 30 * time.Second

// see waits until the program shows a text after the text that was seen last.
func (c *console) see(text string) {
	c.t.Helper()
	c.seeOneOf(text)
}

// seeOneOf waits until the program shows one of several texts, and returns the index of the first one shown.
func (c *console) seeOneOf(texts ...string) int {
	c.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		c.mu.Lock()
		first, which := -1, -1
		for i, text := range texts {
			if at := strings.Index(c.text[c.read:], text); at >= 0 && (first < 0 || at+len(text) < first) {
				first, which = at+len(text), i
			}
		}
		c.read += max(first, 0)
		rest := c.text[c.read:]
		c.mu.Unlock()
		if which >= 0 {
			return which
		}
		select {
		case <-c.over:
			deadline = time.Time{}
		default:
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("%q is not shown, but %q", texts, rest)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// enter types a text.
func (c *console) enter(text string) {
	c.t.Helper()
	if _, err := c.tty.WriteString(text); err != nil {
		c.t.Fatal(err)
	}
}

// ends waits for the end of the program and checks its exit code.
func (c *console) ends(code int) {
	c.t.Helper()
	<-c.over
	if got := exitCodeOf(c.cmd.Wait()); got != code {
		c.t.Errorf("exit code %d, want %d, after %q", got, code, c.text)
	}
}

// all returns everything that was shown.
func (c *console) all() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text
}

func exitCodeOf(err error) int {
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return failed.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}
