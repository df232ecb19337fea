package core

import (
	"encoding/json"
	"slices"
)

// Source names the tool a session came from.
type Source string

// The sources.
const (
	SourceCoppice       Source = "coppice"
	SourceClaudeCode    Source = "claude_code"
	SourceCodex         Source = "codex"
	SourceGeminiCLI     Source = "gemini_cli"
	SourceOpenCode      Source = "opencode"
	SourcePi            Source = "pi"
	SourceChatGPT       Source = "chatgpt"
	SourceClaudeAI      Source = "claude_ai"
	SourceOpenAssistant Source = "openassistant"
	SourceArchitect     Source = "architect"
	SourceAgentBase     Source = "agent_base"
	SourceAgentHarness  Source = "agent_harness"
	SourceFuseraft      Source = "fuseraft"
	SourceAgentZero     Source = "agentzero"
)

// Sources lists every source, in the order in which users look for them.
func Sources() []Source {
	return []Source{
		SourceCoppice, SourceClaudeCode, SourceCodex, SourceGeminiCLI, SourceOpenCode, SourcePi, SourceChatGPT,
		SourceClaudeAI, SourceOpenAssistant, SourceArchitect, SourceAgentBase, SourceAgentHarness, SourceFuseraft, SourceAgentZero,
	}
}

// Status is the state of a session.
type Status string

// The statuses. An imported session whose tool does not record its end is idle.
const (
	StatusIdle        Status = "idle"
	StatusRunning     Status = "running"
	StatusSuccess     Status = "success"
	StatusPartial     Status = "partial"
	StatusFailed      Status = "failed"
	StatusInterrupted Status = "interrupted"
	StatusHibernated  Status = "hibernated"
)

// Statuses lists every status.
func Statuses() []Status {
	return []Status{StatusIdle, StatusRunning, StatusSuccess, StatusPartial, StatusFailed, StatusInterrupted, StatusHibernated}
}

// Relation is how a session is related to its parent session.
type Relation string

// The relations; the empty one means no parent.
const (
	RelationNone     Relation = ""
	RelationSubagent Relation = "subagent" // run by a tool call of the parent
	RelationFork     Relation = "fork"     // split from the parent
)

// TitleOrigin is where the title of a session comes from.
type TitleOrigin string

// The origins of titles. A title is replaced by one of the same or a later origin only.
const (
	TitleUnknown TitleOrigin = ""        // of a library of an older version
	TitleDerived TitleOrigin = "derived" // made of the prompts
	TitleTool    TitleOrigin = "tool"    // given by the tool that the session came from
	TitleModel   TitleOrigin = "model"   // written by a model that the user asked to
	TitleUser    TitleOrigin = "user"
)

// Yields reports whether a title of this origin is replaced by one of another.
func (o TitleOrigin) Yields(to TitleOrigin) bool { return o.rank() <= to.rank() }

func (o TitleOrigin) rank() int {
	return slices.Index([]TitleOrigin{TitleUnknown, TitleDerived, TitleTool, TitleModel, TitleUser}, o)
}

