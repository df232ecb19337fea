package claudecode

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// maxLine is the longest line that is read. The largest ones seen hold a few pasted images.
const maxLine = 256 << 20

// line is one line of a file.
type line struct {
	number  int64  // from 1
	offset  int64  // of its first byte
	end     int64  // of its last one, and one
	text    []byte // without the line's end; valid until the next line is read
	tooLong bool   // longer than maxLine; text is empty
	torn    bool   // the file ends before the line does
}

// lines yields the lines of a file, holding one of them at a time.
func lines(r io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		in := bufio.NewReaderSize(r, 1<<20)
		var long []byte // a line that does not fit into the reader's buffer
		for l := (line{number: 1}); ; l = (line{number: l.number + 1, offset: l.end}) {
			size := int64(0)
			long = long[:0]
			piece, err := in.ReadSlice('\n')
			for ; errors.Is(err, bufio.ErrBufferFull); piece, err = in.ReadSlice('\n') {
				size += int64(len(piece))
				if size <= maxLine {
					long = append(long, piece...)
				}
			}
			size += int64(len(piece))
			if err != nil && !errors.Is(err, io.EOF) {
				yield(line{}, err)
				return
			}
			if size == 0 {
				return
			}
			l.end = l.offset + size
			l.torn = err != nil
			l.tooLong = size > maxLine
			l.text = piece
			if len(long) > 0 {
				long = append(long, piece[:min(len(piece), max(0, maxLine-len(long)))]...)
				l.text = long
			}
			if l.tooLong {
				l.text = nil
			}
			l.text = bytes.TrimRight(l.text, "\r\n")
			if !yield(l, nil) || l.torn {
				return
			}
		}
	}
}
