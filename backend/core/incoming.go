package core

import (
	"encoding/json"
	"iter"
)

// Incoming is one session on its way into the library, from a foreign file or from an archive.
// The store merges it: what is there already stays, what is new is added.
//
// A session is found by its ID, else by (Source, SourceID) or one of the Aliases it came by
// before, else by a message with the uid of Incoming's first message in a session of the same
// source, if that uid is a UUID: shorter ones may mean something else elsewhere. Where it is found that way, Incoming's SourceID becomes an alias of it: a copy that another
// tool made of a conversation is shown once, its own messages as branches.
type Incoming struct {
	// Session carries what the source says. Counters, HeadUID and times of use are ignored; an empty ID is derived
	// from Source and SourceID. For a session that is there already, non-empty fields of the
	// source (Title, Task, Model, …) replace the stored ones unless a person has changed those.
	Session Session
	// ParentSourceID is the id that the parent session has in the source. The importer finds the
	// parent by it, also where that was merged into another session, and sets Session.ParentID;
	// where there is no such session, Session.ParentID stays as it is. Empty: no parent.
	ParentSourceID string
	// Spawned names the sessions of subagents that messages of this one started. Parent and child find each other whichever comes first.
	Spawned []Spawn
	// Messages yields the whole tree, a parent before its children, in the order of creation. It is called once, while a
	// transaction is open or before, so it must not wait for a writer, and may be stopped at any time. An error of kind Invalid ends the
	// import of this session with nothing written, or of a long one with its beginning.
	Messages iter.Seq2[IncomingMessage, error]
	// Ahead says that Messages asks nothing of the library, so it may be called, from another goroutine, before what comes before it
	// is written. Prepared is what the library has made of it then, and means nothing to others.
	Ahead    bool
	Prepared any
	// Head is called after Messages is exhausted and returns the uid the source would continue from; empty: before the first message.
	Head func() string
	// Records is called after Messages and yields what the source holds besides messages. A file
	// that has grown yields the new ones only; one read again from the start yields all, so that
	// a record that is there already (same session, line and body) is not added again.
	Records iter.Seq[Record]
	// Labels are set on the turns of the messages they name. One without a text takes a name back that is not newer.
	Labels []Label
	// Bookmarks are set like Labels. What is in the trash of the session, and Session.MainUID, count for messages that are new here.
	Bookmarks []Bookmark
	Hidden    []HiddenTop
	// Repeated names messages that repeat others. An older version of an importer took them for messages of their own: where they are
	// there and Messages does not yield them, they go to the session's trash.
	Repeated []string
	// Aliases are other ids by which the session is to be found. Only archives have them.
	Aliases []Alias
	// Blobs yields contents that Messages refer to by hash; nil where media carry their own Data.
	Blobs iter.Seq2[Blob, error]
	// Cursor remembers how far the file was read; written in the same transaction. nil for archives.
	Cursor *Cursor
	// Keep says that a message that is there already is left as it is, even if Incoming's differs. Archives
	// keep; importers, whose last message may have grown, replace.
	Keep bool
}

// Spawn is a session's record of a subagent that it started.
type Spawn struct {
	SourceID string // the id of the subagent's session in the source
	UID      string // the message with the call that started it
	Agent    string // the agent's name; empty: not known
	Title    string // what the subagent is to do; empty: not known
}

// Alias is another id of a session: that of a copy which was merged into it.
type Alias struct {
	Source     Source `json:"source" db:"source"`
	SourceID   string `json:"sourceId" db:"source_id"`
	SourcePath string `json:"sourcePath" db:"source_path"`
	HeadUID    string `json:"headUid" db:"head_uid"` // the message the copy continues from
}

// IncomingMessage is a message with its parent's uid. Seq, Turn, Branch, Depth and Siblings are ignored.
type IncomingMessage struct {
	Message
	// Known says that the body was imported before and is not repeated: only UID and ParentUID count.
	Known bool
}

// Record is something a foreign file holds besides messages, kept verbatim.
type Record struct {
	AfterUID string          `json:"afterUid"` // the message it came after; empty: before the first
	Line     int64           `json:"line"`     // in the source, from 1; 0 where there are no lines
	Type     string          `json:"type"`     // as the source says it
	Known    bool            `json:"known"`    // false: this version does not know what it means
	Body     json.RawMessage `json:"body"`     // valid JSON
}

// RecordCount counts the records of a type that a session has.
type RecordCount struct {
	Type  string `json:"type"`
	Known bool   `json:"known"` // false: this version does not know what the type means
	Count int64  `json:"count"`
}

// Blob is a content and its address.
type Blob struct {
	Hash     string `json:"hash"` // see Hash
	MimeType string `json:"mimeType"`
	Data     []byte `json:"data"`
}

// Cursor says how far a source file has been imported.
type Cursor struct {
	Path         string `json:"path" db:"path"` // absolute
	Format       string `json:"format" db:"format"`
	SizeBytes    int64  `json:"sizeBytes" db:"size_bytes"`     // of the file when it was read
	ModifiedNs   int64  `json:"modifiedNs" db:"modified_ns"`   // of the file when it was read
	OffsetBytes  int64  `json:"offsetBytes" db:"offset_bytes"` // everything before it, whole lines, is in the library
	TailHash     string `json:"tailHash" db:"tail_hash"`       // of the last 4 KiB before OffsetBytes, to tell growth from rewriting
	Version      int64  `json:"version" db:"version"`          // of the importer; an older one is read again from the start
	ImportedAtMs int64  `json:"importedAtMs" db:"imported_at_ms"`
}

// Merged says what became of an Incoming.
type Merged struct {
	SessionID string
	Created   bool  // the session is new
	Added     int64 // messages
	Updated   int64 // messages replaced by a longer form
	Moved     int64 // messages that now stand elsewhere in the tree
	Bounded   int64 // new messages whose token counts or cost were limited, see Message.Bound
}

// Report says what an import did. Imported, Updated, Unchanged and Skipped count sources: files, or sessions of an archive.
type Report struct {
	Imported  int64     `json:"imported"`
	Updated   int64     `json:"updated"`
	Unchanged int64     `json:"unchanged"`
	Skipped   int64     `json:"skipped"`        // not recognised, or nothing in it
	Gone      int64     `json:"gone,omitempty"` // files that were deleted elsewhere since they were imported: what came from them stays
	Back      int64     `json:"back,omitempty"` // files that were, and are there again
	Sessions  []string  `json:"sessions"`       // the ids of new and changed sessions, never nil
	Problems  []Problem `json:"problems"`       // never nil
	// UnknownRecords counts what was stored of types that this version does not know, ordered by source and type.
	UnknownRecords []UnknownRecords `json:"unknownRecords,omitempty"`
}

// UnknownRecords counts the records of one type.
type UnknownRecords struct {
	Source Source `json:"source"`
	Type   string `json:"type"` // as the source names it; empty if it names none
	Count  int64  `json:"count"`
}

// Problem is something in a source that could not be read. The rest was.
type Problem struct {
	Path    string `json:"path"`
	Line    int64  `json:"line"` // from 1; 0: the whole file
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to do about it; empty where there is nothing to do
}

// Progress tells how far a long work has come.
type Progress struct {
	Done       int64  `json:"done"`  // files, or sessions
	Total      int64  `json:"total"` // 0: not known yet
	DoneBytes  int64  `json:"doneBytes"`
	TotalBytes int64  `json:"totalBytes"`
	Current    string `json:"current"` // what is being worked on
}
