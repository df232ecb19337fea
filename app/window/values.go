package window

import (
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/provider"
)

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
	Agent     string `json:"agent"`    // of an answer; empty for other messages
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
	Missing  []string      `json:"missing"`  // those of Paths that do not exist: moved, deleted, or on a disk that is not mounted
	Trouble  string        `json:"trouble"`  // why nothing is imported at present; empty if no error occurred
	Progress core.Progress `json:"progress"` // of a long import; the total is 0 if none is active
}

// ExportRequest describes an export.
type ExportRequest struct {
	SessionIDs []string `json:"sessionIds"`
	All        bool     `json:"all"`    // all sessions outside the trash instead
	Format     string   `json:"format"` // see export.Formats
	Scope      string   `json:"scope"`  // path, alternatives, branches, turn, turns or tree
	Detail     string   `json:"detail"` // of md, html and txt: full, compact or prompts
	// LeafUIDs are the ends of the paths, or a message of the turn, for one session; empty: the head.
	LeafUIDs []string `json:"leafUids"`
	FromUID  string   `json:"fromUid"`  // of the scope turns: a message of the first turn
	WithJSON bool     `json:"withJson"` // a page carries its JSON
	Words    []string `json:"words"`    // also redacted
	Keep     []string `json:"keep"`     // the ids of values that are not redacted
	Redact   bool     `json:"redact"`
	Theme    string   `json:"theme"` // of a picture: light, dark, or empty for an SVG that follows its viewer
	// Passphrase names the passphrase that encrypts a page, see exportPassphrasePath; empty: the page is not encrypted.
	Passphrase string `json:"passphrase"`
}

// Settings are the user's settings in the window.
type Settings struct {
	Theme       string `json:"theme"`              // system, light or dark
	ZoomPercent int64  `json:"zoomPercent"`        // 50 to 300
	Language    string `json:"language,omitempty"` // of texts; empty: that of the system
	// HibernateAfterMinutes ends a run as hibernated if the user does not answer a question for so long; 0: it waits.
	HibernateAfterMinutes int64 `json:"hibernateAfterMinutes,omitempty"`
	HighContrast          bool  `json:"highContrast,omitempty"`
	// ReadingFontPx is the size of prose in the transcript; 0: 15. ReadingWidth is its measure: narrow, wide or full; empty:
	// 72 characters.
	ReadingFontPx int64  `json:"readingFontPx,omitempty"`
	ReadingWidth  string `json:"readingWidth,omitempty"`
	// MuteQuestions and MuteEnds turn off the notifications of questions and of ends of runs.
	MuteQuestions bool `json:"muteQuestions,omitempty"`
	MuteEnds      bool `json:"muteEnds,omitempty"`
	// AutoLockMinutes locks an encrypted library after so long without a key or a click; 0: never.
	AutoLockMinutes int64 `json:"autoLockMinutes"`
}

// Providers are the providers that the user can set up.
type Providers struct {
	Services []provider.Service `json:"services"`
	Keyring  string             `json:"keyring"` // why keys cannot be stored in the keyring of the system; empty if they can
}

// TestResult is the result of a test of a provider or an MCP server.
type TestResult struct {
	OK      bool     `json:"ok"`
	Message string   `json:"message"` // why it cannot be used; empty if it can
	Hint    string   `json:"hint"`
	Names   []string `json:"names"` // the models or tools that it offers; never nil
	TookMs  int64    `json:"tookMs"`
}

// Defaults are what a new session starts with.
type Defaults struct {
	Path     string   `json:"path"` // of the user's configuration
	Problems []string `json:"problems"`
	Model    string   `json:"model"` // PROVIDER/MODEL; empty: the first one that can be used
	Agent    string   `json:"agent"`
	Mode     string   `json:"mode"`
}

// AgentView is an agent that can be chosen.
type AgentView struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Model       string           `json:"model"` // empty: the model of the run
	Mode        string           `json:"mode"`
	Tools       []string         `json:"tools"`  // empty: all
	Source      string           `json:"source"` // the file; empty: a built-in agent
	Own         bool             `json:"own"`    // the user's own, which Edit can change
	Edit        config.AgentEdit `json:"edit"`
}

// About describes the program and its library.
type About struct {
	Version string     `json:"version"`
	Stats   core.Stats `json:"stats"`
}

// UnsentMessage is a message that was queued for a run and not sent to its model before the run ended.
type UnsentMessage struct {
	UID       string   `json:"uid"`
	SessionID string   `json:"sessionId"`
	Text      string   `json:"text"`
	Cites     []string `json:"cites"` // the uids of messages that Text refers to; never nil
}
