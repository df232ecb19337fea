package cryptvfs

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"
)

// A page that is replaced by its own older version is authentic. A tree detects it: a leaf holds the tags of the pages below it, a node
// above the tags of its nodes, and the root, which is at the start of the file, has a generation that grows with each change. Only
// all of it together can be replaced by an older version: that is an older file.
//
// Each node has two blocks, its slots. A change is written to the slot that the tree on disk does not use, for the nodes of all levels, and
// counts as soon as the root is written. So a change that was interrupted leaves the tree as it was. The pages that it had written do not
// fit that tree, but SQLite does not read them: the log, or the journal, still has them.

// slots is the number of blocks that a node has.
const slots = 2

// nodeID is the position of a node: its level, from 1, and its number in it, from 0.
type nodeID struct {
	level int
	index int64
}

// tag is the tag of a page or a node. The zero tag means that it was never written.
type tag [tagSize]byte

// node is a node of the tree. One that is in the cache does not change.
type node struct {
	tag      tag
	slot     int64  // the block that holds it, 0 or 1; noSlot: it was never written
	hasSpare bool   // its other block is part of the file: writing there needs no room
	body     []byte // the tags of what is below, in order
}

const noSlot = -1

func (n *node) entry(i int64) tag { return tag(n.body[i*tagSize:]) }

func (n *node) set(i int64, t tag) { copy(n.body[i*tagSize:], t[:]) }

// next returns the slot that a change is written to.
func (n *node) next() int64 {
	if n.slot == noSlot {
		return 0
	}
	return 1 - n.slot
}

// root is the root of a tree.
type root struct {
	node
	generation uint64 // 0: nothing was written yet
}

// rootExtra is the size of what the root holds behind its entries: what is known of the log.
const rootExtra = 40

// copied is what a checkpoint has copied from the log to the pages.
type copied struct {
	first uint64 // the epoch of the first transaction of the log, by which it is recognized; 0: nothing was copied
	frame uint64 // the last frame that was copied
	last  uint64 // its epoch
}

func (r *root) copied() copied {
	extra := r.body[len(r.body)-rootExtra:]
	return copied{binary.BigEndian.Uint64(extra), binary.BigEndian.Uint64(extra[8:]), binary.BigEndian.Uint64(extra[16:])}
}

func (r *root) setCopied(c copied) {
	extra := r.body[len(r.body)-rootExtra:]
	binary.BigEndian.PutUint64(extra, c.first)
	binary.BigEndian.PutUint64(extra[8:], c.frame)
	binary.BigEndian.PutUint64(extra[16:], c.last)
}

// blocks are the blocks of an open file. Results are SQLite's codes.
type blocks interface {
	// readSlots reads the two blocks of a node into memory that is used again. What is beyond the end of the file is zero.
	readSlots(block int64) (both [slots][]byte, code int32)
	// writeSlot encrypts a node into a block.
	writeSlot(block int64, body []byte, p *place) (tag, int32)
	// reserveSlot writes zeros to a block.
	reserveSlot(block int64) int32
	sync() int32
}

// tree reads the nodes of a database, and holds those that were read. It may be used concurrently.
type tree struct {
	geometry
	sealer *sealer
	size   int64 // of a page
	mu     sync.RWMutex
	cache  map[nodeID]*node // by tag: one that is not the expected one is not used
}

// maxCached is the maximum number of nodes in the cache: in the library, those of 4 GB.
const maxCached = 1024

func newTree(s *sealer, pageSize int64) *tree {
	return &tree{geometry: newGeometry(pageSize), sealer: s, size: pageSize, cache: map[nodeID]*node{}}
}

func (t *tree) bodySize() int64 { return t.size - Reserve }

// tagOf returns the tag of an encrypted block.
func (t *tree) tagOf(block []byte) tag { return tag(block[t.bodySize():]) }

// placeOf returns the place of a node: what is authenticated with it. Only that of the root has a generation.
func placeOf(id nodeID, generation uint64) *place {
	return &place{kind: kindNode, page: uint64(id.level)<<56 | uint64(id.index), frame: frame{link: generation}} //nolint:gosec // not negative
}

