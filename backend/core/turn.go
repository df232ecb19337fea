package core

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
	// Authors are the agents that answer, a line each, in the order of their first answers; only set when turns of a session with several are
	// read by number.
	Authors string `json:"authors,omitempty" db:"-"`
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
