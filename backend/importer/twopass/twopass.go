// Package twopass is the frame of formats that read a file of JSON lines twice. The first pass records the position of each
// record, and what the tree needs to know of it. The second pass reads the records again, message by message. So memory
// does not grow with the text.
package twopass

import (
	"context"
	"hash/maphash"
	"io"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// Position is the position of a record: of an object on a line. It has no pointers, because a file may have a million records.
type Position struct {
	Offset int64  // of the line
	Sum    uint32 // a hash of the line
	Length int32  // of the line, in bytes
	Line   int32  // from 1; 0: the file has no lines
	Part   int16  // which object of the line; -1: the only one
	Source int16  // which of the files that a session is read from; 0 if there is one
}

// Reader reads the records of both passes. It detects a file that was rewritten between them.
type Reader struct{ seed maphash.Seed }

// NewReader returns a reader for one file, or for several that a session is read from.
func NewReader() Reader { return Reader{seed: maphash.MakeSeed()} }

// First passes on the objects of a line in the first pass, with their positions, until take returns false. It reports a damaged line to
// the file's reader, and returns the last result of take.
func (r Reader) First(l jsonl.Line, file *core.SourceFile, source int16, take func(gjson.Result, Position) bool) bool {
	objects := jsonl.Records(l, file)
	at := Position{Offset: l.Offset, Length: int32(len(l.Text)), Line: int32(l.Number), Part: -1, Source: source} //nolint:gosec // below MaxLine
	if len(objects) > 0 {
		at.Sum = r.sum(l.Text)
	}
	for i, o := range objects {
		if len(objects) > 1 {
			at.Part = int16(i) //nolint:gosec // jsonl separates a thousand objects at most
		}
		if !take(o, at) {
			return false
		}
	}
	return true
}

// Buffer holds the bytes of a line, and is reused from line to line.
type Buffer struct{ bytes []byte }

// reusedBytes is the longest line whose buffer is reused.
const reusedBytes = 1 << 20

func (b *Buffer) ofLength(n int32) []byte {
	line := b.bytes
	if cap(line) < int(n) {
		line = make([]byte, n)
	}
	if n <= reusedBytes {
		b.bytes = line
	}
	return line[:n]
}

// Again reads a record again in the second pass. A different line means that the file was rewritten.
func (r Reader) Again(data io.ReaderAt, at Position, buffer *Buffer) (gjson.Result, error) {
	line := buffer.ofLength(at.Length)
	n, _ := data.ReadAt(line, at.Offset) // a short read gives another sum
	if r.sum(line[:n]) != at.Sum {
		return gjson.Result{}, core.E(core.Invalid, "line %d changed while it was read", at.Line).WithHint("import it again")
	}
	return jsonl.ParseAgain(line, int32(at.Part)), nil
}

func (r Reader) sum(line []byte) uint32 {
	return uint32(maphash.Bytes(r.seed, line)) //nolint:gosec // half of it is enough
}

// Messages yields the messages with the numbers from 1 until before end, in this order: node 0 represents the position before the first
// message. build returns one of them.
func Messages(ctx context.Context, end int32, build func(n int32) (core.IncomingMessage, error)) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		for n := int32(1); n < end; n++ {
			if err := ctx.Err(); err != nil {
				yield(core.IncomingMessage{}, err)
				return
			}
			m, err := build(n)
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// Records yields what a file holds beside its messages. position returns the position of the record with a number below end, and false if
// that is not to be stored; build reads it again. Lines that were imported before are left out, and changed lines are reported.
func Records(
	file *core.SourceFile, end int32, position func(n int32) (Position, bool), build func(n int32) (core.Record, error),
) iter.Seq[core.Record] {
	return func(yield func(core.Record) bool) {
		for n := range end {
			at, stored := position(n)
			if !stored || at.Offset < file.FromBytes {
				continue
			}
			r, err := build(n)
			if err != nil {
				file.Problem(int64(at.Line), err.Error())
				continue
			}
			r.Line = int64(at.Line)
			if !yield(r) {
				return
			}
		}
	}
}
