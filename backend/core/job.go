package core

// Job is the work that an agent gave to another one, in a session of its own.
type Job struct {
	SessionID   string     `json:"sessionId"`
	ParentID    string     `json:"parentId"` // the session that it was given in
	Agent       string     `json:"agent"`
	Title       string     `json:"title"`
	Status      Status     `json:"status"`
	StopReason  StopReason `json:"stopReason"`
	Steps       int64      `json:"steps"`
	Tokens      int64      `json:"tokens"`
	CostNanoUSD *int64     `json:"costNanoUsd"` // nil: unknown
	StartedAtMs int64      `json:"startedAtMs"`
	EndedAtMs   int64      `json:"endedAtMs"` // 0: it has not ended
}
