// Package change notifies the page that what it shows may be stale.
package change

import (
	"slices"
	"strings"
	"sync"
)

// Kind is a kind of change. TypeScript has the kinds as an enumeration; frontend/src/lib/api/query.ts maps each to the
// queries that it makes stale.
type Kind string

// Kinds of changes.
const (
	// Of the library.
	List       Kind = "list"       // sessions were added or deleted, or their totals changed
	Library    Kind = "library"    // the library's file is damaged or was replaced
	Settings   Kind = "settings"   // the settings
	Statistics Kind = "statistics" // more sessions have been counted
	Index      Kind = "index"      // the progress of the full-text index
	Following  Kind = "following"  // the progress or the problem of followed folders
	Job        Kind = "job"        // the state of a job

	// Of a session.
	Session     Kind = "session"     // its title, or whether it is pinned, archived or in the trash
	Head        Kind = "head"        // the message that the session continues from
	Messages    Kind = "messages"    // messages were added, and totals with them
	Labels      Kind = "labels"      // labels, colors, bookmarks or the main path
	Trash       Kind = "trash"       // messages were moved to its trash, restored or deleted
	Checkpoints Kind = "checkpoints" // checkpoints were named or removed, or one was restored
	Approvals   Kind = "approvals"   // its permissions; without a session, those for all sessions
	Run         Kind = "run"         // the state of an active run, up to once a frame
)

// TSName returns the kind's name in TypeScript.
func (k Kind) TSName() string { return strings.ToUpper(string(k[:1])) + string(k[1:]) }

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		List, Library, Settings, Statistics, Index, Following, Job,
		Session, Head, Messages, Labels, Trash, Checkpoints, Approvals, Run,
	}
}

// Change is the value of the event "changed": what the page shows may be stale. The page queries again, so lost or reordered
// events do no harm.
type Change struct {
	SessionID string `json:"sessionId"` // empty: the change is not of one session
	JobID     string `json:"jobId"`     // empty unless the kind is job
	Kinds     []Kind `json:"kinds"`     // never empty
}

// Event is the name of the event.
const Event = "changed"

// watchedSessions is the number of sessions that the window is notified of when another process has written.
const watchedSessions = 8

// Notifier notifies the window of changes. It is safe for concurrent use.
type Notifier struct {
	Emit func(name string, args ...any)

	mu      sync.Mutex
	watched []string // the sessions that the window requested last
}

// Library reports a change that is not of one session.
func (c *Notifier) Library(kinds ...Kind) { c.Emit(Event, Change{Kinds: kinds}) }

// Session reports a change of a session.
func (c *Notifier) Session(id string, kinds ...Kind) {
	c.Emit(Event, Change{SessionID: id, Kinds: kinds})
}

// Job reports that the state of a job has changed.
func (c *Notifier) Job(id string) {
	c.Emit(Event, Change{JobID: id, Kinds: []Kind{Job}})
}

// Watch adds a session to those that the window shows.
func (c *Notifier) Watch(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.watched); n > 0 && c.watched[n-1] == id {
		return
	}
	c.watched = append(slices.DeleteFunc(c.watched, func(other string) bool { return other == id }), id)
	c.watched = c.watched[max(0, len(c.watched)-watchedSessions):]
}

// All reports that any data may have changed.
func (c *Notifier) All() {
	c.mu.Lock()
	watched := slices.Clone(c.watched)
	c.mu.Unlock()
	c.Library(List, Library)
	for _, id := range watched {
		c.Session(id, Session, Head, Messages, Labels, Trash, Checkpoints, Approvals)
	}
}
