package search

import "coppice/backend/sqlite/internal/store"

// Store is the service of searches and of their index.
type Store struct {
	*store.Library
	gathering *Gathering
	indexing  chan struct{} // holds an element while a goroutine indexes
}

// New returns the search of a library.
func New(l *store.Library) *Store {
	return &Store{Library: l, gathering: &Gathering{}, indexing: make(chan struct{}, 1)}
}
