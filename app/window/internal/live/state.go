// Package live holds the runs that the window has started, as the page shows them.
package live

import (
	"coppice/backend/core"
	"coppice/backend/render"
)

// Started identifies a run that has started.
type Started struct {
	SessionID string `json:"sessionId"`
	RunID     string `json:"runId"`
	Problem   string `json:"problem"` // why one of several runs could not start; empty if it has
}

// Lane describes one of the runs, active or ended, that answer side by side in a session.
type Lane struct {
	RunID   string      `json:"runId"`
	Number  int64       `json:"number"` // 0: it moves the head, see core.Run
	Model   string      `json:"model"`
	Running bool        `json:"running"`
	Waits   bool        `json:"waits"` // it waits for an answer of the user
	Status  core.Status `json:"status"`
	FromUID string      `json:"fromUid"` // the message it answers; empty until that is written
	TopUID  string      `json:"topUid"`  // its first answer; empty until that is written
	TipUID  string      `json:"tipUid"`  // the last message it wrote; FromUID before it wrote one
}

// State is the state of a run of this window. It does not repeat messages that are already written to the session.
type State struct {
	SessionID string             `json:"sessionId"` // empty: this window has not run the session
	Running   bool               `json:"running"`
	Run       core.Run           `json:"run"`
	LastUID   string             `json:"lastUid"`  // the last message written; empty if none is
	DraftID   int64              `json:"draftId"`  // grows with each answer; a new one discards the blocks of the previous one
	Revision  int64              `json:"revision"` // of the draft
	Blocks    []render.LiveBlock `json:"blocks"`   // the blocks of the answer being written that have changed
	Calls     []Call             `json:"calls"`    // the calls since the last message
	Questions []Question         `json:"questions"`
	Notices   []string           `json:"notices"`
	Working   []string           `json:"working"` // the agents of a team whose turn it is
	Turn      string             `json:"turn"`    // what they do, if it is more than their work, in one line
	Retry     string             `json:"retry"`   // why the answer is being retried; empty if it is not
	Queue     []string           `json:"queue"`   // messages that the model has not received; for those of an ended run see the binding GetUnsent
	Error     string             `json:"error"`
	ErrorCode core.Code          `json:"errorCode"`
	Hint      string             `json:"hint"`
	Lanes     []Lane             `json:"lanes"` // of the session, this one included, in the order of the request
}

// Call is a tool call since the last message.
type Call struct {
	CallID      string `json:"callId"`
	Name        string `json:"name"`
	Running     bool   `json:"running"`
	Failed      bool   `json:"failed"`
	StartedAtMs int64  `json:"startedAtMs"`
	Output      string `json:"output"` // the last lines of its output, as a terminal shows them
}

// The kinds of questions.
const (
	questionPermit = "permit" // whether to run this call
	questionReview = "review" // whether to continue after this answer
	questionGate   = "gate"   // whether a team hands over its work
)

// Question is a question to the user that a run waits for.
type Question struct {
	ID       int64    `json:"id"`
	Kind     string   `json:"kind"` // permit, review or gate
	CallID   string   `json:"callId"`
	ToolName string   `json:"toolName"`
	Title    string   `json:"title"`   // one line that describes what the call would do
	Preview  string   `json:"preview"` // a unified diff or a command; empty if there is no preview
	Risk     string   `json:"risk"`    // why the user must confirm each time: an answer covers this call only
	Targets  []string `json:"targets"`
	Wider    []string `json:"wider"` // descriptions of what an answer may cover beyond this call
	// InWorkspace is set if a permission holds in this workspace only, so that it cannot be given for always.
	InWorkspace bool   `json:"inWorkspace"`
	Sandbox     string `json:"sandbox"` // what confines the call, and what that leaves open; empty if it runs no command
}

// Answer is the user's answer to a Question.
type Answer struct {
	Allow bool               `json:"allow"` // of a review: continue
	Scope core.ApprovalScope `json:"scope"` // once, session, workspace or always
	Wide  bool               `json:"wide"`  // the answer covers Question.Wider
	Text  string             `json:"text"`  // the reason to deny; of a review: the next message to the model
	Cites []string           `json:"cites"` // the uids of messages that Text refers to
}

// Empty returns the state of a session that this window has not run.
func Empty() State {
	return State{Blocks: []render.LiveBlock{}, Calls: []Call{}, Questions: []Question{}, Notices: []string{}, Working: []string{}, Queue: []string{}, Lanes: []Lane{}}
}
