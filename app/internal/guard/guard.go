// Package guard converts panics to errors.
package guard

import (
	"log/slog"
	"path/filepath"
	"runtime/debug"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// Run calls f and returns a panic as an error. The log contains the stack, but not the arguments of the call.
func Run(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic", slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
			err = core.E(core.Internal, "internal error").WithHint("see %s, and report it", LogPath())
		}
	}()
	return f()
}

// LogPath returns the path of the log file of the window.
func LogPath() string { return filepath.Join(xdg.StateHome, "coppice", "coppice.log") }
