package core

// Tree is the tree of a session's turns.
type Tree struct {
	Session  Session  `json:"session"`
	Head     string   `json:"head"`     // the uid of the head; empty: before the first message
	HeadTurn int64    `json:"headTurn"` // -1: before the first message
	Branches []Branch `json:"branches"` // by number
	Turns    []Turn   `json:"turns"`    // by number, so a parent comes before its children
	// Hidden are the tops of the subtrees in the session's trash. Branches and Turns include these subtrees.
	Hidden []HiddenTop `json:"hidden,omitempty"`
	Links  []Link      `json:"links"`
}
