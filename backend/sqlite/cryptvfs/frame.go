package cryptvfs

import (
	"crypto/rand"
	"encoding/binary"
)

// The layout of a write-ahead log; see https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
const (
	logHeaderSize   = 32
	frameHeaderSize = 24
	littleEndianLog = 0x377f0682 // the magic number of a log whose checksums read little-endian words
)

// frame is what is authenticated with a page of the log.
type frame struct {
	number uint64  // in the log, from 1
	size   uint32  // of the database in pages after the transaction; 0: more frames of it follow
	salt   [8]byte // of the log, which changes whenever it begins again
	epoch  uint64  // of the transaction: a random number
	link   uint64  // the epoch of the transaction before it in the log; for the first one, the generation of the tree when the log began
}

// frameSize is the size of what append appends.
const frameSize = 8 + 4 + 8 + 8 + 8

func (f *frame) append(data []byte) []byte {
	data = binary.BigEndian.AppendUint64(data, f.number)
	data = binary.BigEndian.AppendUint32(data, f.size)
	data = append(data, f.salt[:]...)
	data = binary.BigEndian.AppendUint64(data, f.epoch)
	return binary.BigEndian.AppendUint64(data, f.link)
}

// parseFrame reads a frame header as it is in the file: the epoch is where SQLite writes its checksum.
func parseFrame(header []byte, number uint64) (page uint32, f frame) {
	f = frame{number: number, size: binary.BigEndian.Uint32(header[4:]), epoch: binary.BigEndian.Uint64(header[16:])}
	copy(f.salt[:], header[8:16])
	return binary.BigEndian.Uint32(header), f
}

func newEpoch() uint64 {
	var random [8]byte
	_, _ = rand.Read(random[:])
	return binary.BigEndian.Uint64(random[:]) | 1 // never 0
}

// follows reports whether the frame continues the log after the one before it, the zero frame for the first one, which belongsTo decides on.
func (f *frame) follows(before *frame) bool {
	switch {
	case f.number != before.number+1:
		return false
	case before.number == 0:
		return true
	case before.size == 0: // in the middle of a transaction
		return f.epoch == before.epoch && f.link == before.link
	default:
		return f.link == before.epoch && f.epoch != before.epoch
	}
}

// belongsTo reports whether the first frame of a log is of one that belongs to the pages below a root: of the log that was last copied to them,
// or of one that began afterwards. Another one is an older log, whose pages would replace newer ones.
func (f *frame) belongsTo(r *root) bool {
	return f.link == r.generation || f.epoch == r.copied().first
}

// checksum is the checksum that SQLite chains the frames of a log by.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

// newChecksum returns the checksum with which the log of this header begins.
func newChecksum(header []byte) checksum {
	c := checksum{order: binary.BigEndian, s0: binary.BigEndian.Uint32(header[24:]), s1: binary.BigEndian.Uint32(header[28:])}
	if binary.BigEndian.Uint32(header) == littleEndianLog {
		c.order = binary.LittleEndian
	}
	return c
}

// add adds data, whose length is a multiple of 8.
func (c *checksum) add(data []byte) {
	for len(data) >= 8 {
		c.s0 += c.order.Uint32(data) + c.s1
		c.s1 += c.order.Uint32(data[4:]) + c.s0
		data = data[8:]
	}
}

// put writes the checksum to a frame header.
func (c *checksum) put(header []byte) {
	binary.BigEndian.PutUint32(header[16:], c.s0)
	binary.BigEndian.PutUint32(header[20:], c.s1)
}
