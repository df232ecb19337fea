package core

import (
	"encoding/json"
)

// Record is something that a foreign file holds besides messages, stored verbatim.
type Record struct {
	AfterUID string          `json:"afterUid"` // the message it came after; empty: before the first
	Line     int64           `json:"line"`     // in the source, from 1; 0 if the source has no lines
	Type     string          `json:"type"`     // as the source names it
	Known    bool            `json:"known"`    // false: this version does not know its meaning
	Body     json.RawMessage `json:"body"`     // valid JSON
}

// RecordCount is the number of a session's records of one type.
type RecordCount struct {
	Type  string `json:"type"`
	Known bool   `json:"known"` // false: this version does not know the type's meaning
	Count int64  `json:"count"`
}
