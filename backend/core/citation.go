package core

import "encoding/json"

// citing is the part of a message's Meta that names the messages it refers to.
type citing struct {
	Cites []string `json:"cites"`
}

// CitingMeta returns the Meta of a message that cites others of its session; nil if it cites none.
func CitingMeta(uids []string) json.RawMessage {
	if len(uids) == 0 {
		return nil
	}
	meta, _ := json.Marshal(citing{uids}) // strings always encode
	return meta
}

// Cites returns the uids of the messages that this one was written about, such as the tips of two branches that it
// merges. They may no longer exist.
func (m *Message) Cites() []string {
	var meta citing
	if len(m.Meta) == 0 || json.Unmarshal(m.Meta, &meta) != nil {
		return nil
	}
	return meta.Cites
}
