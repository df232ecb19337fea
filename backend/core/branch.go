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

// Segment is the range of a path that lies in one branch: the messages of depth From to To, both included.
type Segment struct {
	Branch int64 `json:"branch"`
	From   int64 `json:"from"`
	To     int64 `json:"to"`
}

// Placement is the position of a message in its session's tree.
type Placement struct {
	Seq    int64 `json:"seq" db:"seq"`
	Turn   int64 `json:"turn" db:"turn"`
	Branch int64 `json:"branch" db:"branch"`
	Depth  int64 `json:"depth" db:"depth"`
}

// Turn is a prompt and what follows it up to the next prompt, within one branch: an alternative answer to a prompt
// opens its own turn, whose path shares the prompt.
type Turn struct {
	Number      int64  `json:"node" db:"number"`   // n<Number>
	Parent      int64  `json:"parent" db:"parent"` // the previous turn on its path; -1 for a first one
	Label       string `json:"label" db:"label"`   // empty: none
	Messages    int64  `json:"messages" db:"messages"`
	Cumulative  int64  `json:"cumulative" db:"cumulative"` // messages from the root to the turn's last one
	Branch      int64  `json:"branch" db:"branch"`
	FirstDepth  int64  `json:"firstDepth" db:"first_depth"`
	OnPath      bool   `json:"onPath" db:"-"`           // on the path to the head
	Hidden      bool   `json:"hidden,omitempty" db:"-"` // in the session's trash
	FirstUID    string `json:"firstUid" db:"first_uid"`
	LastUID     string `json:"lastUid" db:"last_uid"`
	Role        Role   `json:"role" db:"role"`               // of the prompt, or of the first message of the fork
	Preview     string `json:"preview" db:"preview"`         // the beginning of that message, as one line
	Model       string `json:"model,omitempty" db:"model"`   // the last model that answered; only set when turns are read by number
	Answer      string `json:"answer,omitempty" db:"answer"` // the beginning of the last answer; only set when turns are read by number
	CreatedAtMs int64  `json:"createdAtMs" db:"created_at_ms"`
}

// TurnPart is a range of a turn's messages by depth, both ends included. An end below 0 is that of the turn.
type TurnPart struct {
	Turn int64 `json:"turn"`
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// TurnEffort is how much was done in a turn, or in a part of a divided one, by the times of its messages alone.
type TurnEffort struct {
	Number     int64 `json:"node" db:"number"` // n<Number>
	FirstDepth int64 `json:"firstDepth" db:"first_depth"`
	Messages   int64 `json:"messages" db:"messages"`
	Steps      int64 `json:"steps" db:"steps"`           // model calls
	WorkedMs   int64 `json:"workedMs" db:"worked_ms"`    // between its messages; a pause of more than WorkGapMs counts as nothing
	EndedAtMs  int64 `json:"endedAtMs" db:"ended_at_ms"` // of the last message
}

// WorkGapMs is the longest time between two messages that counts as work. A longer one is a pause, such as a night.
const WorkGapMs = 10 * 60 * 1000

// Top returns the position of the first message.
func (t *Turn) Top() Position { return Position{Branch: t.Branch, Depth: t.FirstDepth} }

// PathTurn is the range of a turn on a path.
type PathTurn struct {
	Number int64 // n<Number>
	From   int64 // the depth of its first message
	Count  int64 // its messages on the path, at least 1
}

// Tree is the tree of a session's turns.
type Tree struct {
	Session  Session  `json:"session"`
	Head     string   `json:"head"`     // the uid of the head; empty: before the first message
	HeadTurn int64    `json:"headTurn"` // -1: before the first message
	Branches []Branch `json:"branches"` // by number
	Turns    []Turn   `json:"turns"`    // by number, so a parent comes before its children
	// Hidden are the tops of the subtrees in the session's trash. Branches and Turns include these subtrees.
	Hidden []HiddenTop `json:"hidden,omitempty"`
	Links  []Link      `json:"links"`
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
