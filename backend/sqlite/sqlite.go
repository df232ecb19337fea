// Package sqlite stores the library in one SQLite file. It is the only place with SQL.
//
// One connection writes, a pool of read-only ones reads, so a reader never waits for a writer. Other
// processes may have the same file open. Every method is safe to call from several goroutines, every error is
// a *core.Error, and a sequence's error ends it.
package sqlite

import (
	"context"

	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/checks"
	"coppice/backend/sqlite/internal/derive"
	"coppice/backend/sqlite/internal/merge"
	"coppice/backend/sqlite/internal/messages"
	"coppice/backend/sqlite/internal/runs"
	"coppice/backend/sqlite/internal/schema"
	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/secrets"
	"coppice/backend/sqlite/internal/sessions"
	"coppice/backend/sqlite/internal/statistics"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tending"
	"coppice/backend/sqlite/internal/trees"
)

// Options are the ways to open a library.
type Options = store.Options

// The services, by noun.
type (
	sessionStore  = sessions.Store
	messageStore  = messages.Store
	treeStore     = trees.Store
	tendingStore  = tending.Store
	runStore      = runs.Store
	searchStore   = search.Store
	activityStore = statistics.Store
	importStore   = merge.Store
	backupStore   = backups.Store
	checkStore    = checks.Store
	deriveStore   = derive.Store
	secretStore   = secrets.Store
)

// DB is an open library: its services, one by noun.
type DB struct {
	library *store.Library
	*sessionStore
	*messageStore
	*treeStore
	*tendingStore
	*runStore
	*searchStore
	*activityStore
	*importStore
	*backupStore
	*checkStore
	*deriveStore
	*secretStore
	*maintenance
}

func newDB(l *store.Library) *DB {
	index := search.New(l)
	return &DB{
		library: l, sessionStore: &sessionStore{Library: l}, messageStore: &messageStore{Library: l}, treeStore: &treeStore{Library: l},
		tendingStore: &tendingStore{Library: l}, runStore: &runStore{Library: l}, searchStore: index, activityStore: &activityStore{Library: l},
		importStore: merge.New(l, index), backupStore: &backupStore{Library: l}, checkStore: &checkStore{Library: l}, deriveStore: &deriveStore{Library: l}, secretStore: &secretStore{Library: l}, maintenance: &maintenance{l},
	}
}

// Open opens the library. It creates the file (mode 0600) and its folder (0700) if they are missing. An older file is
// migrated after a backup was written; a newer one is left alone.
//
// Codes: TooNew; Corrupt for a damaged file or one that is no database; Invalid for a database of another program;
// Denied if permissions are missing; Unavailable for a disk that fails or is full; Busy.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	return open(ctx, path, opts, schema.Current())
}

func open(ctx context.Context, path string, opts Options, s schema.Schema) (*DB, error) {
	l, err := s.Open(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	return newDB(l), nil
}

// Close waits for the writer and closes the file. Later calls fail; closing again does nothing.
//
// If no other process has the library open, the write-ahead log is moved into the file and removed. Otherwise the log
// stays as it is.
func (db *DB) Close() error { return db.library.Close() }

// Owns reports whether a path names one of the library's own files, which only SQLite may open. A file need not exist.
func (db *DB) Owns(path string) bool { return Owns(db.FilePath(), path) }

// FilePath returns the file's absolute path.
func (db *DB) FilePath() string { return db.library.FilePath() }

// IsEncrypted reports whether the library is encrypted. It does not read the file.
func (db *DB) IsEncrypted() bool { return cryptvfs.IsUnlocked(db.FilePath()) }

// Refusal returns why the library cannot be written; nil if it can.
func (db *DB) Refusal() error { return db.library.Refusal() }

// Written returns a channel that receives after this DB has written.
func (db *DB) Written() <-chan struct{} { return db.library.Written() }
