package core

// Shape is the data for drawing a session's tree: its turns without their texts, so that a session of a million
// messages fits in a few megabytes. A Shape is the whole tree, or the changes since another one.
type Shape struct {
	Reshapes int64 // how often the tree was changed other than by growing; shapes with different numbers cannot be combined
	IsWhole  bool  // all turns are included, not only those with new messages
	Messages int64 // of the session, therefore the next seq
	Turns    int64
	Branches int64
	Head     string // the uid of the head; empty: before the first message
	HeadTurn int64  // -1: before the first message
	// HeadDepth is the depth of the head: the turn of the head may be divided, see TurnShape.
	HeadDepth int64
	Labels    []Label
	// What the user has marked. The turn of Main is that of the main path's end; -1: none is marked.
	Bookmarks []Bookmark
	Hidden    []HiddenTop
	Main      int64
	// Checkpoints are by turn; turns without one are left out.
	Checkpoints []TurnCheckpoint
	// Changed is by number, so a parent comes before its children. A divided turn has several entries, by depth.
	Changed []TurnShape
}

// TurnShape is a turn without its texts. A turn is divided where a branch begins between its messages, as another answer to
// its prompt does: then each entry is a range of its messages, from FirstDepth on, and the first one ends at the fork.
type TurnShape struct {
	Number           int64
	Parent           int64 // -1 for a first one
	Branch           int64
	FirstDepth       int64 `db:"first_depth"`
	Messages         int64
	HasPrompt        bool   `db:"has_prompt"`
	HasTools         bool   `db:"has_tools"`    // a tool was called
	IsCompacted      bool   `db:"is_compacted"` // the context of the model was summarised in it
	Tokens           int64  // input and output
	CostNanoUSD      *int64 `db:"cost_nano_usd"`           // of the messages whose cost is known; nil: none is known
	EstimatedNanoUSD *int64 `db:"estimated_cost_nano_usd"` // the list price of those whose cost is unknown; nil: none has a price
	CreatedAtMs      int64  `db:"created_at_ms"`           // of its first message
	Run              Status `db:"-"`                       // of its latest run; empty: it had none
}
