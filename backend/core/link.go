package core

// Way says how two sessions are linked, seen from one of them.
type Way string

// The ways.
const (
	WaySplitFrom Way = "split_from" // it was split off the other one
	WaySplitTo   Way = "split_to"   // the other one was split off it
	WayGraftFrom Way = "graft_from" // a part of it is a copy of a part of the other one
	WayGraftTo   Way = "graft_to"   // a part of it was copied into the other one
)

// LinkState says what has become of the other session of a Link.
type LinkState string

// The states.
const (
	LinkThere   LinkState = "there"
	LinkTrashed LinkState = "trashed" // it is in the trash
	LinkGone    LinkState = "gone"    // it is not in this library, or no longer
)

// Link leads from a session to another one that was split off it or has a copy of a part of it, or the other way round. Of a graft within
// one session both are the same.
type Link struct {
	Way  Way    `json:"way"`
	UID  string `json:"uid"`  // the message of this session that it is about; empty: the whole session
	Turn int64  `json:"turn"` // its turn; -1: the whole session, or the message is gone
	// SessionID is the other one. Its Title is empty where it is gone.
	SessionID string    `json:"sessionId" db:"session_id"`
	Title     string    `json:"title"`
	OtherUID  string    `json:"otherUid" db:"other_uid"`   // the message there; empty: the whole session
	OtherTurn int64     `json:"otherTurn" db:"other_turn"` // -1 as Turn
	State     LinkState `json:"state"`
}
