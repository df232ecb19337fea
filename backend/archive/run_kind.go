package archive

import (
	"encoding/json"

	"coppice/backend/core"
)

// runKind is a kind of core.RunItem. The kinds are in the order in which they are written.
type runKind int

const (
	kindState runKind = iota
	kindRun
	kindRequest
	kindApproval
	kindExec
	kindChange
	kindDraft
	kindWake
	kindCopied
	kindRestore
	kindQueued
	kindCheckpoint
	runKinds // how many there are
)

// line returns the name of an item of the kind in a coppice.lines.
func (k runKind) line() string {
	switch k {
	case kindState:
		return "state"
	case kindRun:
		return "run"
	case kindRequest:
		return "request"
	case kindApproval:
		return "approval"
	case kindExec:
		return "toolExecution"
	case kindChange:
		return "fileChange"
	case kindDraft:
		return "draft"
	case kindWake:
		return "wake"
	case kindCopied:
		return "copiedState"
	case kindRestore:
		return "restore"
	case kindQueued:
		return "queuedMessage"
	default:
		return "checkpoint"
	}
}

// list returns the name of the list of the kind in a session.
func (k runKind) list() string { return k.line() + "s" }

// kindOfList returns the kind whose list has this name.
func kindOfList(name string) (k runKind, ok bool) {
	for k := range runKinds {
		if k.list() == name {
			return k, true
		}
	}
	return 0, false
}

// runItem returns the kind and the value of a line that holds a run item; value is nil for other lines.
func (l *anyLine) runItem() (k runKind, value json.RawMessage) {
	for k, value := range [runKinds]*json.RawMessage{l.State, l.Run, l.Request, l.Approval, l.Exec, l.Change, l.Draft, l.Wake, l.Copied, l.Restore, l.Queued, l.Checkpoint} {
		if value != nil {
			return runKind(k), *value
		}
	}
	return 0, nil
}

func (l *anyLine) hasRunItem() bool {
	_, value := l.runItem()
	return value != nil
}

func kindOf(i *core.RunItem) runKind {
	switch {
	case i.State != nil:
		return kindState
	case i.Run != nil:
		return kindRun
	case i.Request != nil:
		return kindRequest
	case i.Approval != nil:
		return kindApproval
	case i.Exec != nil:
		return kindExec
	case i.Change != nil:
		return kindChange
	case i.Draft != nil:
		return kindDraft
	case i.Wake != nil:
		return kindWake
	case i.Copied != nil:
		return kindCopied
	case i.Restore != nil:
		return kindRestore
	case i.Queued != nil:
		return kindQueued
	default:
		return kindCheckpoint
	}
}

// stateLine is a run state. Its bytes decide its hash, so it is copied and never encoded again.
type stateLine struct {
	Hash  string          `json:"hash"`
	State json.RawMessage `json:"state"`
}

type runLine struct {
	ID            string          `json:"id"`
	Lane          int64           `json:"lane"`
	Agent         string          `json:"agent"`
	Model         string          `json:"model"`
	BaseURL       string          `json:"baseUrl"`
	Mode          core.Mode       `json:"mode"`
	WorkspacePath string          `json:"workspacePath"`
	Budget        json.RawMessage `json:"budget"`
	StateHash     string          `json:"stateHash"`
	Status        core.Status     `json:"status"`
	StopReason    core.StopReason `json:"stopReason"`
	Error         string          `json:"error"`
	StepCount     int64           `json:"stepCount"`
	InputTokens   int64           `json:"inputTokens"`
	OutputTokens  int64           `json:"outputTokens"`
	CostNanoUSD   int64           `json:"costNanoUsd"`
	UnpricedSteps int64           `json:"unpricedSteps"`
	UsedSteps     int64           `json:"usedSteps,omitempty"`
	UsedMs        int64           `json:"usedMs,omitempty"`
	StartedAtMs   int64           `json:"startedAtMs"`
	EndedAtMs     int64           `json:"endedAtMs"`
}

type requestLine struct {
	RunID       string `json:"runId"`
	ParentUID   string `json:"parentUid"`
	MessageUID  string `json:"messageUid"`
	StateHash   string `json:"stateHash"`
	RequestHash string `json:"requestHash"`
	SentAtMs    int64  `json:"sentAtMs"`
	Redacted    bool   `json:"redacted,omitempty"`
}

type approvalLine struct {
	ID          string             `json:"id"`
	Scope       core.ApprovalScope `json:"scope"`
	Tool        string             `json:"tool"`
	Matcher     string             `json:"matcher"`
	Decision    core.Decision      `json:"decision"`
	Reason      string             `json:"reason"`
	CreatedAtMs int64              `json:"createdAtMs"`
}

type execLine struct {
	RunID       string         `json:"runId"`
	MessageUID  string         `json:"messageUid"`
	Position    int64          `json:"position"`
	CallID      string         `json:"callId"`
	Name        string         `json:"name"`
	State       core.ExecState `json:"state"`
	Idempotent  bool           `json:"idempotent"`
	Result      *core.Part     `json:"result,omitempty"`
	StartedAtMs int64          `json:"startedAtMs"`
	EndedAtMs   int64          `json:"endedAtMs"`
}

type changeLine struct {
	MessageUID  string `json:"messageUid"`
	CallID      string `json:"callId"`
	Path        string `json:"path"`
	BeforeHash  string `json:"beforeHash"`
	AfterHash   string `json:"afterHash"`
	Mode        uint32 `json:"mode"`
	CreatedAtMs int64  `json:"createdAtMs"`
}

type wakeLine struct {
	ID          string        `json:"id"`
	Kind        core.WakeKind `json:"kind"`
	AtMs        int64         `json:"atMs,omitempty"`
	Path        string        `json:"path,omitempty"`
	AwaitedID   string        `json:"awaitedId,omitempty"`
	Detail      string        `json:"detail,omitempty"`
	CreatedAtMs int64         `json:"createdAtMs"`
}

type copiedLine struct {
	UID       string `json:"uid"`
	StateHash string `json:"stateHash"`
}

type restoreLine struct {
	UID             string `json:"uid"`
	StateHash       string `json:"stateHash"`
	RunID           string `json:"runId"`
	FormerUID       string `json:"formerUid"`
	FormerStateHash string `json:"formerStateHash"`
	Undone          bool   `json:"undone"`
	CreatedAtMs     int64  `json:"createdAtMs"`
}

type queuedLine struct {
	UID         string      `json:"uid"`
	RunID       string      `json:"runId"`
	Parts       []core.Part `json:"parts"`
	Cites       []string    `json:"cites,omitempty"`
	CreatedAtMs int64       `json:"createdAtMs"`
}

type checkpointLine struct {
	UID         string `json:"uid"`
	Name        string `json:"name"`
	StateHash   string `json:"stateHash"`
	CreatedAtMs int64  `json:"createdAtMs"`
}

type draftLine struct {
	RunID       string       `json:"runId"`
	ParentUID   string       `json:"parentUid"`
	Message     core.Message `json:"message"`
	UpdatedAtMs int64        `json:"updatedAtMs"`
}
