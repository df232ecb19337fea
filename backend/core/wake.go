package core

// WakeKind is what a hibernated session waits for.
type WakeKind string

// The kinds.
const (
	WakeManual  WakeKind = "manual"  // the user
	WakeTime    WakeKind = "time"    // a time
	WakeChange  WakeKind = "change"  // a change of a file or folder
	WakeDone    WakeKind = "done"    // the end of another session
	WakeMessage WakeKind = "message" // a message to the tool that the session was imported from: Coppice receives none
)

// AnyWake is the id of the condition when a session without one is woken: that of an import.
const AnyWake = "any"

// Wake is a condition on which a hibernated session continues. One of several is enough. A run of the session removes them.
type Wake struct {
	ID          string   `json:"id" db:"id"` // UUIDv7
	SessionID   string   `json:"sessionId" db:"session_id"`
	Kind        WakeKind `json:"kind" db:"kind"`
	AtMs        int64    `json:"atMs,omitempty" db:"at_ms"`        // of kind time
	Path        string   `json:"path,omitempty" db:"path"`         // of kind change, absolute
	Fingerprint string   `json:"-" db:"fingerprint"`               // of what was at the path
	AwaitedID   string   `json:"awaitedId,omitempty" db:"awaited"` // of kind done: the session whose end is awaited
	Detail      string   `json:"detail,omitempty" db:"detail"`     // of kind message: whose
	Active      bool     `json:"active" db:"active"`               // false: imported, and the user has not confirmed it
	CreatedAtMs int64    `json:"createdAtMs" db:"created_at_ms"`
}
