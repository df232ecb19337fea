package window

import (
	"log/slog"
	"os"
	"path/filepath"

	"coppice/backend/core"
)

// logBytes is the largest size of the window's log at the start. A larger log is truncated.
const logBytes = 1 << 20

// openLog writes the log to a file as JSON lines, because the output of a window is not visible. The log contains no text of
// messages.
func openLog(path string) (release func(), err error) {
	release = func() {}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return release, core.Wrap(core.Unavailable, err, "open the log")
	}
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Size() > logBytes {
		flags |= os.O_TRUNC
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return release, core.Wrap(core.Unavailable, err, "open the log")
	}
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(file, nil)))
	return func() {
		slog.SetDefault(before)
		_ = file.Close() // each line was written at once
	}, nil
}
