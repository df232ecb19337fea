package mcp

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"sync"
)

// lines passes on the messages of a server, one per line, and puts aside anything else it prints: a banner on the
// standard output is a common mistake and no reason to end.
type lines struct {
	in      *bufio.Reader
	aside   io.Writer
	pending []byte // read and not yet passed on
	within  bool   // in the middle of a line
	skip    bool   // this line is not a message
}

func newLines(in io.Reader, aside io.Writer) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), aside: aside}
}

// Read returns the bytes of lines that begin an object or an array.
func (l *lines) Read(data []byte) (int, error) {
	for len(l.pending) == 0 {
		piece, err := l.in.ReadSlice('\n')
		if len(piece) == 0 {
			return 0, err
		}
		if !l.within {
			l.skip = !isMessage(piece)
		}
		l.within = piece[len(piece)-1] != '\n'
		if l.skip {
			_, _ = l.aside.Write(piece) // stores what it can
			continue
		}
		l.pending = piece
	}
	n := copy(data, l.pending)
	l.pending = l.pending[n:]
	return n, nil
}

func isMessage(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r")
	return len(line) > 0 && (line[0] == '{' || line[0] == '[')
}

// tailBytes is how much of a server's other output is stored.
const tailBytes = 2048

// tail stores the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write never fails.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, data[max(0, len(data)-tailBytes):]...)
	t.kept = bytes.Clone(t.kept[max(0, len(t.kept)-tailBytes):])
	return len(data), nil
}

// String returns the stored text as one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(t.kept), "")), " ")
}
