package core

// Label is a name on a turn.
type Label struct {
	Turn        int64  `json:"turn" db:"turn"` // n<Turn>
	UID         string `json:"uid" db:"uid"`   // the turn's first message
	Text        string `json:"text" db:"text"`
	Color       Color  `json:"color,omitempty" db:"color"`
	CreatedAtMs int64  `json:"createdAtMs" db:"created_at_ms"`
}
