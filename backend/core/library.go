package core

// Sort says how a list of sessions is ordered. Every order but SortTitle is newest or largest first.
type Sort string

// The orders.
const (
	SortUpdated  Sort = "updated" // the default
	SortCreated  Sort = "created"
	SortTitle    Sort = "title"
	SortMessages Sort = "messages"
	SortBranches Sort = "branches"
	SortCost     Sort = "cost"
	SortMatch    Sort = "match" // what is called as the query is, then as SortUpdated
)

// SessionFilter says which sessions a list holds. The zero value means: all but the trash, the
// archived ones and those that belong to a parent session, newest first.
type SessionFilter struct {
	Query       string   `json:"query"` // in title, task, name, workspace and ids, ignoring case
	Sources     []Source `json:"sources"`
	Statuses    []Status `json:"statuses"`
	Workspace   string   `json:"workspace"`  // exact path
	Model       string   `json:"model"`      // exact
	Label       string   `json:"label"`      // sessions with a turn of this label
	ParentID    string   `json:"parentId"`   // the children of this session, instead of those without a parent
	Children    bool     `json:"children"`   // also those that belong to a parent
	Incomplete  bool     `json:"incomplete"` // only what can be resumed: running, partial, failed, interrupted, hibernated
	Pinned      bool     `json:"pinned"`     // only pinned ones
	Archived    bool     `json:"archived"`   // only archived ones
	Trash       bool     `json:"trash"`      // only what is in the trash
	Sort        Sort     `json:"sort"`
	PinnedFirst bool     `json:"pinnedFirst"`
	Limit       int64    `json:"limit"` // 0: no limit
	Offset      int64    `json:"offset"`
	// Sessions that something was done in, or in a subagent of theirs, from one time to before another; 0: no limit. Both are rounded
	// down to quarters of an hour, of which the days of every time zone are made.
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

// SearchOrder says which hits come first.
type SearchOrder string

// The orders of hits.
const (
	Newest    SearchOrder = "newest"    // the default
	Relevance SearchOrder = "relevance" // of the newest, those that say most of what was asked for; not of a substring or regular expression
)

// SearchQuery says what to look for in the text of messages.
type SearchQuery struct {
	Text      string      `json:"text"`      // in the language of docs/search.md
	Substring bool        `json:"substring"` // Text is looked for as it stands, ignoring case
	Regex     bool        `json:"regex"`     // Text is a Go regular expression
	Filter    string      `json:"filter"`    // what must hold besides, in the language
	SessionID string      `json:"sessionId"` // empty: everywhere but in the trash
	FromID    string      `json:"fromId"`    // the session it is asked from, which in:session means; empty: SessionID
	Order     SearchOrder `json:"order"`
	Typing    bool        `json:"typing"` // the end of Text is still being typed: its last word may go on
	Limit     int64       `json:"limit"`  // 0: 50
	// Before is Found.Next of an answer to this query: the search goes on where that one stopped. 0: it begins with the newest message.
	Before int64 `json:"before"`
	// WithinMs is how long a search may take that reads texts, about; what it has found by then is its answer. 0: until it has ended.
	WithinMs int64 `json:"withinMs"`
}

// Found is what a search found.
type Found struct {
	Hits []Hit `json:"hits"` // never nil
	// Total is how many messages hold it; More says that there are more than that.
	Total int64 `json:"total"`
	More  bool  `json:"more"`
	// Uncounted says that Total and the hits of each session are those among Hits: HitCount tells the rest.
	Uncounted bool `json:"uncounted"`
	// Next is the Before of the query that goes on; 0: there is nothing to go on with.
	Next int64 `json:"next"`
	// Looked is how many messages were read to find what no index knows, and LookedToMs when the oldest of them was written.
	Looked     int64 `json:"looked"`
	LookedToMs int64 `json:"lookedToMs"`
	// Loose says that no message has the words, and that these hold the text as it stands, be it within words.
	Loose bool `json:"loose"`
	// Pending is how many messages are not in the index yet and were not looked through.
	Pending int64 `json:"pending"`
	// Hint says what of the query may have been meant otherwise; empty: nothing.
	Hint string `json:"hint"`
}

// Mark is a stretch of a snippet, in UTF-16 code units for the screen.
type Mark struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Hit is a message that a search found.
type Hit struct {
	SessionID    string `json:"sessionId"`
	SessionTitle string `json:"sessionTitle"`
	SessionHits  int64  `json:"sessionHits"` // of this session among Found.Total
	Source       Source `json:"source"`
	UID          string `json:"uid"`
	Seq          int64  `json:"seq"`
	Turn         int64  `json:"turn"`
	Branch       int64  `json:"branch"`
	OnPath       bool   `json:"onPath"`           // on the path to the session's head
	Hidden       bool   `json:"hidden,omitempty"` // in the trash of its session
	Role         Role   `json:"role"`
	Where        string `json:"where"`    // the part: text, reasoning, tool_call, tool_result, summary; empty where no text was asked for
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
	SizeBytes     int64  `json:"sizeBytes"` // of the database; the file and its write-ahead log, which is emptied now and then, may take more
	SchemaVersion int64  `json:"schemaVersion"`
	Sessions      int64  `json:"sessions"` // with the trash, the archive and children
	Messages      int64  `json:"messages"`
	Branches      int64  `json:"branches"`
	Blobs         int64  `json:"blobs"`
	BlobBytes     int64  `json:"blobBytes"` // as stored
	TrashSessions int64  `json:"trashSessions"`
}
