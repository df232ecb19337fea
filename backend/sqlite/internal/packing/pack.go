package packing

import (
	"bytes"
	"encoding/binary"
	"sync"

	"coppice/backend/core"
)

// A pack holds the bodies of messages that were imported together, as one zstd frame. The messages of a session repeat each
// other: a file that is read, edited and read again is in each of them. See docs/decisions/0017-packs.md.

// MostItems and MostBytes end what an import packs together: its messages become a pack. See docs/decisions/0017-packs.md for what other
// sizes cost.
const (
	MostItems = 128
	MostBytes = 512 << 10
)

const (
	// referenceMark begins a body that is in a pack. JSON and zstd frames begin otherwise.
	referenceMark = 1
	// packedLimit is the size from which a body is stored alone, so that a pack takes little time to uncompress.
	packedLimit = 128 << 10
	// packLeast is the size of bodies from which a pack pays.
	packLeast = 4 << 10
)

// Reference is the range of a body in a pack.
type Reference struct {
	Pack     int64 // packs.id
	From, To int   // in bytes of the uncompressed pack
}

// ParseReference reads a stored body; ok is false for a body that is stored alone.
func ParseReference(stored []byte) (r Reference, ok bool) {
	if len(stored) == 0 || stored[0] != referenceMark {
		return r, false
	}
	stored = stored[1:]
	var numbers [3]int64
	for i := range numbers {
		value, n := binary.Varint(stored)
		if n <= 0 || value < 0 {
			return r, false
		}
		numbers[i], stored = value, stored[n:]
	}
	const most = inflateLimit
	if len(stored) > 0 || numbers[1] > most || numbers[2] > most {
		return r, false
	}
	return Reference{Pack: numbers[0], From: int(numbers[1]), To: int(numbers[1] + numbers[2])}, true
}

// Encode returns the reference as it is stored in place of the body.
func (r Reference) Encode() []byte {
	data := binary.AppendVarint([]byte{referenceMark}, r.Pack)
	return binary.AppendVarint(binary.AppendVarint(data, int64(r.From)), int64(r.To-r.From))
}

// Stored is a stored body with the pack that holds it, if any.
type Stored struct {
	alone    []byte
	pack     *Pack
	from, to int
	err      error // why it failed
}

// Missing returns a body that cannot be read.
func Missing(err error) Stored { return Stored{err: err} }

// Size estimates the size of the compressed body.
func (s *Stored) Size() int {
	const ratio = 4
	return len(s.alone) + (s.to-s.from)/ratio
}

// Alone returns a body that is in no pack.
func Alone(stored []byte) Stored { return Stored{alone: stored} }

// Pack is a pack that was read. It is safe to use from several goroutines.
type Pack struct {
	frame []byte
	once  sync.Once
	data  []byte
	err   error
}

// NewPack returns a pack of a frame.
func NewPack(frame []byte) *Pack { return &Pack{frame: frame} }

// Body returns the body at a reference.
func (p *Pack) Body(r Reference) Stored { return Stored{pack: p, from: r.From, to: r.To} }

// inflate uncompresses the pack, once.
func (p *Pack) inflate(c *Codec) {
	p.once.Do(func() {
		p.data, p.err = c.Inflate(p.frame)
		p.frame = nil
	})
}

// Read returns the JSON of a stored body. The caller must not change it.
func (c *Codec) Read(s Stored) ([]byte, error) {
	if s.pack == nil || s.err != nil {
		return c.Salvage(s)
	}
	s.pack.inflate(c)
	if s.pack.err != nil {
		return nil, s.pack.err
	}
	return c.Salvage(s)
}

// Salvage is Read for a pack of which a part may be damaged: the caller must compare the body with its hash.
func (c *Codec) Salvage(s Stored) ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	if s.pack == nil {
		return c.Inflate(s.alone)
	}
	s.pack.inflate(c)
	if s.to > len(s.pack.data) {
		return nil, core.E(core.Corrupt, "the pack of the message is damaged")
	}
	return s.pack.data[s.from:s.to:s.to], nil
}

// Group collects the bodies of messages that may become a pack.
type Group struct {
	UIDs  []string // of the messages
	Frame []byte   // nil: a pack does not pay
	data  []byte
}

// NewGroup returns an empty group with room for messages of a weight, see Weigh.
func NewGroup(weight int) *Group {
	const most = 1 << 20 // long texts are stored elsewhere
	return &Group{data: make([]byte, 0, min(weight+weight/4, most))}
}

// Close compresses the group. Nothing can be added after it.
func (g *Group) Close(c *Codec) {
	if len(g.UIDs) > 1 && len(g.data) >= packLeast {
		g.Frame, _ = c.Shrink(g.data)
	}
}

// InPack sets the stored body of a message of a group to a reference to a pack, and InRow to the body itself.
func (p *Packed) InPack(pack int64) {
	p.Body = Reference{Pack: pack, From: p.from, To: p.to}.Encode()
	p.Group = nil
}

// InRow sets the stored body of a message that is in no pack. It does nothing if that is set.
func (p *Packed) InRow(c *Codec) {
	if p.Group == nil {
		return
	}
	data := p.Group.data[p.from:p.to]
	small, ok := c.Shrink(data)
	if !ok {
		small = bytes.Clone(data)
	}
	p.Body, p.Group = small, nil
}
