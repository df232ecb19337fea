package window

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"coppice/backend/core"
)

// reveal shows a file or a folder in the system's file manager.
func reveal(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return core.Wrap(core.NotFound, err, "show the file")
	}
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", "-R", path)
	case "windows":
		cmd = exec.Command("explorer", "/select,"+path) //nolint:gosec // a file that the user has chosen
	default: // other systems have no common way to select a file
		if !info.IsDir() {
			path = filepath.Dir(path)
		}
		cmd = exec.Command("xdg-open", path)
	}
	if err := cmd.Start(); err != nil {
		return core.Wrap(core.Unavailable, err, "show %s in the file manager", path)
	}
	go cmd.Wait() //nolint:errcheck // the exit code of explorer has no meaning; Wait releases the process
	return nil
}
