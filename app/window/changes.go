package window

import (
	"slices"
	"strings"
	"sync"
)

// ChangeKind is a kind of change. TypeScript has the kinds as an enumeration; frontend/src/lib/api/query.ts maps each to the
// queries that it makes stale.
type ChangeKind string

// Kinds of changes.
const (
	// Of the library.
	changedList       ChangeKind = "list"       // sessions were added or deleted, or their totals changed
	changedLibrary    ChangeKind = "library"    // the library's file is damaged or was replaced
	changedSettings   ChangeKind = "settings"   // the settings
	changedStatistics ChangeKind = "statistics" // more sessions have been counted
	changedIndex      ChangeKind = "index"      // the progress of the full-text index
	changedFollowing  ChangeKind = "following"  // the progress or the problem of followed folders
	changedJob        ChangeKind = "job"        // the state of a job

	// Of a session.
	changedSession   ChangeKind = "session"   // its title, or whether it is pinned, archived or in the trash
	changedHead      ChangeKind = "head"      // the message that the session continues from
	changedMessages  ChangeKind = "messages"  // messages were added, and totals with them
	changedLabels    ChangeKind = "labels"    // labels, colours, bookmarks or the main path
	changedTrash     ChangeKind = "trash"     // messages were moved to its trash, restored or deleted
	changedApprovals ChangeKind = "approvals" // its permissions; without a session, those for all sessions
	changedRun       ChangeKind = "run"       // the state of an active run, up to once a frame
)

// TSName returns the kind's name in TypeScript.
func (k ChangeKind) TSName() string { return strings.ToUpper(string(k[:1])) + string(k[1:]) }

// changeKinds returns all kinds.
func changeKinds() []ChangeKind {
	return []ChangeKind{
		changedList, changedLibrary, changedSettings, changedStatistics, changedIndex, changedFollowing, changedJob,
		changedSession, changedHead, changedMessages, changedLabels, changedTrash, changedApprovals, changedRun,
	}
}

// Change is the value of the event "changed": what the page shows may be stale. The page queries again, so lost or reordered
// events do no harm.
type Change struct {
	SessionID string       `json:"sessionId"` // empty: the change is not of one session
	JobID     string       `json:"jobId"`     // empty unless the kind is job
	Kinds     []ChangeKind `json:"kinds"`     // never empty
}

// eventChanged is the name of the event.
const eventChanged = "changed"

// watchedSessions is the number of sessions that the window is notified of when another process has written.
const watchedSessions = 8

// changes notifies the window of changes. It is safe for concurrent use.
type changes struct {
	emit func(name string, args ...any)

	mu      sync.Mutex
	watched []string // the sessions that the window requested last
}

// library reports a change that is not of one session.
func (c *changes) library(kinds ...ChangeKind) { c.emit(eventChanged, Change{Kinds: kinds}) }

// session reports a change of a session.
func (c *changes) session(id string, kinds ...ChangeKind) {
	c.emit(eventChanged, Change{SessionID: id, Kinds: kinds})
}

// job reports that the state of a job has changed.
func (c *changes) job(id string) {
	c.emit(eventChanged, Change{JobID: id, Kinds: []ChangeKind{changedJob}})
}

// watch adds a session to those that the window shows.
func (c *changes) watch(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.watched); n > 0 && c.watched[n-1] == id {
		return
	}
	c.watched = append(slices.DeleteFunc(c.watched, func(other string) bool { return other == id }), id)
	c.watched = c.watched[max(0, len(c.watched)-watchedSessions):]
}

// all reports that any data may have changed.
func (c *changes) all() {
	c.mu.Lock()
	watched := slices.Clone(c.watched)
	c.mu.Unlock()
	c.library(changedList, changedLibrary)
	for _, id := range watched {
		c.session(id, changedSession, changedHead, changedMessages, changedLabels, changedTrash, changedApprovals)
	}
}
