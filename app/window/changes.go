package window

import (
	"slices"
	"sync"
)

// What "changed" names besides ids of sessions and "job:ID".
const (
	changedLibrary    = "library"    // a session came, went or changed
	changedSettings   = "settings"   // the settings
	changedStatistics = "statistics" // more sessions are counted
	changedIndex      = "index"      // how far the index of words is
	changedFollowing  = "following"  // how far the look at followed places is, or what keeps it
)

// eventChanged is the event that says what the window shows may be stale: a key and a number that grows. The window
// asks again, so order and loss do not matter.
const eventChanged = "changed"

// watchedSessions is how many sessions are told of when another process has written.
const watchedSessions = 8

// changes tells the window what changed. It is safe for concurrent use.
type changes struct {
	emit func(name string, args ...any)

	mu      sync.Mutex
	seq     int64
	watched []string // the sessions the window asked for last
}

// tell says that the key's subject changed.
func (c *changes) tell(key string) {
	c.mu.Lock()
	c.seq++
	seq := c.seq
	c.mu.Unlock()
	c.emit(eventChanged, key, seq)
}

// followPaths remembers that the window shows a session.
func (c *changes) watch(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.watched); n > 0 && c.watched[n-1] == id {
		return
	}
	c.watched = append(slices.DeleteFunc(c.watched, func(other string) bool { return other == id }), id)
	c.watched = c.watched[max(0, len(c.watched)-watchedSessions):]
}

// tellAll says that anything may have changed.
func (c *changes) tellAll() {
	c.mu.Lock()
	watched := slices.Clone(c.watched)
	c.mu.Unlock()
	c.tell(changedLibrary)
	for _, id := range watched {
		c.tell(id)
	}
}
