package sqlite

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/recovery"
)

// The functions of this file work on a library that is not open, by the path of its file.

// Owns reports whether a path names one of the files of a library, by any of its names. It opens nothing.
func Owns(library, path string) bool { return backups.Owns(library, path) }

// BackupsFolder returns the folder that holds the backups of the library at path.
func BackupsFolder(path string) string { return backups.Folder(path) }

// Backups lists the backups of the library at path, the newest first. The library may be damaged.
func Backups(path string) ([]core.Backup, error) { return backups.Backups(path) }

// Restore puts a backup in the place of the library at path. The file that was there is moved aside, and its new path
// returned; empty if no file was there. Busy if a process has the library open, this one included.
func Restore(ctx context.Context, path, backup string) (aside string, err error) {
	return backups.Restore(ctx, path, backup)
}

// SetAside moves the library at path, and its log, to a name of its own, which it returns. An empty file takes its
// place, which the next Open makes a new library. Busy if a process has it open.
func SetAside(path string) (aside string, err error) { return backups.SetAside(path) }

// Inspect reports what could be recovered of a library, which may be damaged. It writes nothing.
func Inspect(ctx context.Context, path string, progress func(core.Progress)) (core.Recovery, error) {
	return recovery.Inspect(ctx, path, progress)
}

// Recover reads what is left of the damaged library at path, page by page, and writes it to a new library at output. The
// damaged file stays as it is. progress, which may be nil, is called with pages, then with sessions.
//
// Codes: NotFound if there is no file; Conflict if output exists; Corrupt if nothing can be read.
func Recover(ctx context.Context, path, output string, progress func(core.Progress)) (core.Recovery, error) {
	return recovery.Recover(ctx, path, output, progress)
}

// RecoverInPlace recovers the damaged library at path, moves it aside and puts what was saved in its place. The report's
// Output is path.
func RecoverInPlace(ctx context.Context, path string, progress func(core.Progress)) (report core.Recovery, aside string, err error) {
	aside, err = backups.ReplaceLibrary(path, backups.AsideDamaged, func(part string) error {
		report, err = recovery.Recover(ctx, path, part, progress)
		return err
	})
	report.Output = path
	return report, aside, conn.Fail(err, "recover the library %s", path)
}
