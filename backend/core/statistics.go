package core

// Dimension is a property by which statistics are grouped.
type Dimension string

// The dimensions.
const (
	ByDay       Dimension = "day"
	ByModel     Dimension = "model"
	ByAgent     Dimension = "agent"
	ByWorkspace Dimension = "workspace"
	BySource    Dimension = "source"
	ByTool      Dimension = "tool"
)

// Dimensions lists every dimension.
func Dimensions() []Dimension {
	return []Dimension{ByDay, ByModel, ByAgent, ByWorkspace, BySource, ByTool}
}

// StatisticsQuery selects the sessions of statistics. The zero value means: everything but the trash.
type StatisticsQuery struct {
	Since     string    `json:"since"` // the first day, YYYY-MM-DD; empty: no limit
	Until     string    `json:"until"` // the last day; empty: no limit
	Sources   []Source  `json:"sources"`
	Workspace string    `json:"workspace"` // exact path
	Model     string    `json:"model"`     // exact
	Split     Dimension `json:"split"`     // model, workspace or source: the groups of Cells; empty: no Cells
}

// Group adds up the work of a day, a model, an agent, a workspace or a source. The key is empty if the model or the agent is unknown, if
// the session has no workspace, and for the sum of all. A session is counted in every group in which it has work; a subagent's work counts as its
// parent's. Tokens and costs are the known ones: Unmetered and Unpriced count the missing ones.
type Group struct {
	Key              string `json:"key"`
	Sessions         int64  `json:"sessions"`
	Messages         int64  `json:"messages"`
	Steps            int64  `json:"steps"`     // model calls
	Unmetered        int64  `json:"unmetered"` // steps whose token counts are unknown
	Unpriced         int64  `json:"unpriced"`  // steps whose cost is unknown
	InputTokens      int64  `json:"inputTokens"`
	OutputTokens     int64  `json:"outputTokens"`
	CacheReadTokens  int64  `json:"cacheReadTokens"`      // part of InputTokens
	CacheWriteTokens int64  `json:"cacheWriteTokens"`     // part of InputTokens
	ReasoningTokens  int64  `json:"reasoningTokens"`      // part of OutputTokens
	CostNanoUSD      *int64 `json:"costNanoUsd"`          // nil: no cost is known
	EstimatedNanoUSD *int64 `json:"estimatedCostNanoUsd"` // the list price of steps whose cost is unknown, apart from CostNanoUSD; nil: none has a price
	Unestimated      int64  `json:"unestimated"`          // steps of which some cost is neither known nor estimated
}

// Cell is the work of a day for one value of the query's Split.
type Cell struct {
	Day              string `json:"day"`
	Key              string `json:"key"`
	Sessions         int64  `json:"sessions"`
	Tokens           int64  `json:"tokens"`
	Steps            int64  `json:"steps"`
	Unpriced         int64  `json:"unpriced"`
	CostNanoUSD      *int64 `json:"costNanoUsd"`          // nil: no cost is known
	EstimatedNanoUSD *int64 `json:"estimatedCostNanoUsd"` // as that of Group
	Unestimated      int64  `json:"unestimated"`
}

// ToolUse is how often a tool was called.
type ToolUse struct {
	Name     string `json:"name"`
	Calls    int64  `json:"calls"`
	Sessions int64  `json:"sessions"`
}

// Statistics summarise the work in the library. Days are those of the requested time zone. Work without a time is on no day, and
// is left out if the query names a day.
type Statistics struct {
	Zone       string    `json:"zone"` // the name of the time zone
	Total      Group     `json:"total"`
	ToolCalls  int64     `json:"toolCalls"`
	Days       []Group   `json:"days"`       // those with work on them, in order
	Cells      []Cell    `json:"cells"`      // by day, then by key
	Models     []Group   `json:"models"`     // these four: most expensive first, then by tokens, sessions and name
	Agents     []Group   `json:"agents"`     // model calls only
	Workspaces []Group   `json:"workspaces"` //
	Sources    []Group   `json:"sources"`    //
	Tools      []ToolUse `json:"tools"`      // most calls first
	Calendar   []Cell    `json:"calendar"`   // every day with work on it, even outside of Since and Until; without keys
	// Pending is the number of sessions that are not counted yet: those stored before this version.
	Pending int64 `json:"pending"`
}

// Tokens returns the sum of input and output tokens.
func (g *Group) Tokens() int64 { return g.InputTokens + g.OutputTokens }
