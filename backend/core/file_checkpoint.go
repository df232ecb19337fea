package core

import (
	"bytes"
	"encoding/json"
)

// Checkpoint records that the tool of a session saved files as they were just before a message. It is the field checkpoint of the
// message's Meta.
type Checkpoint struct {
	ID string `json:"id"` // the tool finds the checkpoint by it
	// FileCount is the number of files that it covers; 0: unknown.
	FileCount int64 `json:"fileCount,omitempty"`
}

// JSON returns the checkpoint as a message's Meta stores it.
func (c Checkpoint) JSON() json.RawMessage {
	kept, _ := json.Marshal(c) // a string and a number
	return kept
}

// Checkpoint returns the checkpoint before the message. It returns false if none exists, or if another program wrote
// something else under that name.
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
	FileCount int64 `json:"fileCount" db:"file_count"` // 0: unknown
}
