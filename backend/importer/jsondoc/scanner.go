package jsondoc

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"

	"github.com/tidwall/gjson"
)

// maxNesting is how deep values may nest before a file counts as damaged.
const maxNesting = 1 << 20

// windowBytes is how much of a file is read at a time.
const windowBytes = 64 << 10

// Damage is the position where a file stops being JSON.
type Damage struct {
	OffsetBytes int64
	Message     string
	Line        int64 // of an element that is damaged; 0: see the function Line
}

// Error describes what is wrong, without the position.
func (d *Damage) Error() string { return d.Message }

// Scanner walks through JSON text. It enters containers and skips or takes values as its caller requests; what it skips
// it checks for matching brackets and quotes only.
//
// Its errors are *Damage, or what the reader failed with.
type Scanner struct {
	in       io.Reader
	buf      []byte
	from, to int   // the part of buf that is not consumed yet
	offset   int64 // of buf[from]
	line     int64 // it is on, from 1
	failed   error // of the reader, io.EOF at the end

	open    []byte        // the containers that were entered
	fresh   bool          // the last one was entered just now
	nest    []byte        // of skip, reused
	taken   *[]byte       // consumed bytes are also appended to it
	limit   int           // of taken
	overrun bool          // there was more than limit
	sum     *maphash.Hash // consumed bytes are also added to it
}

// NewScanner returns a scanner at the beginning of the text; a byte order mark is skipped.
func NewScanner(in io.Reader) *Scanner {
	s := &Scanner{in: in, buf: make([]byte, windowBytes), line: 1}
	for s.to < 3 && s.failed == nil {
		s.fill()
	}
	if s.to >= 3 && s.buf[0] == 0xEF && s.buf[1] == 0xBB && s.buf[2] == 0xBF {
		s.consume(3)
	}
	return s
}

// OffsetBytes returns the position of the scanner.
func (s *Scanner) OffsetBytes() int64 { return s.offset }

// Line returns the number of the line that the scanner is on, from 1.
func (s *Scanner) Line() int64 { return s.line }

// fill reads on. When it is called, buf has no unread bytes, except at the beginning of the text.
func (s *Scanner) fill() {
	if s.from == s.to {
		s.from, s.to = 0, 0
	}
	n, err := s.in.Read(s.buf[s.to:])
	s.to += n
	if err != nil {
		s.failed = err
	}
}

// window returns bytes that are not consumed yet; empty at the end.
func (s *Scanner) window() []byte {
	for s.from == s.to && s.failed == nil {
		s.fill()
	}
	return s.buf[s.from:s.to]
}

func (s *Scanner) consume(n int) {
	b := s.buf[s.from : s.from+n]
	if s.sum != nil {
		_, _ = s.sum.Write(b) // never fails
	}
	if s.taken != nil && !s.overrun {
		if len(*s.taken)+n > s.limit {
			s.overrun, *s.taken = true, nil
		} else {
			*s.taken = append(*s.taken, b...)
		}
	}
	s.from += n
	s.offset += int64(n)
	s.line += int64(bytes.Count(b, []byte("\n")))
}

// end returns the error of a text that ends too early.
func (s *Scanner) end() error {
	if s.failed != nil && !errors.Is(s.failed, io.EOF) && !errors.Is(s.failed, io.ErrUnexpectedEOF) {
		return s.failed
	}
	return &Damage{OffsetBytes: s.offset, Message: "the file ends in the middle", Line: s.line}
}

func (s *Scanner) unexpected(c byte, wanted string) error {
	return &Damage{OffsetBytes: s.offset, Message: fmt.Sprintf("%q where %s should be", rune(c), wanted), Line: s.line}
}

// Peek skips white space and returns the byte after it; 0 at the end of the text.
func (s *Scanner) Peek() (byte, error) {
	for {
		w := s.window()
		if len(w) == 0 {
			if s.failed != nil && !errors.Is(s.failed, io.EOF) {
				return 0, s.end()
			}
			return 0, nil
		}
		n := 0
		for n < len(w) && (w[n] == ' ' || w[n] == '\n' || w[n] == '\t' || w[n] == '\r') {
			n++
		}
		s.consume(n)
		if n < len(w) {
			return w[n], nil
		}
	}
}

// Enter enters the next value, an object or array.
func (s *Scanner) Enter() error {
	c, err := s.Peek()
	switch {
	case err != nil:
		return err
	case c == 0:
		return s.end()
	case c != '{' && c != '[':
		return s.unexpected(c, "an object or a list")
	case len(s.open) >= maxNesting:
		return &Damage{OffsetBytes: s.offset, Message: "values nest too deep", Line: s.line}
	}
	s.consume(1)
	s.open = append(s.open, c)
	s.fresh = true
	return nil
}

