package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/filelock"
)

// readersPatience is how long opening the library again waits for readers that are at work.
const readersPatience = 5 * time.Second

// attach connects to the library's files. The caller has the turn, and no reader is at work.
func (db *DB) attach(ctx context.Context) (err error) {
	db.files = identity{path: db.path}
	if db.files.database, err = os.Stat(db.path); err != nil {
		return err
	}
	write, err := connect(ctx, db.path, writePragmas())
	if err != nil {
		return err
	}
	if err := db.writes.connect(ctx, write); err != nil {
		return err
	}
	db.log = newLog(db.path)
	read, err := connect(ctx, db.path, readPragmas())
	if err != nil {
		return err
	}
	db.reads.connect(read)
	if db.files.wal, err = os.Stat(db.path + "-wal"); err != nil {
		return err
	}
	if db.probe, err = filelock.NewProbe(db.path); err != nil {
		return err
	}
	return db.files.mustBeSame() // the path may have changed its meaning between two of the steps above
}

// detach closes what attach has opened, as far as it got. The connection that writes is the last one: SQLite removes
// the write-ahead log with the last connection, if that one lets it.
func (db *DB) detach(alone bool) error {
	errs := []error{db.reads.close()}
	if db.log != nil {
		errs = append(errs, db.log.close())
	}
	errs = append(errs, db.writes.disconnect(alone), db.probe.Close())
	db.log, db.probe = nil, nil
	return errors.Join(errs...)
}

// ensureFiles makes sure that what is written reaches the library's files and that other processes see the locks.
// It costs four stats and two requests for locks. The caller has the turn.
func (db *DB) ensureFiles(ctx context.Context) error {
	if err := db.files.mustBeSame(); err != nil {
		return err
	}
	if !db.presence.holds() {
		if err := errors.Join(db.presence.release(), db.presence.share(ctx)); err != nil {
			return err
		}
	}
	held, err := db.probe.Held()
	if err != nil {
		return fmt.Errorf("look at the library's locks: %w", err)
	}
	if held && db.writes.conn != nil && db.files.hasLog() {
		return nil
	}
	return db.reattach(ctx)
}

// reattach opens the library's files again after the locks or the write-ahead log were taken away.
func (db *DB) reattach(ctx context.Context) error {
	slog.Warn("opening the library again, its locks or its write-ahead log are missing", slog.String("path", db.path))
	if !db.reads.pause(ctx) {
		return core.E(core.Busy, "the library's locks were taken away, and readers keep it open").WithHint("try again")
	}
	defer db.reads.resume()
	if err := db.detach(false); err != nil {
		slog.Warn("closing the library", slog.Any("error", err)) // what matters is whether it opens
	}
	if err := db.attach(ctx); err != nil {
		return errors.Join(fmt.Errorf("open the library again: %w", err), db.detach(false))
	}
	held, err := db.probe.Held()
	if err == nil && !held {
		err = core.E(core.Unavailable, "lock the library again: the locks are missing").WithHint("check that the disk is writable, then restart Coppice")
	}
	return err
}