// readRoot reads the newest root. The code is SQLITE_IOERR_DATA if it is older than one that was read before, which may be nil.
func (t *tree) readRoot(b blocks, known *root) (*root, int32) {
	id := nodeID{t.root(), 0}
	both, code := b.readSlots(t.nodeBlock(id))
	if code != sqlite3.SQLITE_OK {
		return nil, code
	}
	generations := [slots]uint64{linkOf(both[0]), linkOf(both[1])}
	newest := 0
	if generations[1] > generations[0] {
		newest = 1
	}
	for _, slot := range []int{newest, 1 - newest} {
		generation, raw := generations[slot], both[slot]
		if generation == 0 || generation%slots != uint64(slot) { //nolint:gosec // 0 or 1
			continue
		}
		if known != nil && known.generation == generation && known.tag == t.tagOf(raw) {
			return known, sqlite3.SQLITE_OK
		}
		r := &root{generation: generation}
		if r.tag = t.tagOf(raw); t.sealer.open(raw, placeOf(id, generation)) != nil {
			continue
		}
		if known != nil && known.generation > generation {
			return nil, sqlite3.SQLITE_IOERR_DATA
		}
		r.slot, r.hasSpare, r.body = int64(slot), generations[1-slot] > 0, bytes.Clone(raw[:t.bodySize()])
		return r, sqlite3.SQLITE_OK
	}
	if known != nil && known.generation > 0 {
		return nil, sqlite3.SQLITE_IOERR_DATA
	}
	if known != nil {
		return known, sqlite3.SQLITE_OK
	}
	return &root{node: node{slot: noSlot, body: make([]byte, t.bodySize())}}, sqlite3.SQLITE_OK
}

// read returns the node that has a tag.
func (t *tree) read(b blocks, id nodeID, want tag) (*node, int32) {
	t.mu.RLock()
	n := t.cache[id]
	t.mu.RUnlock()
	if n != nil && n.tag == want {
		return n, sqlite3.SQLITE_OK
	}
	both, code := b.readSlots(t.nodeBlock(id))
	if code != sqlite3.SQLITE_OK {
		return nil, code
	}
	for slot, raw := range both {
		if t.tagOf(raw) != want || t.sealer.open(raw, placeOf(id, 0)) != nil {
			continue
		}
		n := &node{tag: want, slot: int64(slot), hasSpare: t.tagOf(both[1-slot]) != tag{}, body: bytes.Clone(raw[:t.bodySize()])}
		t.put(id, n)
		return n, sqlite3.SQLITE_OK
	}
	return nil, sqlite3.SQLITE_IOERR_DATA
}

func (t *tree) put(id nodeID, n *node) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.cache) >= maxCached {
		for other := range t.cache {
			if delete(t.cache, other); len(t.cache) <= maxCached/2 {
				break
			}
		}
	}
	t.cache[id] = n
}

// pageTag returns the tag that a page has below a root.
func (t *tree) pageTag(b blocks, r *root, page int64) (tag, int32) {
	if page >= t.capacity() {
		return tag{}, sqlite3.SQLITE_OK
	}
	n := &r.node
	for level := t.root(); ; level-- {
		_, i := t.above(page, level)
		want := n.entry(i)
		if level == 1 || want == (tag{}) {
			return want, sqlite3.SQLITE_OK
		}
		var code int32
		below, _ := t.above(page, level-1)
		if n, code = t.read(b, below, want); code != sqlite3.SQLITE_OK {
			return tag{}, code
		}
	}
}

// changes are changes of a tree that are not written yet: the nodes above each page that was written.
type changes struct {
	*tree
	base  *root
	root  node
	nodes map[nodeID]*node
}

// change begins changes of the tree below a root.
func (t *tree) change(b blocks, base *root) (*changes, int32) {
	c := &changes{tree: t, base: base, root: base.node, nodes: map[nodeID]*node{}}
	c.root.body = bytes.Clone(base.body)
	if base.hasSpare {
		return c, sqlite3.SQLITE_OK
	}
	return c, b.reserveSlot(t.nodeBlock(nodeID{t.root(), 0}) + c.rootSlot())
}

