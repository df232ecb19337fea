package core

// Blob is a content and its hash.
type Blob struct {
	Hash     string `json:"hash"` // see Hash
	MimeType string `json:"mimeType"`
	Data     []byte `json:"data"`
}