// Next moves to the next value of the container that was entered last and returns its key, which is empty
// in an array. At the end of the container it leaves it, and more is false.
func (s *Scanner) Next() (key string, more bool, err error) {
	kind := s.open[len(s.open)-1]
	c, err := s.Peek()
	if err != nil {
		return "", false, err
	}
	if c == kind+2 { // } follows {, and ] [, by two
		s.consume(1)
		s.open, s.fresh = s.open[:len(s.open)-1], false
		return "", false, nil
	}
	if !s.fresh {
		if c != ',' {
			return "", false, s.wrong(c, "a comma")
		}
		s.consume(1)
	}
	s.fresh = false
	if kind == '[' {
		return "", true, nil
	}
	if c, err = s.Peek(); err != nil || c != '"' {
		return "", false, s.wrong(c, "a key")
	}
	raw, _, err := s.Take(1 << 20)
	if err != nil {
		return "", false, err
	}
	if c, err = s.Peek(); err != nil || c != ':' {
		return "", false, s.wrong(c, "a colon")
	}
	s.consume(1)
	return gjson.ParseBytes(raw).String(), true, nil
}

func (s *Scanner) wrong(c byte, wanted string) error {
	if c == 0 {
		return s.end()
	}
	return s.unexpected(c, wanted)
}

// Take reads the next value; fits is false for one of more than limit bytes, which is skipped. A value with matching
// brackets may still be invalid JSON.
func (s *Scanner) Take(limit int) (raw []byte, fits bool, err error) {
	if _, err := s.Peek(); err != nil {
		return nil, false, err
	}
	s.taken, s.limit, s.overrun = &raw, limit, false
	err = s.skip()
	s.taken = nil
	return raw, !s.overrun && err == nil, err
}

// Skip skips the next value and returns its position.
func (s *Scanner) Skip() (offset, length int64, err error) {
	if _, err := s.Peek(); err != nil {
		return 0, 0, err
	}
	offset = s.offset
	err = s.skip()
	return offset, s.offset - offset, err
}

func (s *Scanner) skip() error {
	s.nest = s.nest[:0]
	s.fresh = false
	for {
		c, err := s.Peek()
		if err != nil {
			return err
		}
		switch c {
		case 0:
			return s.end()
		case '"':
			if err := s.skipString(); err != nil {
				return err
			}
		case '{', '[':
			if len(s.nest) >= maxNesting {
				return &Damage{OffsetBytes: s.offset, Message: "values nest too deep", Line: s.line}
			}
			s.nest = append(s.nest, c+2)
			s.consume(1)
		case '}', ']':
			if len(s.nest) == 0 || s.nest[len(s.nest)-1] != c {
				return s.unexpected(c, "a value")
			}
			s.nest = s.nest[:len(s.nest)-1]
			s.consume(1)
		case ',', ':':
			if len(s.nest) == 0 {
				return s.unexpected(c, "a value")
			}
			s.consume(1)
			continue
		default:
			if err := s.skipWord(); err != nil {
				return err
			}
		}
		if len(s.nest) == 0 {
			return nil
		}
	}
}

func (s *Scanner) skipString() error {
	s.consume(1)
	for escaped := false; ; {
		w := s.window()
		if len(w) == 0 {
			return s.end()
		}
		n := 0
		if escaped {
			n, escaped = 1, false
		}
		for n < len(w) && w[n] != '"' {
			if w[n] != '\\' {
				n++
				continue
			}
			if n+1 == len(w) {
				escaped = true
			}
			n = min(n+2, len(w))
		}
		if n == len(w) {
			s.consume(n)
			continue
		}
		s.consume(n + 1)
		return nil
	}
}

// skipWord skips a number or a name such as true; at a truncated end it is neither.
func (s *Scanner) skipWord() error {
	for {
		w := s.window()
		n := 0
		for n < len(w) && !endsWord(w[n]) {
			n++
		}
		s.consume(n)
		switch {
		case n < len(w):
			return nil
		case len(w) == 0 && len(s.nest)+len(s.open) > 0:
			return s.end()
		case len(w) == 0:
			return nil
		}
	}
}

func endsWord(c byte) bool {
	switch c {
	case ' ', '\n', '\t', '\r', ',', ':', '{', '}', '[', ']', '"':
		return true
	}
	return false
}

// Line returns the line of an offset, from 1.
func Line(data io.ReaderAt, offset int64) int64 {
	line, buf := int64(1), make([]byte, max(0, min(windowBytes, offset)))
	for at := int64(0); at < offset; {
		n, err := data.ReadAt(buf[:min(int64(len(buf)), offset-at)], at)
		for _, c := range buf[:n] {
			if c == '\n' {
				line++
			}
		}
		at += int64(n)
		if err != nil {
			break
		}
	}
	return line
}

// quoteKey encodes a key.
func quoteKey(key string) []byte { return gjson.AppendJSONString(nil, key) }
