// Package app is the shell: the command line, the window and its bindings, the configuration. It
// is the only package that knows cobra or Wails, and it only wires.
package app

import (
	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
)

// Main runs the program and returns its exit code.
func Main(args []string) int {
	err := wails.Run(&options.App{Title: "Coppice", Bind: []any{&Bindings{}}})
	if err != nil {
		return 1
	}
	return 0
}
