package core

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/backend/lazyregexp"
)

// RunCheckpoint is a message together with the run state at that point. Each answer whose request was recorded is one; others
// exist because the user named them. Restoring one moves the head to its message, and the session continues with its state.
type RunCheckpoint struct {
	ID          string  `json:"id"`        // c<Seq> of a step; c<Seq>.1, c<Seq>.2, … of those named at that message
	Name        *string `json:"name"`      // nil: the checkpoint of a step
	Node        string  `json:"node"`      // m<Seq>
	UID         string  `json:"uid"`       // of the message
	StateHash   string  `json:"stateHash"` // empty: the session had no run state
	CreatedAtMs int64   `json:"createdAtMs"`

	Turn int64 `json:"-"` // of the message
	// State is the run state; the zero value if none exists or if it is damaged. Lists leave System and Tools empty.
	State   RunState `json:"-"`
	Damaged bool     `json:"-"` // the state cannot be read; restoring moves the head alone
}

// CheckpointFilter selects checkpoints of a session. Its zero value selects all.
type CheckpointFilter struct {
	Named  bool   // only those with a name
	Limit  int    // the newest so many; 0: all
	Before string // only those older than this checkpoint, an id or a name; empty: all
}

// Restored is the result of restoring a checkpoint, or of undoing that.
type Restored struct {
	Session Session
	// Checkpoint is the one that was restored; the zero value after an undo.
	Checkpoint RunCheckpoint
	// State is what the session continues with; the zero value if none exists or if it is damaged.
	State RunState
}

var checkpointID = lazyregexp.New(`^c(\d{1,18})(?:\.(\d{1,18}))?$`)

// CheckpointID returns the id of a checkpoint: of the step of message m<seq> for number 0, else of the one that was named as the
// number-th at that message.
func CheckpointID(seq, number int64) string {
	if number == 0 {
		return fmt.Sprintf("c%d", seq)
	}
	return fmt.Sprintf("c%d.%d", seq, number)
}

// ParseCheckpointID is the inverse of CheckpointID.
func ParseCheckpointID(id string) (seq, number int64, ok bool) {
	parts := checkpointID.FindStringSubmatch(id)
	if parts == nil {
		return 0, 0, false
	}
	seq, _ = strconv.ParseInt(parts[1], 10, 64) // 18 digits fit
	number, _ = strconv.ParseInt(parts[2], 10, 64)
	return seq, number, true
}

// maxCheckpointName is the longest name of a checkpoint, in characters.
const maxCheckpointName = 100

// CheckCheckpointName checks the name of a checkpoint: 1 to 100 characters on one line, without white space around them, which are
// not the id of a checkpoint. The error is Invalid.
func CheckCheckpointName(name string) error {
	_, _, isID := ParseCheckpointID(name)
	switch {
	case name == "":
		return E(Invalid, "the name of a checkpoint is empty")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.TrimSpace(name) != name:
		return E(Invalid, "invalid checkpoint name %q: want one line without white space around it", name)
	case utf8.RuneCountInString(name) > maxCheckpointName:
		return E(Invalid, "the name of a checkpoint has at most %d characters", maxCheckpointName)
	case isID:
		return E(Invalid, "invalid checkpoint name %q: it is the form of a checkpoint's id", name)
	}
	return nil
}
