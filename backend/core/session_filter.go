package core

// Sort is the order of a list of sessions. Orders by a name are alphabetical, all others newest or largest first.
type Sort string

// The orders.
const (
	SortUpdated  Sort = "updated" // the default
	SortCreated  Sort = "created"
	SortTitle    Sort = "title"
	SortMessages Sort = "messages"
	SortBranches Sort = "branches"
	SortCost     Sort = "cost"
	SortProject  Sort = "project" // by name, then as SortUpdated; without one last
	SortTag      Sort = "tag"     // by the tags, then as SortUpdated; without one last
	SortMatch    Sort = "match"   // titles equal to the query first, then as SortUpdated
)

// SessionFilter selects the sessions of a list. The zero value means: all but the trash, the archived ones and those
// that belong to a parent session, newest first.
type SessionFilter struct {
	Query       string   `json:"query"` // in title, task, name, workspace, project, tags and ids, ignoring case; tag:NAME and file:PATH are as in docs/search.md
	Sources     []Source `json:"sources"`
	Statuses    []Status `json:"statuses"`
	Workspace   string   `json:"workspace"`  // exact path
	Project     string   `json:"project"`    // of all its workspaces
	Branched    bool     `json:"branched"`   // only those with several branches
	Errors      bool     `json:"errors"`     // only those that failed, or in which a tool call failed
	Model       string   `json:"model"`      // exact
	Label       string   `json:"label"`      // sessions with a turn of this label
	Tag         string   `json:"tag"`        // sessions with this tag
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
	Projects   []Facet `json:"projects"`
	Tags       []Tag   `json:"tags"` // of all sessions outside the trash, by name
}
