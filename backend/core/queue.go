package core

// QueuedMessage is a message of the user to an active run, which is stored until the run takes it.
type QueuedMessage struct {
	UID         string   `json:"uid"` // that of the message it becomes; UUIDv7
	SessionID   string   `json:"sessionId"`
	RunID       string   `json:"runId"`
	Parts       []Part   `json:"parts"`
	Cites       []string `json:"cites"` // see Message.Cites
	CreatedAtMs int64    `json:"createdAtMs"`
}
