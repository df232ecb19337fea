package importer

import (
	"maps"
	"slices"
	"sync"
)

// maxSigns is how many changed files are remembered individually; beyond that everything is scanned.
const maxSigns = 10_000

// signs are the changed paths that have not been scanned since. It is safe for concurrent use.
type signs struct {
	come chan struct{} // holds one while there are any

	mu         sync.Mutex
	paths      map[string]bool
	everything bool
}

func newSigns() *signs {
	return &signs{come: make(chan struct{}, 1), paths: map[string]bool{}}
}

// add records a change at or below a path.
func (s *signs) add(path string) {
	s.mu.Lock()
	s.paths[path] = true
	s.everything = s.everything || len(s.paths) > maxSigns
	s.mu.Unlock()
	s.ring()
}

// addAll records a change at an unknown path.
func (s *signs) addAll() {
	s.mu.Lock()
	s.everything = true
	s.mu.Unlock()
	s.ring()
}

func (s *signs) ring() {
	select {
	case s.come <- struct{}{}:
	default:
	}
}

// take returns the paths in order and clears them; everything means that these are not all.
func (s *signs) take() (paths []string, everything bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	paths, everything = slices.Sorted(maps.Keys(s.paths)), s.everything
	clear(s.paths)
	s.everything = false
	return paths, everything
}
