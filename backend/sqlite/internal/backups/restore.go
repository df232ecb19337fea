package backups

import (
	"context"
	"os"
	"path/filepath"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// Restore puts a backup in the place of the library at path. The file that was there is moved aside, and its new path returned; empty if
// no file was there. Busy if a process has the library open, this one included.
func Restore(ctx context.Context, path, backup string) (aside string, err error) {
	aside, err = restore(ctx, path, backup)
	return aside, conn.Fail(conn.Explain(err, path), "restore %s", backup)
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
	return ReplaceLibrary(path, AsideReplaced, func(part string) error {
		return conn.CopyFile(backup, part)
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

// SetAside moves the library at path, and its log, to a name of its own, which it returns. An empty file takes its place, which the next
// Open makes a new library. Busy if a process has it open.
func SetAside(path string) (aside string, err error) {
	aside, err = ReplaceLibrary(path, AsideDamaged, func(part string) error { return conn.MakeLike(part, path) })
	return aside, conn.Fail(err, "set %s aside", path)
}
