package soak

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// screen is an X server for one run.
type screen struct {
	display string
	server  *exec.Cmd
}

func openScreen(t *testing.T) *screen {
	t.Helper()
	server := exec.Command("Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset")
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatalf("start a screen for the window: %v", err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	number, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("start a screen for the window: %v", err)
	}
	return &screen{display: ":" + strings.TrimSpace(number), server: server}
}

// openWindow opens a window of the program on the library, opens file dialogs that read the folder of the library, and
// ends or kills the window. Only one window is open at a time.
func (a *actor) openWindow(ctx context.Context) error {
	if a.screen == nil || !a.windowing.TryLock() {
		return nil
	}
	defer a.windowing.Unlock()
	window := exec.CommandContext(ctx, *program)
	window.Dir = a.workspace
	window.Env = append(os.Environ(), append(a.env, "DISPLAY="+a.screen.display, "GTK_USE_PORTAL=0")...)
	window.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var stderr strings.Builder
	window.Stderr = &stderr
	if err := window.Start(); err != nil {
		return err
	}
	for range 1 + a.chance.IntN(3) {
		if a.dialog(ctx) {
			a.counting.Lock()
			a.figures.dialogs++
			a.counting.Unlock()
		}
	}
	time.Sleep(time.Duration(a.chance.IntN(2000)) * time.Millisecond) // let other processes write
	signal := []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL}[a.chance.IntN(2)]
	_ = syscall.Kill(-window.Process.Pid, signal)
	patience := time.AfterFunc(20*time.Second, func() { _ = syscall.Kill(-window.Process.Pid, syscall.SIGKILL) })
	defer patience.Stop()
	err := window.Wait()
	a.count(process{err: stderr.String(), killed: signal == syscall.SIGKILL, code: window.ProcessState.ExitCode()}, nil, []string{"window"})
	if _, ended := err.(*exec.ExitError); err != nil && !ended { //nolint:errorlint // Wait does not wrap it
		return err
	}
	return nil
}

// dialog opens a file dialog of the window by its key, lets it read the folder of the library, and closes it. It
// reports whether a dialog opened.
func (a *actor) dialog(ctx context.Context) bool {
	deadline := time.Now().Add(15 * time.Second)
	for time.Now().Before(deadline) {
		if id := a.xdotool(ctx, "search", "--onlyvisible", "--name", "^Coppice$"); id != "" {
			a.xdotool(ctx, "windowfocus", strings.Fields(id)[0])
			a.xdotool(ctx, "key", "ctrl+shift+o")
		}
		time.Sleep(500 * time.Millisecond)
		id := a.xdotool(ctx, "search", "--onlyvisible", "--name", "^Import")
		if id == "" {
			continue
		}
		a.xdotool(ctx, "windowfocus", strings.Fields(id)[0])
		a.xdotool(ctx, "type", a.library) // to complete the name, the dialog reads the folder and its files
		time.Sleep(time.Duration(200+a.chance.IntN(800)) * time.Millisecond)
		a.xdotool(ctx, "key", "Escape", "Escape")
		return true
	}
	return false
}

func (a *actor) xdotool(ctx context.Context, args ...string) string {
	cmd := exec.CommandContext(ctx, "xdotool", args...)
	cmd.Env = append(os.Environ(), fmt.Sprint("DISPLAY=", a.screen.display))
	out, _ := cmd.Output() // it fails if it finds nothing
	return strings.TrimSpace(string(out))
}
