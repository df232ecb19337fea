package sqlite

import (
	"hash/maphash"
	"iter"
	"maps"

	"coppice/backend/core"
)

// node is what a merge must know of a message: of each one, so its size counts. A session has less than 2³¹ of them.
type node struct {
	id          int64 // messages.id
	parent      *node
	hash        int64
	createdAtMs int64

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

// nodes are the messages of a session by their uids, without these: they would be a third of what a merge of a long session holds.
// In their place stand 128 bits of a hash with a seed of its own, in which no two of them meet.
type nodes struct {
	seeds [2]maphash.Seed
	byUID map[[2]uint64]*node
}

func newNodes() *nodes {
	return &nodes{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, byUID: map[[2]uint64]*node{}}
}

func (s *nodes) key(uid string) [2]uint64 {
	return [2]uint64{maphash.String(s.seeds[0], uid), maphash.String(s.seeds[1], uid)}
}

// get returns the message of a uid; nil where there is none.
func (s *nodes) get(uid string) *node { return s.byUID[s.key(uid)] }

func (s *nodes) add(uid string, n *node) { s.byUID[s.key(uid)] = n }

func (s *nodes) count() int { return len(s.byUID) }

// all returns the messages in no order.
func (s *nodes) all() iter.Seq[*node] { return maps.Values(s.byUID) }
