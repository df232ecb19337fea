// Package library knows the library as a file of this machine: where it is, its daily backups, which window has it open, and what
// is stored in it for the program itself.
package library

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// Path returns the absolute path of the library: the flag --db, else COPPICE_DB, else
// coppice.db in the person's data folder.
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
