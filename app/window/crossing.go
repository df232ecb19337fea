package window

import "coppice/backend/core"

// SessionPage is a range of a list of sessions.
type SessionPage struct {
	Sessions []core.Session `json:"sessions"`
	Total    int64          `json:"total"` // number of matching sessions, regardless of limit and offset
}

// Location is the position at which a message is shown.
type Location struct {
	SessionID string `json:"sessionId"`
	LeafUID   string `json:"leafUid"` // the end of the path to show: the leaf last visited below the message, else the newest
	UID       string `json:"uid"`
	Depth     int64  `json:"depth"` // the message's index on the path
	Turn      int64  `json:"turn"`
	Branch    int64  `json:"branch"`
	LeafTurn  int64  `json:"leafTurn"` // the turn of LeafUID
}

// FoundSource is a known location on this machine that contains sessions of another tool.
type FoundSource struct {
	Source    core.Source `json:"source"`
	Path      string      `json:"path"`
	Files     int64       `json:"files"`
	SizeBytes int64       `json:"sizeBytes"`
}

// Followed describes the folders whose sessions the library imports as they are written.
type Followed struct {
	Paths    []string      `json:"paths"`    // absolute, never nil
	Chosen   bool          `json:"chosen"`   // false: the user has not made a choice yet
	Trouble  string        `json:"trouble"`  // why nothing is imported at present; empty if no error occurred
	Progress core.Progress `json:"progress"` // of a long import; the total is 0 if none is active
}

// ExportRequest describes an export.
type ExportRequest struct {
	SessionIDs []string `json:"sessionIds"`
	Format     string   `json:"format"`  // md, html, json or jsonl
	Scope      string   `json:"scope"`   // path, alternatives or tree
	LeafUID    string   `json:"leafUid"` // the end of the path, for one session; empty: the head
	Redact     bool     `json:"redact"`
}

// Settings are the user's settings in the window.
type Settings struct {
	Theme       string `json:"theme"`       // system, light or dark
	ZoomPercent int64  `json:"zoomPercent"` // 50 to 300
	// HibernateAfterMinutes ends a run as hibernated if the user does not answer a question for so long; 0: it waits.
	HibernateAfterMinutes int64 `json:"hibernateAfterMinutes,omitempty"`
}

// About describes the program and its library.
type About struct {
	Version string     `json:"version"`
	Stats   core.Stats `json:"stats"`
}

// UnsentMessage is a message that was queued for a run and not sent to its model before the run ended.
type UnsentMessage struct {
	SessionID string   `json:"sessionId"`
	Text      string   `json:"text"`
	Cites     []string `json:"cites"` // the uids of messages that Text refers to; never nil
}
