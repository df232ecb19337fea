package importer

import (
	"maps"
	"slices"
	"sync"
)

// maxChanges is how many changed files are remembered individually; beyond that everything is scanned.
const maxChanges = 10_000

// changes are the changed paths that have not been scanned since. It is safe for concurrent use.
type changes struct {
	ready chan struct{} // holds one while there are any

	mu         sync.Mutex
	paths      map[string]bool
	everything bool
}

func newChanges() *changes {
	return &changes{ready: make(chan struct{}, 1), paths: map[string]bool{}}
}

// add records a change at or below a path.
func (s *changes) add(path string) {
	s.mu.Lock()
	s.paths[path] = true
	s.everything = s.everything || len(s.paths) > maxChanges
	s.mu.Unlock()
	s.ring()
}

// addAll records a change at an unknown path.
func (s *changes) addAll() {
	s.mu.Lock()
	s.everything = true
	s.mu.Unlock()
	s.ring()
}

func (s *changes) ring() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// take returns the paths in order and clears them; everything means that these are not all.
func (s *changes) take() (paths []string, everything bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	paths, everything = slices.Sorted(maps.Keys(s.paths)), s.everything
	clear(s.paths)
	s.everything = false
	return paths, everything
}
