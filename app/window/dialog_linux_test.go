//go:build bindings

package window

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
)

// dialogProgram writes a script that replaces the program that shows a dialog.
func dialogProgram(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dialog")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil { //nolint:gosec // the script must be executable
		t.Fatal(err)
	}
	return path
}

func TestRunDialog(t *testing.T) {
	request := dialogRequest{Kind: dialogFiles, Title: "Import session files"}
	paths, err := runDialog(t.Context(), dialogProgram(t, `[ "$1" = __dialog ] && echo '{"paths":["/a b","/c"]}'`), request)
	if err != nil || len(paths) != 2 || paths[0] != "/a b" {
		t.Errorf("%q, %v", paths, err)
	}
	if paths, err = runDialog(t.Context(), dialogProgram(t, `echo '{"paths":[]}'`), request); err != nil || len(paths) != 0 {
		t.Errorf("closed: %q, %v", paths, err)
	}
	for name, script := range map[string]string{
		"killed": `echo "Gtk: cannot open display" >&2; kill -9 $$`, "silent": `exit 0`, "garbage": `echo no`,
	} {
		_, err := runDialog(t.Context(), dialogProgram(t, script), request)
		if core.CodeOf(err) != core.Unavailable || !strings.Contains(err.Error(), "without an answer") || core.HintOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDialogEndsWithWindow requires that an open dialog ends when the window closes.
func TestDialogEndsWithWindow(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun := filepath.Join(t.TempDir(), "begun")
	ended := make(chan error)
	program := dialogProgram(t, `mkfifo `+begun+`; echo > `+begun+`; exec cat >&2`)
	go func() {
		_, err := runDialog(ctx, program, dialogRequest{Kind: dialogFolder})
		ended <- err
	}()
	for {
		if f, err := os.Open(begun); err == nil { // opening the pipe waits for the script
			f.Close()
			break
		}
	}
	cancel()
	if err := <-ended; core.CodeOf(err) != core.Canceled {
		t.Errorf("%v", err)
	}
}