// rootSlot returns the slot of the next root: the one of its generation.
func (c *changes) rootSlot() int64 { return int64((c.base.generation + 1) % slots) } //nolint:gosec // 0 or 1

// find returns the node of a level above a page as it is to be changed.
func (c *changes) find(b blocks, page int64, level int) (*node, int32) {
	if level == c.tree.root() {
		return &c.root, sqlite3.SQLITE_OK
	}
	id, _ := c.above(page, level)
	if n := c.nodes[id]; n != nil {
		return n, sqlite3.SQLITE_OK
	}
	parent, code := c.find(b, page, level+1)
	if code != sqlite3.SQLITE_OK {
		return nil, code
	}
	n := &node{slot: noSlot, body: make([]byte, c.bodySize())}
	if _, i := c.above(page, level+1); parent.entry(i) != (tag{}) {
		old, code := c.read(b, id, parent.entry(i))
		if code != sqlite3.SQLITE_OK {
			return nil, code
		}
		*n = *old
		n.body = bytes.Clone(old.body)
	}
	if !n.hasSpare { // a full disk must be noticed now: SQLite ignores an error at the end of a checkpoint
		if code := b.reserveSlot(c.nodeBlock(id) + n.next()); code != sqlite3.SQLITE_OK {
			return nil, code
		}
	}
	c.nodes[id] = n
	return n, sqlite3.SQLITE_OK
}

// prepare makes room for the change of a page.
func (c *changes) prepare(b blocks, page int64) int32 {
	if page >= c.capacity() {
		return sqlite3.SQLITE_FULL
	}
	_, code := c.find(b, page, 1)
	return code
}

// set changes the tag of a page that was prepared.
func (c *changes) set(page int64, to tag) {
	id, i := c.above(page, 1)
	c.nodes[id].set(i, to)
}

// pageTag returns the tag that a page has.
func (c *changes) pageTag(b blocks, page int64) (tag, int32) {
	id, i := c.above(page, 1)
	if n := c.nodes[id]; n != nil {
		return n.entry(i), sqlite3.SQLITE_OK
	}
	return c.tree.pageTag(b, c.base, page)
}

// write writes the changes, and returns the new root. It may be repeated if it fails. Unless done is nil, it becomes what was copied from
// the log. If durable, the order of what is written to the disk is right for a power failure, except that the root is not synchronized.
func (c *changes) write(b blocks, done *copied, durable bool) (*root, int32) {
	ids := slices.SortedFunc(maps.Keys(c.nodes), func(a, b nodeID) int { return a.level - b.level })
	for _, id := range ids {
		n := c.nodes[id]
		t, code := b.writeSlot(c.nodeBlock(id)+n.next(), n.body, placeOf(id, 0))
		if code != sqlite3.SQLITE_OK {
			return nil, code
		}
		n.tag = t
		_, i := c.above(id.index*c.spans[id.level], id.level+1)
		parent, code := c.find(b, id.index*c.spans[id.level], id.level+1)
		if code != sqlite3.SQLITE_OK {
			return nil, code
		}
		parent.set(i, t)
	}
	if durable {
		if code := b.sync(); code != sqlite3.SQLITE_OK {
			return nil, code
		}
	}
	r := &root{node: c.root, generation: c.base.generation + 1}
	if done != nil {
		r.setCopied(*done)
	}
	id := nodeID{c.tree.root(), 0}
	var code int32
	if r.tag, code = b.writeSlot(c.nodeBlock(id)+c.rootSlot(), r.body, placeOf(id, r.generation)); code != sqlite3.SQLITE_OK {
		return nil, code
	}
	r.slot, r.hasSpare = c.rootSlot(), c.base.generation > 0
	for _, id := range ids {
		n := c.nodes[id]
		n.slot, n.hasSpare = n.next(), n.slot != noSlot
		c.put(id, n)
	}
	return r, sqlite3.SQLITE_OK
}
