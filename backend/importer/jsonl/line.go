package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// MaxLine is the longest line that is read, in bytes. The largest ones seen hold a few pasted images.
const MaxLine = core.MaxValueBytes

// Line is one line of a file.
type Line struct {
	Number  int64  // from 1
	Offset  int64  // of its first byte
	End     int64  // after its last byte
	Text    []byte // without the line's end; valid until the next line is read
	TooLong bool   // longer than MaxLine; Text is empty
	Torn    bool   // the file ends before the line does
}

// Damage describes what is wrong with a line that holds a number of objects other than one, see Parse.
func (l Line) Damage(objects int) string {
	switch {
	case l.TooLong:
		return "line longer than " + humanize.IBytes(MaxLine) + ", skipped"
	case objects > 1:
		return "damaged line: " + strconv.Itoa(objects) + " records on it, all read"
	}
	if flaw := jsontext.Check(clean(l.Text)); flaw == jsontext.TooDeep || flaw == jsontext.TooDense {
		return "line " + flaw + ", skipped"
	}
	return "damaged line: not a JSON object, skipped"
}

// Lines yields the lines of a file, holding one of them at a time. If r is also an io.ReaderAt of the same data, a long line costs no more
// memory than its length: it is read again once its length is known.
func Lines(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := &lineReader{in: bufio.NewReaderSize(r, bufferBytes(r))}
		in.again, _ = r.(io.ReaderAt)
		for l := (Line{Number: 1}); ; l = (Line{Number: l.Number + 1, Offset: l.End, End: l.End}) {
			if err := in.read(&l); err != nil {
				yield(Line{}, err)
				return
			}
			if l.End == l.Offset || !yield(l, nil) || l.Torn {
				return
			}
		}
	}
}

// mostBuffer is how much is read at a time.
const mostBuffer = 256 << 10

// bufferBytes returns a buffer size for all of r, if r knows its size and it is small.
func bufferBytes(r io.Reader) int {
	if sized, ok := r.(interface{ Size() int64 }); ok {
		return int(min(sized.Size()+1, mostBuffer)) // one more, so that the last line ends within it
	}
	return mostBuffer
}

// lineReader reads lines of any length.
type lineReader struct {
	in    *bufio.Reader
	again io.ReaderAt // nil: what was read once cannot be read again
}

// read fills in a line from its offset; nothing is left at the end.
func (r *lineReader) read(l *Line) error {
	var long []byte // what exceeds the reader's buffer
	piece, err := r.in.ReadSlice('\n')
	for ; errors.Is(err, bufio.ErrBufferFull); piece, err = r.in.ReadSlice('\n') {
		l.lengthen(piece)
		if r.again == nil && !l.TooLong {
			long = append(long, piece...)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	isLong := l.End > l.Offset
	l.lengthen(piece)
	l.Torn = err != nil
	switch {
	case l.TooLong:
		return nil
	case isLong && r.again != nil:
		piece = make([]byte, l.End-l.Offset)
		if n, err := r.again.ReadAt(piece, l.Offset); n < len(piece) {
			return err
		}
	case isLong:
		piece = append(long, piece...)
	}
	l.Text = bytes.TrimRight(piece, "\r\n")
	return nil
}

// lengthen adds a piece to the length of the line.
func (l *Line) lengthen(piece []byte) {
	l.End += int64(len(piece))
	l.TooLong = l.End-l.Offset > MaxLine
}
