package render

import "coppice/backend/core"

// BlockType is how a block is shown.
type BlockType string

// The block types.
const (
	BlockProse     BlockType = "prose"     // HTML
	BlockReasoning BlockType = "reasoning" // folded: Text is the first line; HTML the whole
	BlockTool      BlockType = "tool"      // a card; opened by Detail
	BlockResult    BlockType = "result"    // a tool result whose call is not on this page or does not exist
	BlockMedia     BlockType = "media"
	BlockSummary   BlockType = "summary" // a compaction or branch summary: HTML
	BlockMeta      BlockType = "meta"    // folded: added by the tool
	BlockNotice    BlockType = "notice"  // a quiet line: Text is what the tool reported, such as an error
	BlockOther     BlockType = "other"   // unknown: Text is its JSON
)

// ToolState is the state of a tool call.
type ToolState string

// The states.
const (
	ToolDone    ToolState = "done"
	ToolFailed  ToolState = "failed"
	ToolDenied  ToolState = "denied"  // the user or a rule denied it
	ToolMissing ToolState = "missing" // no result is recorded
	// ToolInterrupted means that the user or the end of the run stopped the call.
	ToolInterrupted ToolState = "interrupted"
)

// Block is a piece of a message in the window.
type Block struct {
	Type      BlockType `json:"type"`
	Part      int64     `json:"part"`      // the index in the message's parts
	HTML      string    `json:"html"`      // safe
	Text      string    `json:"text"`      // plain; a first line if the block is folded
	Chars     int64     `json:"chars"`     // of the whole text
	Lines     int64     `json:"lines"`     // of the whole text
	SizeBytes int64     `json:"sizeBytes"` // of the whole text
	Cut       bool      `json:"cut"`       // only the beginning is here; the whole is in Blob, or in the message requested alone
	Shown     bool      `json:"shown"`     // the model received only this; the whole is in Blob
	Blob      string    `json:"blob"`      // the hash of the whole if that is not here, or of the media

	// Of a tool call.
	CallID     string    `json:"callId"`
	ToolName   string    `json:"toolName"` // as the model called it
	Target     string    `json:"target"`   // what it is about: a path, a command, a pattern; one line
	Added      int64     `json:"added"`    // lines
	Removed    int64     `json:"removed"`  // lines
	State      ToolState `json:"state"`
	DurationMs int64     `json:"durationMs"` // 0: unknown
	ReadOnly   bool      `json:"readOnly"`   // consecutive calls fold into one line
	ChildID    string    `json:"childId"`    // the session of the subagent it started
	ResultUID  string    `json:"resultUid"`  // the message that holds the result

	// Of a tool call: what its closed card shows below its line; nil: nothing.
	Preview *Preview `json:"preview,omitempty"`

	// Of a tool call or a result: its images, which are visible without opening its card.
	Images []Block `json:"images,omitempty"`

	// Of media.
	MimeType string `json:"mimeType"`
	Name     string `json:"name"`
	Width    int64  `json:"width"`
	Height   int64  `json:"height"`
}

// MessageView is a message in the window.
type MessageView struct {
	UID          string    `json:"uid"`
	Seq          int64     `json:"seq"`
	Turn         int64     `json:"turn"`
	Branch       int64     `json:"branch"`
	Depth        int64     `json:"depth"`
	ParentUID    string    `json:"parentUid"`
	Siblings     int64     `json:"siblings"`
	SiblingIndex int64     `json:"siblingIndex"`
	Role         core.Role `json:"role"`
	Kind         core.Kind `json:"kind"`
	Name         string    `json:"name"`
	Agent        string    `json:"agent"`
	Model        string    `json:"model"`
	InputTokens  int64     `json:"inputTokens"`
	OutputTokens int64     `json:"outputTokens"` // 0 if it is unknown, see core.Message.HasPlaceholderOutput
	CostNanoUSD  *int64    `json:"costNanoUsd"`
	// EstimatedNanoUSD is the list price if the cost is unknown, see core.Estimate.
	EstimatedNanoUSD *int64   `json:"estimatedCostNanoUsd,omitempty"`
	IsEstimated      bool     `json:"isEstimated"` // tokens and cost are estimates, of an answer that broke off
	FinishReason     string   `json:"finishReason"`
	Error            string   `json:"error"`
	Label            string   `json:"label"`     // of the turn, on its first message
	TurnStart        bool     `json:"turnStart"` // the first message of its turn
	Hidden           bool     `json:"hidden"`    // a tool message all of whose results are shown on the cards of their calls
	Cites            []string `json:"cites"`     // the uids of messages it was written about, which may be deleted; never nil
	CreatedAtMs      int64    `json:"createdAtMs"`
	Blocks           []Block  `json:"blocks"` // never nil
	// Compaction is what a compaction of Coppice replaced; nil for any other message.
	Compaction *CompactionView `json:"compaction,omitempty"`
}

// CompactionView is what a compaction replaced in the context.
type CompactionView struct {
	FirstKept       string                  `json:"firstKept"` // the uid of the first message before it that models are still sent
	CoveredMessages int64                   `json:"coveredMessages"`
	MessagesBefore  int64                   `json:"messagesBefore"` // of the context
	MessagesAfter   int64                   `json:"messagesAfter"`
	TokensBefore    int64                   `json:"tokensBefore"` // estimated
	TokensAfter     int64                   `json:"tokensAfter"`
	Strategy        core.CompactionStrategy `json:"strategy"`
	Focus           string                  `json:"focus"`
}

// WindowView is a range of a path in the window.
type WindowView struct {
	LeafUID  string        `json:"leafUid"`
	Length   int64         `json:"length"` // messages on the whole path
	From     int64         `json:"from"`   // the depth of the first one here
	Messages []MessageView `json:"messages"`
}

// Field is an argument of a tool call.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	HTML  string `json:"html"` // highlighted if the value is code; otherwise empty
	Long  bool   `json:"long"` // shown in a box of its own
	List  bool   `json:"list"` // HTML is a checklist or prose, not code
	Cut   bool   `json:"cut"`  // Value is only the beginning

	SizeBytes int64 `json:"-"` // of the whole value
}

// DiffLine is a line of a diff.
type DiffLine struct {
	Op      string `json:"op"`      // " ", "+" or "-"
	OldLine int64  `json:"oldLine"` // 0: none, or unknown
	NewLine int64  `json:"newLine"`
	Text    string `json:"text"`
	HTML    string `json:"html"` // highlighted and safe; never empty if Text is not
}

// Hunk is a range of a diff.
type Hunk struct {
	Lines []DiffLine `json:"lines"`
}

// FileDiff is the change of one file by a tool call.
type FileDiff struct {
	Path    string `json:"path"`
	Added   int64  `json:"added"`
	Removed int64  `json:"removed"`
	Created bool   `json:"created"`
	Omitted int64  `json:"omitted"` // lines left out of Hunks, because there are too many
	Hunks   []Hunk `json:"hunks"`
}

// ToolDetail is the content of an opened tool card.
type ToolDetail struct {
	Arguments  []Field    `json:"arguments"`
	Diffs      []FileDiff `json:"diffs"`
	Result     []Block    `json:"result"`     // prose blocks hold Text only: tool output is not Markdown
	Structured Field      `json:"structured"` // indented JSON; no value if it only repeats Result
}
