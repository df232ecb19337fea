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
// coppice.db in the user's data folder.
func Path(flag string) (string, error) {
	path := flag
	if path == "" {
		path = os.Getenv("COPPICE_DB")
	}
	if path == "" {
		return DefaultPath(), nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", core.Wrap(core.Invalid, err, "find the library %s", path)
	}
	return absolute, nil
}

// DefaultPath returns the path of the library in the user's data folder.
func DefaultPath() string { return filepath.Join(xdg.DataHome, "coppice", "coppice.db") }
