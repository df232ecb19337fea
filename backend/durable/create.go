package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Create writes a file as Write does, but never replaces one: an error that is fs.ErrExist means that the file exists.
func Create(path string, write func(*os.File) error) (err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, ".tmp-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove(file.Name())) }()
	if err := errors.Join(write(file), file.Sync(), file.Close()); err != nil {
		return err
	}
	err = os.Link(file.Name(), path) // renaming would replace a file that was created meanwhile
	if err == nil || errors.Is(err, fs.ErrExist) {
		return errors.Join(err, SyncFolder(folder))
	}
	if _, err := os.Lstat(path); err == nil { // the file system has no links
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return Rename(file.Name(), path)
}
