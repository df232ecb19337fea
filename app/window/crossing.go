package window

import "coppice/backend/core"

// SessionPage is a stretch of a list of sessions.
type SessionPage struct {
	Sessions []core.Session `json:"sessions"`
	Total    int64          `json:"total"` // sessions that match, without limit and offset
}

// Location is where a message is to be shown.
type Location struct {
	SessionID string `json:"sessionId"`
	LeafUID   string `json:"leafUid"` // the end of the path to show: the leaf last visited below the message, else the newest
	UID       string `json:"uid"`
	Depth     int64  `json:"depth"` // the message's index on the path
	Turn      int64  `json:"turn"`
	Branch    int64  `json:"branch"`
	LeafTurn  int64  `json:"leafTurn"` // the turn of LeafUID
}

// FoundSource is a place on this machine that holds sessions of another tool.
type FoundSource struct {
	Source    core.Source `json:"source"`
	Path      string      `json:"path"`
	Files     int64       `json:"files"`
	SizeBytes int64       `json:"sizeBytes"`
}

// Followed are the places whose sessions the library takes in as they are written.
type Followed struct {
	Paths    []string      `json:"paths"`    // absolute, never nil
	Chosen   bool          `json:"chosen"`   // false: the person was never asked
	Trouble  string        `json:"trouble"`  // why nothing comes in just now; empty: all is well
	Progress core.Progress `json:"progress"` // of a look at them that takes long; no total: there is none
}

// Job is a long work: an import, an export, a check.
type Job struct {
	ID          string        `json:"id"`
	Kind        string        `json:"kind"` // import export backup check recover
	Progress    core.Progress `json:"progress"`
	Done        bool          `json:"done"`
	Canceled    bool          `json:"canceled"`
	Error       string        `json:"error"` // why it failed; empty otherwise
	Hint        string        `json:"hint"`
	Report      core.Report   `json:"report"` // of an import
	Path        string        `json:"path"`   // of an export: what was written
	StartedAtMs int64         `json:"startedAtMs"`
	Recovery    core.Recovery `json:"recovery,omitempty,omitzero"` // of a recovery; Path is where the damaged library is
}

// ExportRequest says what to export.
type ExportRequest struct {
	SessionIDs []string `json:"sessionIds"`
	Format     string   `json:"format"`  // md html json jsonl
	Scope      string   `json:"scope"`   // path alternatives tree
	LeafUID    string   `json:"leafUid"` // the end of the path, where there is one session; empty: the head
	Redact     bool     `json:"redact"`
}

// Settings are what a person sets in the window.
type Settings struct {
	Theme       string `json:"theme"`       // system light dark
	ZoomPercent int64  `json:"zoomPercent"` // 50 to 300
}

// About describes the program and its file.
type About struct {
	Version string     `json:"version"`
	Stats   core.Stats `json:"stats"`
}
