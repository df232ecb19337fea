package core

// Dimension is something that statistics tell apart.
type Dimension string

// The dimensions.
const (
	ByDay       Dimension = "day"
	ByModel     Dimension = "model"
	ByWorkspace Dimension = "workspace"
	BySource    Dimension = "source"
	ByTool      Dimension = "tool"
)

// Dimensions lists every dimension.
func Dimensions() []Dimension { return []Dimension{ByDay, ByModel, ByWorkspace, BySource, ByTool} }

// StatisticsQuery says what statistics are about. The zero value means: everything but the trash.
type StatisticsQuery struct {
	Since     string    `json:"since"` // the first day, YYYY-MM-DD; empty: no limit
	Until     string    `json:"until"` // the last day; empty: no limit
	Sources   []Source  `json:"sources"`
	Workspace string    `json:"workspace"` // exact path
	Model     string    `json:"model"`     // exact
	Split     Dimension `json:"split"`     // model, workspace or source: what Cells tell apart; empty: there are none
}

// Group adds up what was done on a day, with a model, in a workspace or by a source: its key, which may be empty where no model was
// told, where there is no workspace, and of the sum of all. A session is counted where something was done in it, a subagent's as a
// part of its parent's. Tokens and costs are those that are known: Unmetered and Unpriced say how much is missing.
type Group struct {
	Key              string `json:"key"`
	Sessions         int64  `json:"sessions"`
	Messages         int64  `json:"messages"`
	Steps            int64  `json:"steps"`     // model calls
	Unmetered        int64  `json:"unmetered"` // steps whose tokens nobody told
	Unpriced         int64  `json:"unpriced"`  // steps whose cost is not known
	InputTokens      int64  `json:"inputTokens"`
	OutputTokens     int64  `json:"outputTokens"`
	CacheReadTokens  int64  `json:"cacheReadTokens"`  // part of InputTokens
	CacheWriteTokens int64  `json:"cacheWriteTokens"` // part of InputTokens
	ReasoningTokens  int64  `json:"reasoningTokens"`  // part of OutputTokens
	CostNanoUSD      *int64 `json:"costNanoUsd"`      // nil: nothing of it is known
}

// Cell is what was done on a day with, in or by one of the values of the query's Split.
type Cell struct {
	Day         string `json:"day"`
	Key         string `json:"key"`
	Sessions    int64  `json:"sessions"`
	Tokens      int64  `json:"tokens"`
	Steps       int64  `json:"steps"`
	Unpriced    int64  `json:"unpriced"`
	CostNanoUSD *int64 `json:"costNanoUsd"` // nil: nothing of it is known
}

// ToolUse says how often a tool was called.
type ToolUse struct {
	Name     string `json:"name"`
	Calls    int64  `json:"calls"`
	Sessions int64  `json:"sessions"`
}

// Statistics say what was done in the library. Days are those of the zone that was asked for. What has no time is on no day, and
// left out where the query names a day.
type Statistics struct {
	Zone       string    `json:"zone"` // the name of the time zone
	Total      Group     `json:"total"`
	ToolCalls  int64     `json:"toolCalls"`
	Days       []Group   `json:"days"`       // those with something on them, in order
	Cells      []Cell    `json:"cells"`      // by day, then by key
	Models     []Group   `json:"models"`     // these three: most expensive first, then by tokens, sessions and name
	Workspaces []Group   `json:"workspaces"` //
	Sources    []Group   `json:"sources"`    //
	Tools      []ToolUse `json:"tools"`      // most calls first
	Calendar   []Cell    `json:"calendar"`   // every day with something on it, also outside of Since and Until; without keys
	// Pending is how many sessions are not counted yet: those that were there before this version.
	Pending int64 `json:"pending"`
}

// Tokens returns input and output together.
func (g *Group) Tokens() int64 { return g.InputTokens + g.OutputTokens }