// Session is one conversation tree with its settings and totals. Times are Unix milliseconds, costs billionths of a US
// dollar. The writing transaction maintains the counters.
type Session struct {
	ID            string      `json:"id" db:"id"`     // UUIDv7
	Name          string      `json:"name" db:"name"` // unique, or empty
	Title         string      `json:"title" db:"title"`
	TitleOrigin   TitleOrigin `json:"titleOrigin,omitempty" db:"title_origin"`
	Task          string      `json:"task" db:"task"` // the first prompt, cut to 1000 characters
	Source        Source      `json:"source" db:"source"`
	SourceID      string      `json:"sourceId" db:"source_id"` // the id it has in the tool it came from
	SourcePath    string      `json:"sourcePath" db:"source_path"`
	SourceGoneMs  int64       `json:"sourceGoneAtMs,omitempty" db:"source_gone_at_ms"` // when its file was first found missing on this machine; 0: the file exists, or there never was one. Not part of an archive
	Status        Status      `json:"status" db:"status"`
	StopReason    string      `json:"stopReason" db:"stop_reason"`
	Agent         string      `json:"agent" db:"agent"`
	Model         string      `json:"model" db:"model"` // the last model that answered
	WorkspacePath string      `json:"workspacePath" db:"workspace_path"`
	FilesModified []string    `json:"filesModified" db:"-"` // never nil, sorted
	// TouchedCount is the number of files that tool calls changed, LinesAdded and LinesRemoved are the lines that they added and removed
	// there. Calls that failed do not count. None of the three is part of an archive.
	TouchedCount int64    `json:"touchedCount,omitempty" db:"touched_count"`
	LinesAdded   int64    `json:"linesAdded,omitempty" db:"lines_added"`
	LinesRemoved int64    `json:"linesRemoved,omitempty" db:"lines_removed"`
	Tags         []string `json:"tags,omitempty" db:"-"`          // words of the user, sorted
	Project      string   `json:"project,omitempty" db:"project"` // the repository of WorkspacePath. Not part of an archive
	// LastAnswer is the beginning of the newest answer that has words, one line. Not part of an archive.
	LastAnswer   string   `json:"lastAnswer,omitempty" db:"last_answer"`
	FailedCount  int64    `json:"failedCount,omitempty" db:"failed_count"` // tool calls whose result is an error. Not part of an archive
	ParentID     string   `json:"parentId" db:"parent_id"`
	ParentUID    string   `json:"parentUid" db:"parent_uid"` // the message of the parent that started it
	Relation     Relation `json:"relation" db:"relation"`
	HeadUID      string   `json:"headUid" db:"head_uid"`                   // the message the session continues from; empty: before the first
	MainUID      string   `json:"mainUid,omitempty" db:"main_uid"`         // the end of the main path; empty: none is marked
	HiddenCount  int64    `json:"hiddenCount,omitempty" db:"hidden_count"` // messages in the session's own trash, see HiddenTop
	MessageCount int64    `json:"messageCount" db:"message_count"`
	BranchCount  int64    `json:"branchCount" db:"branch_count"`
	TurnCount    int64    `json:"turnCount" db:"turn_count"`
	StepCount    int64    `json:"stepCount" db:"step_count"` // model calls; see Message.IsCall
	InputTokens  int64    `json:"inputTokens" db:"input_tokens"`
	OutputTokens int64    `json:"outputTokens" db:"output_tokens"`
	CacheRead    int64    `json:"cacheReadTokens" db:"cache_read_tokens"`   // part of InputTokens
	CacheWrite   int64    `json:"cacheWriteTokens" db:"cache_write_tokens"` // part of InputTokens
	Reasoning    int64    `json:"reasoningTokens" db:"reasoning_tokens"`    // part of OutputTokens
	CostNanoUSD  *int64   `json:"costNanoUsd" db:"cost_nano_usd"`           // nil: unknown
	// EstimatedNanoUSD is the list price of the calls whose cost is unknown, see Estimate; nil: none has a price. It is
	// not part of CostNanoUSD, nor of an archive.
	EstimatedNanoUSD *int64 `json:"estimatedCostNanoUsd" db:"estimated_cost_nano_usd"`
	// UnpricedCount is the number of calls of which some cost is neither known nor estimated. Not part of an archive.
	UnpricedCount int64 `json:"unpricedCalls" db:"unpriced_count"`
	PinnedAtMs    int64 `json:"pinnedAtMs" db:"pinned_at_ms"`     // 0: not pinned
	ArchivedAtMs  int64 `json:"archivedAtMs" db:"archived_at_ms"` // 0: not archived
	DeletedAtMs   int64 `json:"deletedAtMs" db:"deleted_at_ms"`   // 0: not in the trash
	CreatedAtMs   int64 `json:"createdAtMs" db:"created_at_ms"`
	UpdatedAtMs   int64 `json:"updatedAtMs" db:"updated_at_ms"` // when the newest message was finished; of a session that began here, CreatedAtMs at least
	// IncompleteStart means that the source has lost the beginning of the session. It is read from Meta, and not part of an archive.
	IncompleteStart bool `json:"incompleteStart,omitempty" db:"-"`
	// Meta holds what a source records of the session that has no column, a JSON object. It is not shown; the archive
	// includes it.
	Meta json.RawMessage `json:"-" db:"-"`
}
