package arrange

import (
	"database/sql"
	"hash/maphash"

	"coppice/backend/core"
	"coppice/backend/pages"
)

// Node is what a merge must know of a message: of each one, so its size counts, and it has no pointers. A session has less than 2³¹ of them.
type Node struct {
	key         nodeKey
	ID          int64 // messages.id
	Hash        int64
	CreatedAtMs int64

	Parent                   int32 // in nodes
	seq, turn, branch, depth int32

	Prompt bool
	Came   bool // it is in the Incoming
	Added  bool // it was not there before
	Rehung bool // its parent has changed
}

// Placement returns the position of the message in its tree.
func (n *Node) Placement() core.Placement {
	return core.Placement{Seq: int64(n.seq), Turn: int64(n.turn), Branch: int64(n.branch), Depth: int64(n.depth)}
}

// Put sets the position of the message in its tree.
func (n *Node) Put(at core.Placement) {
	n.seq, n.turn, n.branch, n.depth = int32(at.Seq), int32(at.Turn), int32(at.Branch), int32(at.Depth) //nolint:gosec // bounded by the messages of a session
}

// nodeKey represents a uid, which would be a third of what a merge of a long session holds: 128 bits of a hash with a seed of its own, in
// which no two of them meet.
type nodeKey [2]uint64

// nodes are the messages of a session. Each has a number; 0 means none, and is the parent of a root.
type nodes struct {
	seeds [2]maphash.Seed
	list  pages.List[Node]
	slots []int32 // numbers by key, each at the first free place from where its key says; 0: free. Their count is a power of two
}

// NewNodes returns an empty set of messages.
func NewNodes() *nodes {
	s := &nodes{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, slots: make([]int32, 64)}
	s.list.Add(Node{})
	return s
}

// Count is the number of messages.
func (s *nodes) Count() int32 { return s.list.Len() - 1 }

// At returns a message by its number, 1 to count.
func (s *nodes) At(number int32) *Node { return s.list.At(number) }

// ID is a reference to a message by its number; NULL for 0.
func (s *nodes) ID(number int32) sql.NullInt64 {
	if number == 0 {
		return sql.NullInt64{}
	}
	return Reference(s.At(number))
}

// Position is the position of a message; nil for 0.
func (s *nodes) Position(number int32) *core.Position {
	if number == 0 {
		return nil
	}
	at := s.At(number).Placement().Position()
	return &at
}

// Number returns the number of the message of a uid; 0 if it is not a message of the session.
func (s *nodes) Number(uid string) int32 { return s.slots[s.slot(s.key(uid))] }

// Get returns the message of a uid; nil if it is not a message of the session.
func (s *nodes) Get(uid string) *Node {
	if n := s.Number(uid); n != 0 {
		return s.At(n)
	}
	return nil
}

// Add adds the message of a uid that is not there, and returns its number.
func (s *nodes) Add(uid string, n Node) int32 {
	n.key = s.key(uid)
	number := s.list.Add(n)
	if 3*len(s.slots) < 4*int(number) {
		s.slots = make([]int32, 2*len(s.slots))
		for older := int32(1); older < number; older++ {
			s.slots[s.slot(s.At(older).key)] = older
		}
	}
	s.slots[s.slot(n.key)] = number
	return number
}

func (s *nodes) key(uid string) nodeKey {
	return nodeKey{maphash.String(s.seeds[0], uid), maphash.String(s.seeds[1], uid)}
}

// slot returns the place of a key, or the free one where it belongs.
func (s *nodes) slot(key nodeKey) uint64 {
	mask := uint64(len(s.slots) - 1) //nolint:gosec // a power of two, less one
	at := key[0] & mask
	for ; s.slots[at] != 0 && s.At(s.slots[at]).key != key; at = (at + 1) & mask {
	}
	return at
}

// Reference is a reference to a message; NULL to none.
func Reference(n *Node) sql.NullInt64 {
	if n == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: n.ID, Valid: true}
}
