// Package packing encodes and compresses messages as they are stored, and separates long texts and media from them.
package packing

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"

	"coppice/backend/core"
	"coppice/backend/toolcall"
)

const (
	// compressFrom is the size from which compressing pays.
	compressFrom = 512
	windowBytes  = 1 << 20
	// inflateLimit is the largest content that is taken out of the file: a damaged or forged frame may claim anything.
	inflateLimit = 1 << 31
	// zstdMagic begins every zstd frame, RFC 8878 3.1.1.
	zstdMagic = 0xFD2FB528
)

// Codec compresses what is stored. It is safe to use from several goroutines.
type Codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder

	prices    core.Pricer // nil: none
	scratches sync.Pool
	Tools     toolcall.Tools
	Packers   chan struct{} // holds one for each that packs ahead of the writer, to which a processor is left
}

// NewCodec returns a codec that leaves one processor to the writer. prices, which may be nil, estimates the messages.
func NewCodec(prices core.Pricer) (*Codec, error) {
	// The level above makes a library a twentieth smaller and takes two thirds longer. An encoder keeps twice its window in memory, and little
	// of what is stored is longer than this one.
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(windowBytes))
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(inflateLimit))
	if err != nil {
		return nil, err
	}
	return &Codec{prices: prices, enc: enc, dec: dec, Tools: toolcall.Known(), Packers: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}, nil
}

// Deflate compresses JSON where that makes it smaller. A zstd frame never begins like JSON.
func (c *Codec) Deflate(data []byte) []byte {
	if small, ok := c.Shrink(data); ok {
		return small
	}
	return data
}

// Shrink compresses data; ok is false where that does not make it smaller.
func (c *Codec) Shrink(data []byte) (small []byte, ok bool) {
	if len(data) < compressFrom {
		return nil, false
	}
	if len(data) > scratchBytes {
		return c.shrinkLarge(data)
	}
	scratch := c.scratch()
	defer c.spare(scratch)
	scratch.data = c.enc.EncodeAll(data, scratch.data[:0])
	if len(scratch.data) >= len(data) {
		return nil, false
	}
	return bytes.Clone(scratch.data), true
}

// shrinkLarge is Shrink for data that take much memory. Their beginning decides whether it pays, and how large the buffer is: one for the worst
// case, and a copy of what it holds, would be in memory beside the data.
func (c *Codec) shrinkLarge(data []byte) (small []byte, ok bool) {
	sample, ok := c.Shrink(data[:scratchBytes])
	if !ok {
		return nil, false
	}
	expected := len(data) / scratchBytes * len(sample)
	spare := expected/8 + scratchBytes
	small = c.enc.EncodeAll(data, make([]byte, 0, min(expected+spare, c.enc.MaxEncodedSize(len(data)))))
	if cap(small)-len(small) > spare {
		small = bytes.Clone(small)
	}
	return small, len(small) < len(data)
}

// scratch is a buffer that is used again and again.
type scratch struct{ data []byte }

// scratchBytes is the largest buffer that is kept.
const scratchBytes = 1 << 20

// scratch returns a buffer to write to; spare takes it back.
func (c *Codec) scratch() *scratch {
	if s, ok := c.scratches.Get().(*scratch); ok {
		return s
	}
	return &scratch{}
}

func (c *Codec) spare(s *scratch) {
	if cap(s.data) <= scratchBytes {
		c.scratches.Put(s)
	}
}

// Inflate undoes deflate.
func (c *Codec) Inflate(stored []byte) ([]byte, error) {
	if len(stored) < 4 || binary.LittleEndian.Uint32(stored) != zstdMagic {
		return stored, nil
	}
	return c.dec.DecodeAll(stored, nil)
}
