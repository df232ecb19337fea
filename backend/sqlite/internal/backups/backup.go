package backups

import (
	"context"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/durable"
	"coppice/backend/leftover"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// Store is the service of the backups of a library.
type Store struct{ *store.Library }

// Backup writes a copy of the library as it is at this moment to a new file, which only its
// owner may read. Other work can continue meanwhile. A file that exists is a Conflict.
func (db *Store) Backup(ctx context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return core.Wrap(core.Invalid, err, "back up to %s", path)
	}
	if Owns(db.FilePath(), abs) {
		return core.E(core.Invalid, "back up to %s: this is a file of the library itself", abs).WithHint("choose another name")
	}
	if db.File.Moved() != nil && db.Refusal() == nil {
		err = db.backUpOpen(ctx, abs)
	} else {
		err = BackUpFile(ctx, db.Library, abs)
	}
	return conn.Fail(err, "back up to %s", abs)
}

// backUpOpen copies what is open, whatever its path names now. The connection that writes is the only one that may.
func (db *Store) backUpOpen(ctx context.Context, path string) error {
	return db.File.ExclusiveUnchecked(ctx, func(c *sqlx.Conn) error { return BackUp(ctx, c, db.FilePath(), path) })
}

// BackUpFile copies a library by a connection of its own: those of the pool refuse to write anywhere.
func BackUpFile(ctx context.Context, l *store.Library, path string) error {
	from, err := conn.ConnectBy(ctx, l.FilePath(), url.Values{"_pragma": {"busy_timeout(5000)", "temp_store(MEMORY)"}, "mode": {"ro"}})
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // it only read
	return BackUp(ctx, from, l.FilePath(), path)
}

// BackUp writes beside the target and renames, so that there is never half a backup. That of an encrypted library is encrypted with the same
// key.
func BackUp(ctx context.Context, db sqlx.ExecerContext, library, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return core.E(core.Conflict, "%s exists already", path).WithHint("choose another name, or remove it first")
	}
	folder, err := leftover.NewFolder(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	defer folder.Release()                               //nolint:errcheck // the next backup removes what is left
	part := filepath.Join(folder.Path, "copy.db")        // SQLite may put a journal beside it
	if err := conn.MakeLike(part, library); err != nil { // SQLite takes an empty file, and leaves its mode as it is
		return err
	}
	defer cryptvfs.Forget(part)
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, part); err != nil {
		return err
	}
	return durable.Rename(part, path)
}
