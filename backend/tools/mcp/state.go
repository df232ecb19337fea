package mcp

// Status is the status of a server.
type Status string

// The statuses.
const (
	StatusStarting   Status = "starting"
	StatusReady      Status = "ready"
	StatusRestarting Status = "restarting" // it failed and is being retried
	StatusFailed     Status = "failed"     // it failed and is not retried
	StatusClosed     Status = "closed"
)

// State is the state of a server, for users.
type State struct {
	Server    string   `json:"server"`
	Status    Status   `json:"status"`
	Error     string   `json:"error"` // why it is not ready; may quote what the server printed
	ToolCount int64    `json:"toolCount"`
	Problems  []string `json:"problems"` // tools that were left out, and why; never nil
}
