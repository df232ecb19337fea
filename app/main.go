// Package app is the shell: the command line, the window and its bindings, the configuration. It
// is the only package that knows cobra or Wails, and it only wires.
package app

import (
	"context"

	"coppice/backend/tools/sandbox"
)

// Main runs the program and returns its exit code.
func Main(args []string) int {
	if len(args) > 0 && args[0] == sandbox.Verb { // this process is to confine a command
		return sandbox.Main(args[1:])
	}
	if len(args) > 0 && args[0] == dialogVerb {
		return dialogMain(args[1:])
	}
	ctx, heard := listen(context.Background())
	defer heard.stop()
	t := systemTerminal()
	t.signals = heard
	return run(ctx, t, openWindow, args)
}
