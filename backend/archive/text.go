package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// maxValue is the size of the largest value that is read as a whole, such as a message. Contents of blobs are streams, see maxBlob.
const maxValue = 2 * core.MaxValueBytes

// bounded decodes a value that is within the bounds of JSON from outside. A smaller one cannot hold too many values, and
// encoding/json bounds its depth.
type bounded struct{ to any }

// UnmarshalJSON checks the value before reading it.
func (b *bounded) UnmarshalJSON(data []byte) error {
	if err := within(data); err != nil {
		return err
	}
	if to, ok := b.to.(json.Unmarshaler); ok {
		return to.UnmarshalJSON(data)
	}
	return json.Unmarshal(data, b.to)
}

// within returns an error for a value that would take far more memory than its size.
func within(data []byte) error {
	if len(data) <= jsontext.MaxValues {
		return nil
	}
	if problem := jsontext.Check(data); problem != "" && problem != jsontext.Invalid {
		return core.E(core.Invalid, "a value that %s", problem)
	}
	return nil
}

// problem is what is wrong with a file, and where.
type problem struct {
	at      int64 // offset
	message string
	misfit  bool // it is valid JSON, but not of the expected shape: what follows can be read
}

func (f *problem) Error() string { return f.message }

// readError is a failure of the disk, not of its contents.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }
func (e *readError) Unwrap() error { return e.err }

// text walks through the JSON of a file. It reads objects member by member and arrays element by
// element, so that no more than one value is in memory.
type text struct {
	data io.ReaderAt
	size int64
	at   int64
}

// section reads on from an offset. At most maxValue bytes pass between two calls of refill.
type section struct {
	*io.SectionReader
	left int64
}

func (t *text) section(at int64) *section {
	s := &section{SectionReader: io.NewSectionReader(t.data, at, t.size-at)}
	s.refill()
	return s
}

func (s *section) refill() { s.left = maxValue }

// refillAfter is refill for a decoder: what it has read ahead counts for the next value.
func (s *section) refillAfter(dec *json.Decoder) {
	s.refill()
	if ahead, ok := dec.Buffered().(*bytes.Reader); ok {
		s.left -= int64(ahead.Len())
	}
}

var errTooLarge = errors.New("a single value of more than " + humanize.IBytes(maxValue))

func (s *section) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, errTooLarge
	}
	n, err := s.SectionReader.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &readError{err}
	}
	return n, err
}

// peek skips white space, and the bytes in skip, and returns the next byte; 0 at the end of the file.
func (t *text) peek(skip string) (byte, error) {
	var buf [512]byte
	for t.at < t.size {
		n, err := t.data.ReadAt(buf[:min(int64(len(buf)), t.size-t.at)], t.at)
		if n == 0 && err != nil {
			return 0, &readError{err}
		}
		rest := bytes.TrimLeft(buf[:n], " \t\r\n"+skip)
		t.at += int64(n - len(rest))
		if len(rest) > 0 {
			return rest[0], nil
		}
	}
	return 0, nil
}

// take skips white space and the expected byte.
func (t *text) take(want byte) error {
	got, err := t.peek("")
	if err != nil {
		return err
	}
	if got != want {
		return t.unexpected(got, fmt.Sprintf("%q", want))
	}
	t.at++
	return nil
}

func (t *text) unexpected(got byte, want string) error {
	if t.at >= t.size {
		return &problem{at: t.at, message: "the file ends before the JSON does"}
	}
	return &problem{at: t.at, message: fmt.Sprintf("not valid JSON: found %q where %s is expected", got, want)}
}

// value reads the next JSON value. It is also consumed if it is a misfit.
func (t *text) value(to any) error {
	if _, err := t.peek(""); err != nil {
		return err
	}
	at := t.at
	dec := json.NewDecoder(t.section(at))
	err := dec.Decode(&bounded{to})
	t.at += dec.InputOffset()
	return wrong(err, at)
}

