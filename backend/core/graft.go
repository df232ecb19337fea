package core

// GraftSource is what is copied from a session: a message, with the path to it or with everything below it.
type GraftSource struct {
	SessionID string `json:"sessionId"`
	UID       string `json:"uid"`
	Path      bool   `json:"path"`
	Below     bool   `json:"below"`
}

// Grafted is the result of copying a GraftSource.
type Grafted struct {
	SessionID string `json:"sessionId"`
	UID       string `json:"uid"` // of the first copy
	Messages  int64  `json:"messages"`
}

// GraftOrigin is the field graftedFrom of the Meta of a copied message.
type GraftOrigin struct {
	SessionID string `json:"sessionId"`
	UID       string `json:"uid"`
	Top       bool   `json:"top,omitempty"` // it is the first message of a copy into an existing session
}
