package core

// Bookmark is a turn that the user marked to return to.
type Bookmark struct {
	Turn        int64  `json:"turn" db:"turn"` // n<Turn>
	UID         string `json:"uid" db:"uid"`   // the turn's first message
	CreatedAtMs int64  `json:"createdAtMs" db:"created_at_ms"`
}
