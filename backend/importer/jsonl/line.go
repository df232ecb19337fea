package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"
)

// MaxLine is the longest line that is read, in bytes. The largest ones seen hold a few pasted images.
const MaxLine = 256 << 20

// Line is one line of a file.
type Line struct {
	Number  int64  // from 1
	Offset  int64  // of its first byte
	End     int64  // of its last one, and one
	Text    []byte // without the line's end; valid until the next line is read
	TooLong bool   // longer than MaxLine; Text is empty
	Torn    bool   // the file ends before the line does
}

// damage says what is wrong with a line that holds so many objects and not one, see Parse.
func (l Line) damage(objects int) string {
	switch {
	case l.TooLong:
		return "line longer than 256 MB, skipped"
	case objects > 1:
		return "damaged line: " + strconv.Itoa(objects) + " records on it, all read"
	default:
		return "damaged line: not a JSON object, skipped"
	}
}

// Lines yields the lines of a file, holding one of them at a time.
func Lines(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReaderSize(r, 1<<20)
		var long []byte // a line that does not fit into the reader's buffer
		for l := (Line{Number: 1}); ; l = (Line{Number: l.Number + 1, Offset: l.End}) {
			size := int64(0)
			long = long[:0]
			piece, err := in.ReadSlice('\n')
			for ; errors.Is(err, bufio.ErrBufferFull); piece, err = in.ReadSlice('\n') {
				size += int64(len(piece))
				if size <= MaxLine {
					long = append(long, piece...)
				}
			}
			size += int64(len(piece))
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Line{}, err)
				return
			}
			if size == 0 {
				return
			}
			l.End = l.Offset + size
			l.Torn = err != nil
			l.TooLong = size > MaxLine
			l.Text = piece
			if len(long) > 0 {
				long = append(long, piece[:min(len(piece), max(0, MaxLine-len(long)))]...)
				l.Text = long
			}
			if l.TooLong {
				l.Text = nil
			}
			l.Text = bytes.TrimRight(l.Text, "\r\n")
			if !yield(l, nil) || l.Torn {
				return
			}
		}
	}
}
