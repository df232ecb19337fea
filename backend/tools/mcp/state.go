package mcp

// Status says how a server is.
type Status string

// The statuses.
const (
	StatusStarting   Status = "starting"
	StatusReady      Status = "ready"
	StatusRestarting Status = "restarting" // it failed and is tried again
	StatusFailed     Status = "failed"     // it failed for good
	StatusClosed     Status = "closed"
)

// State tells how a server is, for people.
type State struct {
	Server    string   `json:"server"`
	Status    Status   `json:"status"`
	Error     string   `json:"error"` // why it is not ready; may quote what the server printed
	ToolCount int64    `json:"toolCount"`
	Problems  []string `json:"problems"` // tools that were left out, and why; never nil
}
