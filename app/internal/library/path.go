// Package library manages the library as a file on this machine: its path, its daily backups, the window that has it
// open, and the settings that it stores for the program.
package library

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// Path returns the absolute path of the library: the flag --db, else COPPICE_DB, else
// coppice.db in the user's data folder. If that is a symbolic link, it returns the path of the file.
func Path(flag string) (string, error) {
	path := flag
	if path == "" {
		path = os.Getenv("COPPICE_DB")
	}
	if path == "" {
		path = filepath.Join(xdg.DataHome, "coppice", "coppice.db")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", core.Wrap(core.Invalid, err, "find the library %s", path)
	}
	// SQLite keeps the write-ahead log beside the file, so locks and backups must be there too.
	if file, err := filepath.EvalSymlinks(absolute); err == nil {
		return file, nil
	}
	return absolute, nil // not created yet
}