// skip skips a value. Of a list it holds one element at a time.
func (t *text) skip() error {
	if next, err := t.peek(""); err != nil || next != '[' {
		if err != nil {
			return err
		}
		return t.value(&json.RawMessage{})
	}
	return t.elements(func(_ int64, decode func(any) error) error { return decode(&json.RawMessage{}) })
}

// separator consumes the comma in front of the next item of a list or an object, or reports that the byte that closes it was consumed.
func (t *text) separator(first bool, closing byte) (end bool, err error) {
	next, err := t.peek("")
	switch {
	case err != nil:
		return false, err
	case next == closing:
		t.at++
		return true, nil
	case next == ',' && !first:
		t.at++
	case !first:
		return false, t.unexpected(next, "a comma")
	}
	return false, nil
}

// members reads an object. For each member, each must read its value.
func (t *text) members(each func(name string) error) error {
	if next, err := t.peek(""); err != nil || next != '{' {
		if err != nil {
			return err
		}
		return t.misfit("an object is expected")
	}
	t.at++
	for first := true; ; first = false {
		if end, err := t.separator(first, '}'); err != nil || end {
			return err
		}
		name, err := t.name()
		if err != nil {
			return err
		}
		if err := t.take(':'); err != nil {
			return err
		}
		if err := each(name); err != nil {
			return err
		}
	}
}

func (t *text) name() (string, error) {
	if next, err := t.peek(""); err != nil || next != '"' {
		if err != nil {
			return "", err
		}
		return "", t.unexpected(next, "a name")
	}
	var name string
	err := t.value(&name)
	return name, err
}

// elements reads an array. For each element, each must call decode once, which fails as value does. The offset may lie
// before the comma in front of the element, see begin.
func (t *text) elements(each func(at int64, decode func(to any) error) error) error {
	if next, err := t.peek(""); err != nil || next != '[' {
		if err != nil {
			return err
		}
		return t.misfit("a list is expected")
	}
	from := t.section(t.at)
	dec := json.NewDecoder(from)
	if _, err := dec.Token(); err != nil {
		return wrong(err, t.at)
	}
	for from.refillAfter(dec); dec.More(); from.refillAfter(dec) {
		at := t.at + dec.InputOffset()
		if err := each(at, func(to any) error { return wrong(dec.Decode(&bounded{to}), at) }); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return wrong(err, t.at+dec.InputOffset())
	}
	t.at += dec.InputOffset()
	return nil
}

// misfit skips a value of the wrong kind.
func (t *text) misfit(message string) error {
	at := t.at
	if err := t.skip(); err != nil {
		return err
	}
	return &problem{at: at, message: message, misfit: true}
}

// each reads an array of values of one type, and reports which of them are misfits.
func each[T any](ctx context.Context, t *text, take func(at int64, v T, misfit error) error) error {
	return t.elements(func(at int64, decode func(to any) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		var v T
		err := decode(&v)
		if err != nil && !isMisfit(err) {
			return err
		}
		return take(at, v, err)
	})
}

// begin returns the offset of the value that follows the offset and an optional comma.
func (t *text) begin(at int64) int64 {
	ahead := text{data: t.data, size: t.size, at: at}
	if _, err := ahead.peek(","); err != nil {
		return at
	}
	return ahead.at
}

func isMisfit(err error) bool {
	f, ok := errors.AsType[*problem](err)
	return ok && f.misfit
}

// wrong distinguishes errors of reading, of JSON and of shape.
func wrong(err error, at int64) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*readError](err); ok {
		return err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &problem{at: at, message: "the file ends in the middle of a value"}
	}
	if errors.Is(err, errTooLarge) {
		return &problem{at: at, message: err.Error()}
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &problem{at: at, message: "not valid JSON: " + syntax.Error()}
	}
	return &problem{at: at, message: strings.TrimPrefix(err.Error(), "json: "), misfit: true}
}

// ioFailure returns the error that ends the reading of a file; nil for a problem in the file itself.
func ioFailure(err error) error {
	if failed, ok := errors.AsType[*readError](err); ok {
		return core.Wrap(core.Unavailable, failed.err, "read the file")
	}
	return nil
}
