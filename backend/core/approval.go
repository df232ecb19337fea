package core

// Decision is the user's decision on a call.
type Decision string

// The decisions.
const (
	DecisionAllow Decision = "allow"
	DecisionDeny  Decision = "deny"
)

// ApprovalScope is how long a decision is valid.
type ApprovalScope string

// The scopes.
const (
	ScopeOnce      ApprovalScope = "once" // never stored
	ScopeSession   ApprovalScope = "session"
	ScopeWorkspace ApprovalScope = "workspace"
	ScopeAlways    ApprovalScope = "always"
)

// Approval is a stored permission or refusal.
type Approval struct {
	ID            string        `json:"id" db:"id"` // UUIDv7
	Scope         ApprovalScope `json:"scope" db:"scope"`
	SessionID     string        `json:"sessionId" db:"session_id"`         // of scope session
	WorkspacePath string        `json:"workspacePath" db:"workspace_path"` // of scope workspace
	Tool          string        `json:"tool" db:"tool"`
	Matcher       string        `json:"matcher" db:"matcher"` // the targets of Access.Targets that it covers: an equal one, a prefix that ends in " *" or "/**", or "./**" for every file of the workspace
	Decision      Decision      `json:"decision" db:"decision"`
	Reason        string        `json:"reason" db:"reason"` // given to the model with a refusal
	CreatedAtMs   int64         `json:"createdAtMs" db:"created_at_ms"`
	// Unconfirmed means that an archive brought the permission and the user has not confirmed it: it permits nothing.
	Unconfirmed bool `json:"unconfirmed,omitempty" db:"unconfirmed"`
}
