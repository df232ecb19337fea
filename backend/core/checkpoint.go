package core

import (
	"bytes"
	"encoding/json"
)

// Checkpoint says that the tool a session is from kept files as they were just before a message. It is the part checkpoint of the
// message's Meta.
type Checkpoint struct {
	ID string `json:"id"` // under which the tool finds it again
	// FileCount is how many files it covers; 0: not told.
	FileCount int64 `json:"fileCount,omitempty"`
}

// JSON returns the checkpoint as it stands in a message's Meta.
func (c Checkpoint) JSON() json.RawMessage {
	kept, _ := json.Marshal(c) //nolint:errchkjson // a string and a number
	return kept
}

// Checkpoint returns what was kept before the message; false where nothing was, or where another program has written there what
// means nothing here.
func (m *Message) Checkpoint() (Checkpoint, bool) {
	if !bytes.Contains(m.Meta, []byte(`"checkpoint"`)) {
		return Checkpoint{}, false
	}
	var meta struct {
		Checkpoint Checkpoint `json:"checkpoint"`
	}
	if json.Unmarshal(m.Meta, &meta) != nil || meta.Checkpoint.ID == "" || meta.Checkpoint.FileCount < 0 {
		return Checkpoint{}, false
	}
	return meta.Checkpoint, true
}

// TurnCheckpoint is the first checkpoint of a turn.
type TurnCheckpoint struct {
	Turn      int64 `json:"turn" db:"turn"`
	FileCount int64 `json:"fileCount" db:"file_count"` // 0: not told
}
