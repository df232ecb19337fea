package core

// Sort is the order of a list of sessions. Every order but SortTitle is newest or largest first.
type Sort string

// The orders.
const (
	SortUpdated  Sort = "updated" // the default
	SortCreated  Sort = "created"
	SortTitle    Sort = "title"
	SortMessages Sort = "messages"
	SortBranches Sort = "branches"
	SortCost     Sort = "cost"
	SortMatch    Sort = "match" // titles equal to the query first, then as SortUpdated
)

// SessionFilter selects the sessions of a list. The zero value means: all but the trash, the archived ones and those
// that belong to a parent session, newest first.
type SessionFilter struct {
	Query       string   `json:"query"` // in title, task, name, workspace and ids, ignoring case
	Sources     []Source `json:"sources"`
	Statuses    []Status `json:"statuses"`
	Workspace   string   `json:"workspace"`  // exact path
	Model       string   `json:"model"`      // exact
	Label       string   `json:"label"`      // sessions with a turn of this label
	ParentID    string   `json:"parentId"`   // the children of this session, instead of sessions without a parent
	Children    bool     `json:"children"`   // include sessions that belong to a parent
	Incomplete  bool     `json:"incomplete"` // only what can be resumed: running, partial, failed, interrupted, hibernated
	Pinned      bool     `json:"pinned"`     // only pinned ones
	Archived    bool     `json:"archived"`   // only archived ones
	Trash       bool     `json:"trash"`      // only the trash
	Sort        Sort     `json:"sort"`
	PinnedFirst bool     `json:"pinnedFirst"`
	Limit       int64    `json:"limit"` // 0: no limit
	Offset      int64    `json:"offset"`
	// Sessions with activity, their own or of a subagent, from one time to before another; 0: no limit. Both are rounded down to
	// quarters of an hour, so that they fit the days of every time zone.
	ActiveFromMs   int64 `json:"activeFromMs"`
	ActiveBeforeMs int64 `json:"activeBeforeMs"`
}

// Facet is a value that sessions have, and how many have it.
type Facet struct {
	Value string `json:"value" db:"value"`
	Count int64  `json:"count" db:"count"`
}

// Facets are the values that a list of sessions can be filtered by, most frequent first.
type Facets struct {
	Total      int64   `json:"total"` // without the trash, the archive and children
	Pinned     int64   `json:"pinned"`
	Archived   int64   `json:"archived"`
	Trash      int64   `json:"trash"`
	Incomplete int64   `json:"incomplete"`
	Sources    []Facet `json:"sources"`
	Statuses   []Facet `json:"statuses"`
	Workspaces []Facet `json:"workspaces"`
	Models     []Facet `json:"models"`
	Labels     []Facet `json:"labels"`
}

// SearchOrder is the order of hits.
type SearchOrder string

// The search orders.
const (
	Newest    SearchOrder = "newest"    // the default
	Relevance SearchOrder = "relevance" // of the newest, the best matches first; not for a substring or a regular expression
)

// SearchQuery describes what to search for in the text of messages.
type SearchQuery struct {
	Text      string      `json:"text"`      // in the language of docs/search.md
	Substring bool        `json:"substring"` // Text is searched verbatim, ignoring case
	Regex     bool        `json:"regex"`     // Text is a Go regular expression
	Filter    string      `json:"filter"`    // an additional condition, in the language
	SessionID string      `json:"sessionId"` // empty: everywhere but in the trash
	FromID    string      `json:"fromId"`    // the session that the search was started in, for in:session; empty: SessionID
	Order     SearchOrder `json:"order"`
	Typing    bool        `json:"typing"` // the end of Text is still being typed: its last word may be a prefix
	Limit     int64       `json:"limit"`  // 0: 50
	// Before is Found.Next of an answer to this query: the search continues there. 0: it begins with the newest message.
	Before int64 `json:"before"`
	// WithinMs is the approximate time limit of a search that reads texts; it returns what it has found by then. 0: no limit.
	WithinMs int64 `json:"withinMs"`
}

// Found is the result of a search.
type Found struct {
	Hits []Hit `json:"hits"` // never nil
	// Total is the number of matching messages; More means that there are more.
	Total int64 `json:"total"`
	More  bool  `json:"more"`
	// Uncounted means that Total and the counts of sessions cover Hits only: HitCount returns the rest.
	Uncounted bool `json:"uncounted"`
	// Next is the Before of the query that continues the search; 0: the search is complete.
	Next int64 `json:"next"`
	// Looked is the number of messages that were read because no index covers them, and LookedToMs the time of the oldest of
	// them.
	Looked     int64 `json:"looked"`
	LookedToMs int64 `json:"lookedToMs"`
	// Loose means that no message has the words: these contain the text verbatim, possibly within words.
	Loose bool `json:"loose"`
	// Pending is the number of messages that are not in the index yet and were not searched.
	Pending int64 `json:"pending"`
	// Hint describes what part of the query may have been meant differently; empty: none.
	Hint string `json:"hint"`
}

// Mark is a range of a snippet, in UTF-16 code units for the screen.
type Mark struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Hit is a message that a search found.
type Hit struct {
	SessionID    string `json:"sessionId"`
	SessionTitle string `json:"sessionTitle"`
	SessionHits  int64  `json:"sessionHits"` // hits in this session among Found.Total
	Source       Source `json:"source"`
	UID          string `json:"uid"`
	Seq          int64  `json:"seq"`
	Turn         int64  `json:"turn"`
	Branch       int64  `json:"branch"`
	OnPath       bool   `json:"onPath"`           // on the path to the session's head
	Hidden       bool   `json:"hidden,omitempty"` // in the trash of its session
	Role         Role   `json:"role"`
	Where        string `json:"where"`    // the part: text, reasoning, tool_call, tool_result, summary; empty if no text was searched for
	Part         int64  `json:"part"`     // its index in the message's parts
	Snippet      string `json:"snippet"`  // one line around the first match
	Marks        []Mark `json:"marks"`    // the matches in Snippet, in order
	MarkFrom     int64  `json:"markFrom"` // the first of Marks
	MarkTo       int64  `json:"markTo"`
	CreatedAtMs  int64  `json:"createdAtMs"`
}

// Stats describe the library and its file.
type Stats struct {
	Path          string `json:"path"`
	SizeBytes     int64  `json:"sizeBytes"` // of the database; the file and its write-ahead log, which is emptied periodically, may take more
	SchemaVersion int64  `json:"schemaVersion"`
	Sessions      int64  `json:"sessions"` // including the trash, the archive and children
	Messages      int64  `json:"messages"`
	Branches      int64  `json:"branches"`
	Blobs         int64  `json:"blobs"`
	BlobBytes     int64  `json:"blobBytes"` // as stored
	TrashSessions int64  `json:"trashSessions"`
}
