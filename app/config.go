package app

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// libraryPath returns the absolute path of the library: the flag --db, else COPPICE_DB, else
// coppice.db in the person's data folder.
func libraryPath(flag string) (string, error) {
	path := flag
	if path == "" {
		path = os.Getenv("COPPICE_DB")
	}
	if path == "" {
		return defaultLibraryPath(), nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", core.Wrap(core.Invalid, err, "find the library %s", path)
	}
	return absolute, nil
}

func defaultLibraryPath() string { return filepath.Join(xdg.DataHome, "coppice", "coppice.db") }
