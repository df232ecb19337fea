// Package app decides whether this process is a command, the window, or a helper process that they have started.
package app

import (
	"context"

	"coppice/app/cli"
	"coppice/app/term"
	"coppice/app/window"
	"coppice/backend/tools/sandbox"
)

// Main runs the program and returns its exit code.
func Main(args []string) int {
	if len(args) > 0 && args[0] == sandbox.Verb { // this process confines a command in a sandbox
		return sandbox.Main(args[1:])
	}
	if len(args) > 0 && args[0] == window.DialogVerb {
		return window.DialogMain(args[1:])
	}
	ctx, heard := term.Listen(context.Background())
	defer heard.Stop()
	t := term.System()
	t.Signals = heard
	return cli.Run(ctx, t, window.Open, args)
}
