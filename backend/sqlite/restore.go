package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"coppice/backend/core"
)

// Restore puts a backup in the place of the library at path. The file that is there is kept aside, and its new path returned; empty if
// there was none. Busy if a process has the library open, this one included.
func Restore(ctx context.Context, path, backup string) (aside string, err error) {
	aside, err = restore(ctx, path, backup)
	return aside, fail(explain(err, path), "restore %s", backup)
}

func restore(ctx context.Context, path, backup string) (string, error) {
	backup, err := filepath.Abs(backup)
	if err != nil {
		return "", err
	}
	if same, err := sameFile(path, backup); err != nil {
		return "", err
	} else if same {
		return "", core.E(core.Invalid, "%s is the library itself", backup)
	}
	if _, err := verifyBackup(ctx, backup); err != nil {
		return "", err
	}
	return replaceLibrary(path, "replaced", func(part string) error {
		return copyFile(backup, part)
	})
}

func sameFile(path, backup string) (bool, error) {
	b, err := os.Stat(backup)
	if err != nil {
		return false, err
	}
	a, err := os.Stat(path)
	return err == nil && os.SameFile(a, b), nil
}

// SetAside moves the library at path, and its log, to a name of its own, which it returns: a new library can take its place. Busy if a
// process has it open.
func SetAside(path string) (aside string, err error) {
	aside, err = replaceLibrary(path, "damaged", nil)
	return aside, fail(err, "set %s aside", path)
}

// RecoverInPlace recovers the damaged library at path, keeps it aside and puts what was saved in its place. The report's Output is path.
func RecoverInPlace(ctx context.Context, path string, progress func(core.Progress)) (report core.Recovery, aside string, err error) {
	aside, err = replaceLibrary(path, "damaged", func(part string) error {
		report, err = Recover(ctx, path, part, progress)
		return err
	})
	report.Output = path
	return report, aside, fail(err, "recover the library %s", path)
}

// replaceLibrary makes a new file beside the library by a function, nil for none, moves the library aside and the new file to its place.
func replaceLibrary(path, why string, make func(part string) error) (aside string, err error) {
	if isOpen(path) {
		return "", core.E(core.Busy, "another program has %s open", path).WithHint("close it and try again")
	}
	now := time.Now().UnixMilli()
	part := path + ".new-" + stamp(now)
	if make != nil {
		defer os.Remove(part) //nolint:errcheck // it is not there if all went well
		if err := make(part); err != nil {
			return "", err
		}
		if err := syncFile(part); err != nil {
			return "", err
		}
	}
	if aside, err = moveAside(path, why, now); err != nil || make == nil {
		return aside, err
	}
	return aside, os.Rename(part, path)
}

// moveAside renames the library with its log, so that it can still be opened, or recovered, as it was.
func moveAside(path, why string, nowMs int64) (string, error) {
	aside := strings.TrimSuffix(path, filepath.Ext(path)) + "." + why + "-" + stamp(nowMs) + filepath.Ext(path)
	if err := os.Rename(path+"-wal", aside+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	err := os.Rename(path, aside)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return aside, err
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
