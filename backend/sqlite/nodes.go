package sqlite

import (
	"database/sql"
	"hash/maphash"

	"coppice/backend/core"
	"coppice/backend/pages"
)

// node is what a merge must know of a message: of each one, so its size counts, and it has no pointers. A session has less than 2³¹ of them.
type node struct {
	key         nodeKey
	id          int64 // messages.id
	hash        int64
	createdAtMs int64

	parent                   int32 // in nodes
	seq, turn, branch, depth int32

	prompt bool
	came   bool // it is in the Incoming
	added  bool // it was not there before
	rehung bool // its parent has changed
}

func (n *node) place() core.Place {
	return core.Place{Seq: int64(n.seq), Turn: int64(n.turn), Branch: int64(n.branch), Depth: int64(n.depth)}
}

func (n *node) put(at core.Place) {
	n.seq, n.turn, n.branch, n.depth = int32(at.Seq), int32(at.Turn), int32(at.Branch), int32(at.Depth) //nolint:gosec // bounded by the messages of a session
}

// nodeKey stands for a uid, which would be a third of what a merge of a long session holds: 128 bits of a hash with a seed of its own, in
// which no two of them meet.
type nodeKey [2]uint64

// nodes are the messages of a session. Each has a number; 0 stands for none, and for what a root hangs on.
type nodes struct {
	seeds [2]maphash.Seed
	list  pages.List[node]
	slots []int32 // numbers by key, each at the first free place from where its key says; 0: free. Their count is a power of two
}

func newNodes() *nodes {
	s := &nodes{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, slots: make([]int32, 64)}
	s.list.Add(node{})
	return s
}

// count is the number of messages.
func (s *nodes) count() int32 { return s.list.Len() - 1 }

// at returns a message by its number, 1 to count.
func (s *nodes) at(number int32) *node { return s.list.At(number) }

// id is a reference to a message by its number; NULL for 0.
func (s *nodes) id(number int32) sql.NullInt64 {
	if number == 0 {
		return sql.NullInt64{}
	}
	return idOf(s.at(number))
}

// spot is where a message stands; nil for 0.
func (s *nodes) spot(number int32) *core.Spot {
	if number == 0 {
		return nil
	}
	at := s.at(number).place().Spot()
	return &at
}

// number returns the number of the message of a uid; 0 where there is none.
func (s *nodes) number(uid string) int32 { return s.slots[s.slot(s.key(uid))] }

// get returns the message of a uid; nil where there is none.
func (s *nodes) get(uid string) *node {
	if n := s.number(uid); n != 0 {
		return s.at(n)
	}
	return nil
}

// add adds the message of a uid that is not there, and returns its number.
func (s *nodes) add(uid string, n node) int32 {
	n.key = s.key(uid)
	number := s.list.Add(n)
	if 3*len(s.slots) < 4*int(number) {
		s.slots = make([]int32, 2*len(s.slots))
		for older := int32(1); older < number; older++ {
			s.slots[s.slot(s.at(older).key)] = older
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
	for ; s.slots[at] != 0 && s.at(s.slots[at]).key != key; at = (at + 1) & mask {
	}
	return at
}
