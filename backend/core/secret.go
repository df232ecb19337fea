package core

// SecretScan is a session to scan for secrets, in the state that it had when the scan began.
type SecretScan struct {
	SessionID string `db:"id"`
	Key       int64  `db:"key"`
	Messages  int64  `db:"message_count"`
	Reshapes  int64  `db:"reshape_count"`
}

// SecretHit is a secret in a message, by a keyed hash of its text.
type SecretHit struct {
	UID   string
	Hash  []byte
	Count int64
}

// SecretPlace is a message with a secret.
type SecretPlace struct {
	SessionID string `json:"sessionId" db:"session_id"`
	Title     string `json:"title" db:"title"`
	UID       string `json:"uid" db:"uid"`
	Seq       int64  `json:"seq" db:"seq"`   // m<Seq>
	Turn      int64  `json:"node" db:"turn"` // n<Turn>
	Count     int64  `json:"count" db:"count"`
	Hash      []byte `json:"-" db:"hash"`
}

// Secret is a distinct secret and where it occurs. Its text is only in these messages.
type Secret struct {
	ID       string        `json:"id"` // the beginning of its keyed hash, in hexadecimal
	Count    int64         `json:"count"`
	Sessions int64         `json:"sessions"`
	Places   []SecretPlace `json:"places"` // never nil, the newest session first
}
