// Package guard makes panics errors.
package guard

import (
	"log/slog"
	"path/filepath"
	"runtime/debug"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// Run makes a panic an error. The log holds the stack and not what the method was called with.
func Run(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic in a binding", slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
			err = core.E(core.Internal, "something went wrong inside Coppice").WithHint("%s says more; please report it", LogPath())
		}
	}()
	return f()
}

// LogPath is where the window writes what went wrong.
func LogPath() string { return filepath.Join(xdg.StateHome, "coppice", "coppice.log") }
