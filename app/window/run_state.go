package window

import (
	"coppice/backend/core"
	"coppice/backend/render"
)

// StartedRun names a run that has begun.
type StartedRun struct {
	SessionID string `json:"sessionId"`
	RunID     string `json:"runId"`
	Problem   string `json:"problem"` // why one of several could not begin; empty: it has
}

// Lane is one of the runs that go on, or went on, side by side from one point of a session.
type Lane struct {
	RunID   string      `json:"runId"`
	Number  int64       `json:"number"` // 0 moves the head, see core.Run
	Model   string      `json:"model"`
	Running bool        `json:"running"`
	Waits   bool        `json:"waits"` // for an answer of the person
	Status  core.Status `json:"status"`
	FromUID string      `json:"fromUid"` // the message it answers; empty: it is not written yet
	TopUID  string      `json:"topUid"`  // its first answer; empty: none yet
	TipUID  string      `json:"tipUid"`  // the last message it wrote; before it wrote one the message it answers
}

// LiveRun is how a run of this window stands. What is written to the session already is not repeated here.
type LiveRun struct {
	SessionID string             `json:"sessionId"` // empty: the session has not been run
	Running   bool               `json:"running"`
	Run       core.Run           `json:"run"`
	LastUID   string             `json:"lastUid"`  // the last message written; empty: none yet
	DraftID   int64              `json:"draftId"`  // grows with each answer: the blocks of an earlier one are void
	Revision  int64              `json:"revision"` // of the draft
	Blocks    []render.LiveBlock `json:"blocks"`   // of the answer being written, those that have changed
	Calls     []LiveCall         `json:"calls"`    // being worked on, and done since the last message
	Questions []LiveQuestion     `json:"questions"`
	Notices   []string           `json:"notices"`
	Retry     string             `json:"retry"` // why the answer is tried again; empty: it is not
	Queue     []string           `json:"queue"` // said by the person, and not heard yet; of a run that is over see TakeUnsaid
	Error     string             `json:"error"`
	ErrorCode core.Code          `json:"errorCode"`
	Hint      string             `json:"hint"`
	Lanes     []Lane             `json:"lanes"` // of the session, this one among them, in the order they were asked for
}

// LiveCall is a tool call that is being worked on.
type LiveCall struct {
	CallID      string `json:"callId"`
	Name        string `json:"name"`
	Running     bool   `json:"running"`
	Failed      bool   `json:"failed"`
	StartedAtMs int64  `json:"startedAtMs"`
	Output      string `json:"output"` // the end of what it has printed so far
}

// The kinds of questions.
const (
	questionPermit = "permit" // may this call run
	questionReview = "review" // shall it go on after this answer
)

// LiveQuestion waits for the person.
type LiveQuestion struct {
	ID       int64    `json:"id"`
	Kind     string   `json:"kind"` // permit review
	CallID   string   `json:"callId"`
	ToolName string   `json:"toolName"`
	Title    string   `json:"title"`   // one line: what it would do
	Preview  string   `json:"preview"` // a unified diff or a command; empty: nothing to add
	Risk     string   `json:"risk"`    // why a person must look each time: the answer holds for this call only
	Targets  []string `json:"targets"`
	Wider    []string `json:"wider"` // what an answer may cover beyond this call, in words; empty: nothing
	// InWorkspace is set if a permission holds in this workspace only, so that it cannot be given for always.
	InWorkspace bool   `json:"inWorkspace"`
	Sandbox     string `json:"sandbox"` // what confines the call, and what that leaves open; empty: it runs no command
}

// LiveAnswer is the person's word.
type LiveAnswer struct {
	Allow bool               `json:"allow"` // of a review: go on
	Scope core.ApprovalScope `json:"scope"` // once session workspace always
	Wide  bool               `json:"wide"`  // for LiveQuestion.Wider
	Text  string             `json:"text"`  // why not; of a review: what to say to the model
	Cites []string           `json:"cites"` // the uids of messages that this is about
}
