package backups

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"coppice/backend/durable"
)

// Destroy overwrites a file and what SQLite put beside it, and removes them. On solid-state disks, on file systems that copy on write, and in
// snapshots the former contents may survive.
func Destroy(path string) error {
	errs := []error{}
	for _, name := range []string{path + "-wal", path + "-shm", path + "-journal", path} {
		if err := overwrite(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// overwrite overwrites a file with random bytes, which no file system compresses or leaves out.
func overwrite(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		_, err = io.CopyN(f, rand.Reader, info.Size())
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// DestroyConverted destroys what a process that was killed has left of originals that were converted.
func DestroyConverted(library string) error {
	ext := filepath.Ext(library)
	prefix := strings.TrimSuffix(filepath.Base(library), ext) + "." + AsideConverted + "-"
	return errors.Join(
		destroyNamed(filepath.Dir(library), func(name string) bool { return strings.HasPrefix(name, prefix) && strings.HasSuffix(name, ext) }),
		destroyNamed(Folder(library), func(name string) bool {
			return strings.HasPrefix(name, backupPrefix(library)) && strings.HasSuffix(name, convertedSuffix)
		}))
}

func destroyNamed(folder string, match func(name string) bool) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, entry := range entries {
		if entry.Type().IsRegular() && match(entry.Name()) {
			errs = append(errs, Destroy(filepath.Join(folder, entry.Name())))
		}
	}
	return errors.Join(errs...)
}

// convertedSuffix ends the name of a backup that was converted, until it is destroyed.
const convertedSuffix = "." + AsideConverted

// ReplaceFile puts a file in the place of another one, which it destroys.
func ReplaceFile(part, path string) error {
	if err := syncFile(part); err != nil {
		return err
	}
	former := path + convertedSuffix
	if err := os.Link(path, former); err != nil && !errors.Is(err, fs.ErrExist) {
		former = "" // the file system has no links: the blocks of the former file are freed as they are
	}
	if err := durable.Rename(part, path); err != nil || former == "" {
		return err
	}
	return Destroy(former)
}
