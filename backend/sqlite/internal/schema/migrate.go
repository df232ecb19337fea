// Package schema opens a library and migrates its file to the schema of this program.
package schema

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	driver "github.com/golang-migrate/migrate/v4/database/sqlite"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/conn"
)

// Schema is a set of migrations, NNNNNN_name.up.sql and .down.sql.
type Schema struct {
	Files fs.FS
}

// Latest returns the version that the migrations lead to.
func (s Schema) Latest() (int64, error) {
	from, err := iofs.New(s.Files, ".")
	if err != nil {
		return 0, err
	}
	latest, err := from.First()
	for next := latest; err == nil; next, err = from.Next(latest) {
		latest = next
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	return int64(latest), nil //nolint:gosec // a small number
}

// prepare makes the file ready for this program: existing, ours, and of the latest schema. It returns the lock that
// keeps other processes from migrating it.
func (s Schema) prepare(ctx context.Context, path string, nowMs int64) (*conn.Presence, error) {
	latest, err := s.Latest()
	if err != nil {
		return nil, err
	}
	if err := backups.FinishReplacing(ctx, path); err != nil {
		return nil, err
	}
	if err := conn.MakeFile(path); err != nil {
		return nil, err
	}
	if err := conn.Unlock(path); err != nil {
		return nil, err
	}
	current, err := look(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := current.mustBeOurs(latest); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, conn.LockPatience)
	defer cancel()
	p := conn.NewPresence(path)
	for {
		if err := backups.ShareReplaced(waiting, p, path); err != nil || current.is(latest) {
			return p, err
		}
		if err := s.migrateAlone(ctx, p, path, latest, nowMs); err != nil {
			return nil, errors.Join(err, p.Release())
		}
		if current, err = look(ctx, path); err != nil { // another process may have been faster
			return nil, err
		}
		if err := pause(waiting, conn.LockPeriod, current.is(latest)); err != nil {
			return nil, conn.LockFailure(err)
		}
	}
}

// pause waits for a while, unless there is nothing to wait for.
func pause(ctx context.Context, d time.Duration, ready bool) error {
	if ready {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// migrateAlone migrates the file if no other process has it open. It leaves the lock free.
func (s Schema) migrateAlone(ctx context.Context, p *conn.Presence, path string, latest, nowMs int64) error {
	alone, err := p.TakeAlone()
	if err != nil || !alone {
		return err
	}
	current, err := look(ctx, path)
	if err == nil && !current.is(latest) {
		err = s.migrate(ctx, path, current, latest, nowMs)
	}
	return errors.Join(err, p.Release())
}

// layOut makes an empty file ours; in one that has pages the first two do nothing. The order counts: a driver's parameters come in another one.
func layOut() string {
	return fmt.Sprintf(`PRAGMA page_size = %d; PRAGMA auto_vacuum = incremental; PRAGMA application_id = %d; PRAGMA journal_mode = WAL`, conn.PageSize, backups.ApplicationID)
}

// migrate brings the file from its version to the latest. If that fails, the file is as it was.
func (s Schema) migrate(ctx context.Context, path string, from state, latest, nowMs int64) error {
	db, err := conn.ConnectBy(ctx, path, url.Values{"_pragma": {"busy_timeout(5000)", "synchronous(FULL)", "foreign_keys(0)", "temp_store(MEMORY)"}})
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if err := removeLog(ctx, db); err != nil {
		return errors.Join(err, db.Close())
	}
	if _, err := db.ExecContext(ctx, layOut()); err != nil {
		return errors.Join(err, db.Close())
	}
	backup := ""
	if from.Version > 0 && from.Version < latest {
		backup = backups.NameBackup(path, core.BackupMigration, nowMs)
		if err := backUpBefore(ctx, db, path, backup); err != nil {
			return errors.Join(fmt.Errorf("back the library up: %w", err), db.Close())
		}
	}
	m, err := Migrator(db, s.Files)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	err = step(ctx, m, db, from, latest, backup)
	sourceErr, closeErr := m.Close()
	return errors.Join(err, sourceErr, closeErr)
}

// backUpBefore makes a verified backup of a library that is about to be migrated.
func backUpBefore(ctx context.Context, db *sqlx.DB, path, backup string) error {
	if err := os.MkdirAll(filepath.Dir(backup), 0o700); err != nil {
		return err
	}
	counts := func() (n backups.BackupCounts, err error) { return n, db.GetContext(ctx, &n, backups.CountBackup) }
	_, err := backups.WriteBackup(ctx, backup, counts, func(part string) error { return backups.BackUp(ctx, db, path, part) })
	return err
}

// removeLog makes the one connection of a pool remove the write-ahead log when it is closed.
func removeLog(ctx context.Context, db *sqlx.DB) error {
	only, err := db.Connx(ctx)
	if err != nil {
		return err
	}
	err = only.Raw(func(c any) error { return conn.PersistLog(c, 0) })
	return errors.Join(err, only.Close())
}

// Migrator makes a migration of a database; closing it closes that too.
func Migrator(db *sqlx.DB, files fs.FS) (*migrate.Migrate, error) {
	from, err := iofs.New(files, ".")
	if err != nil {
		return nil, err
	}
	into, err := driver.WithInstance(db.DB, &driver.Config{})
	if err != nil {
		return nil, err
	}
	return migrate.NewWithInstance("iofs", from, "sqlite", into)
}

// step runs the migrations that are missing. If one fails, those before it are undone, and the backup is not needed.
func step(ctx context.Context, m *migrate.Migrate, db *sqlx.DB, from state, latest int64, backup string) error {
	err := migrateTo(ctx, m, db, latest)
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*database.Error](err); ok && e.OrigErr != nil {
		err = e.OrigErr // what SQLite reports; the rest is the migration's text
	}
	err = fmt.Errorf("migrate the library from version %d to %d: %w", from.Version, latest, err)
	if undoErr := migrateTo(ctx, m, db, from.Version); undoErr != nil {
		return errors.Join(err, fmt.Errorf("go back to version %d; a backup is %s: %w", from.Version, backup, undoErr))
	}
	if backup != "" {
		return errors.Join(err, os.Remove(backup))
	}
	return err
}

// migrateTo migrates a library up or down to a version. Each step is one transaction that sets user_version, so golang-migrate's
// own mark, which a killed process leaves dirty, is set to that first.
func migrateTo(ctx context.Context, m *migrate.Migrate, db *sqlx.DB, version int64) error {
	var finished int
	if err := db.GetContext(ctx, &finished, `PRAGMA user_version`); err != nil {
		return err
	}
	if finished == 0 {
		finished = database.NilVersion
	}
	err := m.Force(finished)
	switch {
	case err != nil:
	case version > 0:
		err = m.Migrate(uint(version))
	default:
		err = m.Down()
	}
	if errors.Is(err, migrate.ErrNoChange) || version == 0 && errors.Is(err, fs.ErrNotExist) { // nothing was there yet
		return nil
	}
	return err
}
