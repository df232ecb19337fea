package core

import (
	"iter"
)

// Header is what a source holds of a session besides its messages, records and contents.
type Header struct {
	// Session carries what the source records. Counters, HeadUID and times of use are ignored; an empty ID is derived
	// from Source and SourceID. For a stored session, non-empty fields of the source (Title, Task,
	// Model, …) replace the stored ones unless the user has changed those.
	Session Session
	// ParentSourceID is the id of the parent session in the source. The importer finds the parent by it, even if that
	// was merged into another session, and sets Session.ParentID; if there is no such session, Session.ParentID stays
	// as it is. Empty: no parent.
	ParentSourceID string
	// Spawned names the subagent sessions that messages of this one started. Parent and child are linked in whichever order they are
	// imported.
	Spawned []Spawn
	// Labels are set on the turns of the messages they name. A label without a text removes a label that is not newer.
	Labels []Label
	// Bookmarks are set like Labels. The trash of the session and Session.MainUID apply only to messages that are new here.
	Bookmarks []Bookmark
	Hidden    []HiddenTop
	// Wakes are what a hibernated session waits for. They are stored as inactive until the user confirms them: a file must not start
	// a run.
	Wakes []Wake
	// Repeated names messages that repeat others. An older version of an importer stored them as separate messages: if they exist and
	// the source does not hold them, they go to the session's trash.
	Repeated []string
	// Aliases are other ids of the session. Only archives have them.
	Aliases []Alias
	// Cursor records how far the file was read; it is written in the same transaction. nil for archives.
	Cursor *Cursor
	// Again imports the session even if the user has removed it for good. Otherwise such a session is left out, see Merged.Removed.
	Again bool
	// Keep leaves a message that is already stored as it is, even if the source's differs. Archives keep; importers,
	// whose last message may have grown, replace.
	Keep bool
}

// Incoming is one session of a foreign file or of an archive, on its way into the library. Deliver reads it.
type Incoming struct {
	Header
	// Messages yields the whole tree, a parent before its children, in the order of creation. It must not wait for a
	// writer of the library, and may be stopped at any time. An error of kind Invalid ends the import of this
	// session; nothing of it is written, or only the beginning of a long one.
	Messages iter.Seq2[IncomingMessage, error]
	// Ahead means that Messages reads nothing from the library, so it may run while earlier sessions are still being written.
	Ahead bool
	// Head returns the uid that the source would continue from; empty: before the first message. nil: the last message.
	Head func() string
	// Records yields what the source holds besides messages; nil: nothing. A file that has grown yields
	// only the new ones; a file that is read again from the start yields all, so a record that is already stored (same
	// session, line and body) is not added again.
	Records iter.Seq[Record]
	// RunItems yields what runs left; nil: nothing. Only archives have it.
	RunItems iter.Seq2[RunItem, error]
	// Blobs yields contents that Messages and RunItems refer to by hash; nil if media carry their own Data.
	Blobs iter.Seq2[Blob, error]
}

// Spawn is a session's record of a subagent that it started.
type Spawn struct {
	SourceID string // the id of the subagent's session in the source
	UID      string // the message with the call that started it
	Agent    string // the agent's name; empty: unknown
	Title    string // what the subagent is to do; empty: unknown
}

// Alias is another id of a session: that of a copy that was merged into it.
type Alias struct {
	Source     Source `json:"source" db:"source"`
	SourceID   string `json:"sourceId" db:"source_id"`
	SourcePath string `json:"sourcePath" db:"source_path"`
	HeadUID    string `json:"headUid" db:"head_uid"` // the message the copy continues from
}

// IncomingMessage is a message with its parent's uid. Seq, Turn, Branch, Depth and Siblings are ignored.
type IncomingMessage struct {
	Message
	// Known means that the body was imported before and is not repeated: only UID and ParentUID are set.
	Known bool
}

// Cursor records how far a source file has been imported.
type Cursor struct {
	Path         string `json:"path" db:"path"` // absolute
	Format       string `json:"format" db:"format"`
	SizeBytes    int64  `json:"sizeBytes" db:"size_bytes"`     // of the file when it was read
	ModifiedNs   int64  `json:"modifiedNs" db:"modified_ns"`   // of the file when it was read
	OffsetBytes  int64  `json:"offsetBytes" db:"offset_bytes"` // everything before it, whole lines, is in the library
	TailHash     string `json:"tailHash" db:"tail_hash"`       // of the last 4 KiB before OffsetBytes, to distinguish growth from rewriting
	Version      int64  `json:"version" db:"version"`          // of the importer; a file read by an older one is read again from the start
	ImportedAtMs int64  `json:"importedAtMs" db:"imported_at_ms"`
}

// Merged is the result of committing a Batch.
type Merged struct {
	SessionID string // empty: left out
	Removed   bool   // the session, or the one that started it, was removed for good: nothing was written
	Created   bool   // the session is new
	Added     int64  // messages
	Updated   int64  // messages replaced by a longer version
	Moved     int64  // messages whose position in the tree changed
	Bounded   int64  // new messages whose token counts or cost were limited, see Message.Bound
}
