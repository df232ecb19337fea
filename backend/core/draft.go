package core

// Draft is an answer that is still being written.
type Draft struct {
	SessionID   string
	RunID       string
	ParentUID   string // the parent it will have
	Message     Message
	UpdatedAtMs int64
}
