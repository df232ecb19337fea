package core

// Branch is a maximal chain of messages: a child of its tip continues it, any other child opens a new branch. A path of
// any length is therefore a handful of (branch, depth range) pairs.
type Branch struct {
	Number      int64 `json:"number" db:"number"`        // 0, 1, … per session, in the order of creation
	Parent      int64 `json:"parent" db:"parent"`        // the branch it forks from; -1 if it starts at a root
	ForkDepth   int64 `json:"forkDepth" db:"fork_depth"` // the depth of its first message's parent; -1 if it starts at a root
	TipDepth    int64 `json:"tipDepth" db:"tip_depth"`
	PromptDepth int64 `json:"promptDepth" db:"prompt_depth"` // of the first prompt on the path to the tip; -1: none yet
	CreatedAtMs int64 `json:"createdAtMs" db:"created_at_ms"`
}

// FirstDepth is the depth of the branch's first message.
func (b Branch) FirstDepth() int64 { return b.ForkDepth + 1 }

// Length counts the branch's own messages.
func (b Branch) Length() int64 { return b.TipDepth - b.ForkDepth }

// Range is the place of a Window on its path.
type Range struct {
	From  int64 // the depth of the first message; negative: counted from the end
	Limit int64 // messages; 0: to the end
}

// Window is a range of a path.
type Window struct {
	LeafUID  string    `json:"leafUid"` // the end of the whole path
	Length   int64     `json:"length"`  // messages on the whole path
	From     int64     `json:"from"`    // the depth of the first message in Messages
	Messages []Message `json:"messages"`
}

// Sibling is one of the alternatives at a position of the tree.
type Sibling struct {
	UID         string `json:"uid" db:"uid"`
	Seq         int64  `json:"seq" db:"seq"`
	Turn        int64  `json:"turn" db:"turn"`
	Branch      int64  `json:"branch" db:"branch"`
	Role        Role   `json:"role" db:"role"`
	Model       string `json:"model" db:"model"`
	Preview     string `json:"preview" db:"preview"`
	Messages    int64  `json:"messages" db:"messages"` // in its subtree, itself included
	CreatedAtMs int64  `json:"createdAtMs" db:"created_at_ms"`
}
