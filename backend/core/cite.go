package core

import "encoding/json"

// citing is the part of a message's Meta that names what it refers to.
type citing struct {
	Cites []string `json:"cites"`
}

// CitingMeta returns the Meta of a message that cites others of its session; nil where it cites none.
func CitingMeta(uids []string) json.RawMessage {
	if len(uids) == 0 {
		return nil
	}
	meta, _ := json.Marshal(citing{uids}) //nolint:errchkjson // strings can be written
	return meta
}

// Cites returns the uids of the messages that this one was written about, such as the ends of two branches that its words
// bring together. They may be gone.
func (m *Message) Cites() []string {
	var meta citing
	if len(m.Meta) == 0 || json.Unmarshal(m.Meta, &meta) != nil {
		return nil
	}
	return meta.Cites
}
