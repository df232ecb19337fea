package search

import "coppice/backend/sqlite/internal/store"

// Store is the service of searches and of their index.
type Store struct {
	*store.Library
	pending  *PendingBatch
	indexing chan struct{} // holds an element while a goroutine indexes
}

// New returns the search of a library.
func New(l *store.Library) *Store {
	return &Store{Library: l, pending: &PendingBatch{}, indexing: make(chan struct{}, 1)}
}
