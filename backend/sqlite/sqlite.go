// Package sqlite keeps the library in one SQLite file. It is the only place with SQL.
//
// One connection writes, a pool of read-only ones reads, so a reader never waits for a writer. Other
// processes may have the same file open. Every method is safe to call from several goroutines, every error is
// a *core.Error, and a sequence's error ends it.
package sqlite

import (
	"context"
	"path/filepath"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/migrations"
)

// Options say how to open a library.
type Options struct {
	ReadOnly bool         // nothing is written, nothing is migrated; the file must exist
	Fallback bool         // a library that cannot be written now, as on a full disk, is opened read-only: see DB.Refusal
	Now      func() int64 // Unix milliseconds; nil: the clock
}

// DB is an open library: its services, one by noun.
type DB struct {
	*library
	*sessionStore
	*messageStore
	*treeStore
	*tendingStore
	*runStore
	*searchStore
	*activityStore
	*importStore
	*maintenance
}

func newDB(l *library) *DB {
	search := &searchStore{l}
	return &DB{
		library: l, sessionStore: &sessionStore{l}, messageStore: &messageStore{l}, treeStore: &treeStore{l}, tendingStore: &tendingStore{l},
		runStore: &runStore{l}, searchStore: search, activityStore: &activityStore{l}, importStore: &importStore{l, search}, maintenance: &maintenance{l},
	}
}

// Open opens the library. It creates the file (mode 0600) and its folder (0700) if they are missing. An older file is
// migrated after a backup was written; a newer one is left alone.
//
// Codes: TooNew; Corrupt for a damaged file or one that is no database; Invalid for a database of another program;
// Denied if permissions are missing; Unavailable for a disk that fails or is full; Busy.
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
		return nil, conn.Fail(err, "open the library %s", abs)
	}
	db := newDB(&library{now: opts.Now, codec: codec, patience: patience, indexing: make(chan struct{}, 1)})
	if db.now == nil {
		db.now = func() int64 { return time.Now().UnixMilli() }
	}
	db.file, err = conn.Open(ctx, abs, conn.Options{
		ReadOnly: opts.ReadOnly, Fallback: opts.Fallback, Match: s.mustMatch,
		Prepare: func(ctx context.Context) (*conn.Presence, error) { return s.prepare(ctx, abs, db.now()) },
	})
	if err != nil {
		return nil, conn.Fail(err, "open the library %s", abs)
	}
	return db, nil
}

// Close waits for the writer and closes the file. Later calls fail; closing again does nothing.
//
// If no other process has the library open, the write-ahead log is moved into the file and removed. Otherwise the log
// stays as it is.
func (db *DB) Close() error {
	return conn.Fail(db.file.Close(), "close the library %s", db.FilePath())
}
