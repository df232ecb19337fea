package conn

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"coppice/backend/core"
	"coppice/backend/durable"
)

// PageSize is the size of the pages of a new library in bytes. Messages are 2 kB and more: an import ends its transactions on pages of 8 kB in
// three quarters of the time that it takes on those of 4.
const PageSize = 8192

// MakeFile creates an empty file that only its owner may read, unless the file exists.
func MakeFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if made, err := makeInTest(path); made || err != nil {
		return err
	}
	return MakePlain(path)
}

// MakePlain makes an empty file for a plain library in a folder that exists, unless the file exists.
func MakePlain(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return errors.Join(f.Close(), durable.SyncFolder(filepath.Dir(path)))
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	return mustBeFile(path)
}

func mustBeFile(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return core.E(core.Invalid, "%s is a folder", path).WithHint("Name a file in it").WithRemedy(core.ChooseLibrary)
	}
	return nil
}
