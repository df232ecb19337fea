package core

// FileTouch is one change that a tool call made to a file.
type FileTouch struct {
	SessionID    string `json:"sessionId" db:"session_id"`
	Title        string `json:"title" db:"title"`
	Source       Source `json:"source" db:"source"`
	Path         string `json:"path" db:"path"` // as the tool names it
	MessageUID   string `json:"messageUid" db:"message_uid"`
	Seq          int64  `json:"seq" db:"seq"`   // m<Seq>
	Turn         int64  `json:"turn" db:"turn"` // n<Turn>
	CallID       string `json:"callId" db:"call_id"`
	LinesAdded   int64  `json:"linesAdded" db:"lines_added"`
	LinesRemoved int64  `json:"linesRemoved" db:"lines_removed"`
	Failed       bool   `json:"failed" db:"failed"` // the call failed, so the file was not changed
	CreatedAtMs  int64  `json:"createdAtMs" db:"created_at_ms"`
}
