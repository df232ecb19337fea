package core

// Way is how two sessions are linked, seen from one of them.
type Way string

// The ways.
const (
	WaySplitFrom Way = "split_from" // it was split off the other session
	WaySplitTo   Way = "split_to"   // the other session was split off it
	WayGraftFrom Way = "graft_from" // part of it is a copy of part of the other session
	WayGraftTo   Way = "graft_to"   // part of it was copied into the other session
)

// LinkState is the state of the other session of a Link.
type LinkState string

// The states.
const (
	LinkThere   LinkState = "there"
	LinkTrashed LinkState = "trashed" // it is in the trash
	LinkGone    LinkState = "gone"    // it is not in this library, or no longer
)

// Link leads from a session to another that was split off it or holds a copy of part of it, or in the opposite direction. A graft within
// one session links it to itself.
type Link struct {
	Way  Way    `json:"way"`
	UID  string `json:"uid"`  // the message of this session that it concerns; empty: the whole session
	Turn int64  `json:"turn"` // its turn; -1: the whole session, or the message no longer exists
	// SessionID is the other session. Its Title is empty if it no longer exists.
	SessionID string    `json:"sessionId" db:"session_id"`
	Title     string    `json:"title"`
	OtherUID  string    `json:"otherUid" db:"other_uid"`   // the message there; empty: the whole session
	OtherTurn int64     `json:"otherTurn" db:"other_turn"` // -1 as for Turn
	State     LinkState `json:"state"`
}
