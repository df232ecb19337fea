// Package sqlite keeps the library in one SQLite file. It is the only place with SQL.
//
// One connection writes, a pool of read-only ones reads, so a reader never waits for a writer. Other
// processes may have the same file open. Every method is safe to call from several goroutines, every error is
// a *core.Error, and a sequence's error ends it.
package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/filelock"
	"coppice/migrations"
)

// Options say how to open a library.
type Options struct {
	ReadOnly bool         // nothing is written, nothing is migrated; the file must exist
	Fallback bool         // a library that cannot be written now, as on a full disk, is opened read-only: see DB.Refusal
	Now      func() int64 // Unix milliseconds; nil: the clock
}

// DB is an open library.
type DB struct {
	path   string
	now    func() int64
	codec  *codec
	reads  *reads
	writes *writes // nil: read only
	log    *log    // nil: read only

	refusal error  // why it is read only, if it should not be
	copied  string // the folder with the copy that is read; empty: none

	leftOpen bool      // see LeftOpen
	presence *presence // nil: read only, and there is no lock file
	files    identity
	probe    *filelock.Probe

	gathering gathering
	patience  time.Duration // see the constant; tests have less
	indexing  chan struct{} // holds one while somebody indexes
	written   chan struct{} // holds one where something was written since somebody listened
}

// Open opens the library, creating file (mode 0600) and folder (0700) where they are missing. An
// older file is migrated after a backup was put beside it; a newer one is left alone.
//
// Codes: TooNew; Corrupt for what is damaged or no database; Invalid for a database of another
// program; Denied where permissions are missing; Unavailable for a disk that fails or is full; Busy.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	return open(ctx, path, opts, schema{files: migrations.FS})
}

func open(ctx context.Context, path string, opts Options, s schema) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "find the library %s", path)
	}
	codec, err := newCodec()
	if err != nil {
		return nil, fail(err, "open the library %s", abs)
	}
	db := &DB{path: abs, now: opts.Now, codec: codec, patience: patience, indexing: make(chan struct{}, 1), written: make(chan struct{}, 1)}
	if db.now == nil {
		db.now = func() int64 { return time.Now().UnixMilli() }
	}
	switch {
	case opts.ReadOnly:
		err = db.openReadOnly(ctx, s)
	case opts.Fallback:
		err = db.openOrRead(ctx, s)
	default:
		err = db.openWritable(ctx, s)
	}
	if err != nil {
		db.Close() //nolint:errcheck // the first error says what is wrong
		return nil, fail(explain(err, abs), "open the library %s", abs)
	}
	return db, nil
}

func (db *DB) openWritable(ctx context.Context, s schema) error {
	var err error
	if db.leftOpen, err = leftOpen(db.path); err != nil {
		return err
	}
	if db.presence, err = s.prepare(ctx, db.path, db.now()); err != nil {
		return err
	}
	db.writes, db.reads = newWrites(), newReads()
	if err := db.attach(ctx); err != nil {
		return err
	}
	return s.mustMatch(ctx, db.reads.db) // a newer Coppice may have migrated it since prepare looked
}

func (db *DB) openReadOnly(ctx context.Context, s schema) error {
	if err := mustBeFile(db.path); err != nil {
		return err
	}
	db.presence = presentReadOnly(db.path)
	database, err := os.Stat(db.path)
	if err != nil {
		return err
	}
	db.files = identity{path: db.path, database: database}
	read, copied, err := connectToRead(ctx, db.path)
	if err != nil {
		return err
	}
	db.reads, db.copied = newReads(), copied
	db.reads.connect(read)
	return s.mustMatch(ctx, read)
}

// Close waits for the writer and closes the file. What is called later fails; closing again does nothing.
//
// If no other process has the library open, what waits in the write-ahead log is moved into the file and the log is
// removed. Otherwise the log is left alone.
func (db *DB) Close() error {
	var err error
	switch {
	case db.writes != nil:
		err = db.closeWritable()
	case db.reads != nil:
		err = errors.Join(db.reads.close(), db.presence.release())
	default:
		err = db.presence.release()
	}
	if db.copied != "" {
		err = errors.Join(err, os.RemoveAll(db.copied))
	}
	return fail(err, "close the library %s", db.path)
}

func (db *DB) closeWritable() error {
	db.writes.turn <- struct{}{}
	defer func() { <-db.writes.turn }()
	if db.writes.closed {
		return nil
	}
	db.writes.closed = true
	alone, lockErr := false, error(nil)
	if db.files.mustBeSame() == nil && db.files.hasLog() {
		alone, lockErr = db.presence.takeAlone()
	}
	return errors.Join(lockErr, db.detach(alone), db.presence.release())
}

// Written returns a channel that has something once this DB has written since it was last received from.
func (db *DB) Written() <-chan struct{} { return db.written }

// FilePath returns the file's absolute path.
func (db *DB) FilePath() string { return db.path }
