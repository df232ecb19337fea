package core

// Shape is what a picture of a session's tree is drawn from: its turns without their words, so that
// a session of a million messages fits in a few megabytes. A Shape is the whole tree, or what has come since.
type Shape struct {
	Reshapes int64 // how often the tree was changed other than by growing; what is known of another number counts for nothing
	IsWhole  bool  // all turns are there, not only those that have new messages
	Messages int64 // of the session, so the next seq
	Turns    int64
	Branches int64
	Head     string // the uid of the head; empty: before the first message
	HeadTurn int64  // -1: before the first message
	Labels   []Label
	// What a person has marked. The turn of Main is that of the end of the path that counts; -1: none is.
	Bookmarks []Bookmark
	Hidden    []HiddenTop
	Main      int64
	// Checkpoints are by turn; turns without one are left out.
	Checkpoints []TurnCheckpoint
	Changed     []TurnShape // by number, so a parent stands before its children
}

// TurnShape is a turn without its words.
type TurnShape struct {
	Number      int64
	Parent      int64 // -1 for a first one
	Branch      int64
	FirstDepth  int64 `db:"first_depth"`
	Messages    int64
	HasPrompt   bool   `db:"has_prompt"`
	HasTools    bool   `db:"has_tools"`    // a tool was called
	IsCompacted bool   `db:"is_compacted"` // the context of the model was summarised in it
	Tokens      int64  // input and output
	CostNanoUSD *int64 `db:"cost_nano_usd"` // of the messages whose cost is known; nil: of none
	CreatedAtMs int64  `db:"created_at_ms"` // of its first message
	Run         Status `db:"-"`             // of the run that went on last in it; empty: none did
}
