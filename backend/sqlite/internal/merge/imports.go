package merge

import (
	"time"

	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/store"
)

// Store is the service that writes imported sessions.
type Store struct {
	*store.Library
	search   *search.Store
	patience time.Duration // see the constant; tests set less
}

// Hold returns a function that reports whether the writer must make room for others, or for the index.
func (db *Store) Hold(always bool) (enough func() bool) {
	since := time.Now()
	return func() bool {
		return !always && (db.File.Urgent() || time.Since(since) >= db.patience || search.PendingBatchOf(db.search).Full())
	}
}

// Patience is how long a merge keeps the writer where nobody waits for it in this process; somebody may in another one, where SQLite
// gives up after five seconds.
const Patience = time.Second

// New returns the service of imports of a library.
func New(l *store.Library, s *search.Store) *Store {
	return &Store{l, s, Patience}
}

// SetPatience sets how long a merge may hold the writer; 0: a message at a time.
func SetPatience(db *Store, d time.Duration) { db.patience = d }
