package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxEventBytes limits one event, or one line; an event with an image can be long.
const maxEventBytes = 64 << 20

var errTooLong = fmt.Errorf("an event of the stream has more than %d bytes", maxEventBytes)

// Format is the form of a stream.
type Format int

const (
	// Events are server-sent events as the HTML standard (9.2.6) defines them. An event without its empty line at the
	// end of the stream is ignored, because it may be incomplete.
	Events Format = iota
	// LooseEvents are server-sent events among which a server writes errors as bare JSON. Lines that are not fields are
	// data, and the end of the stream ends an event.
	LooseEvents
	// Lines are lines of JSON. Blank lines are skipped, and the end of the stream ends a line.
	Lines
)

// Event is one event of a stream, or one line. Its data is valid until the next one is read.
type Event struct {
	Name string // empty if it has none
	Data []byte
}

// Reader reads the events of a stream.
type Reader struct {
	Header http.Header // of the response
	body   io.ReadCloser
	source *bufio.Reader
	format Format
	line   []byte
	data   []byte
	closed bool // the source has reached its end
}

func newReader(header http.Header, body io.ReadCloser, format Format) *Reader {
	return &Reader{Header: header, body: body, source: bufio.NewReaderSize(body, 1<<15), format: format}
}

// Close ends the stream.
func (r *Reader) Close() error { return r.body.Close() }

// Next returns the next event that has data, and io.EOF after the last one.
func (r *Reader) Next() (Event, error) {
	r.data = r.data[:0]
	e := pending{}
	for !r.closed {
		line, err := r.readLine()
		if errors.Is(err, io.EOF) {
			r.closed = true
			if r.format == Events {
				return Event{}, io.EOF
			}
		} else if err != nil {
			return Event{}, err
		}
		done, err := r.take(&e, line)
		if err != nil {
			return Event{}, err
		}
		if done || r.closed && e.filled {
			return Event{Name: e.name, Data: bytes.TrimSuffix(r.data, []byte("\n"))}, nil
		}
	}
	return Event{}, io.EOF
}

// pending is the event that is being read; its data is in the reader.
type pending struct {
	name   string
	filled bool
}

// take adds a line to the event, and reports whether the event is complete.
func (r *Reader) take(e *pending, line []byte) (done bool, err error) {
	if r.format == Lines {
		line = bytes.TrimSpace(line)
		r.data, e.filled = append(r.data, line...), len(line) > 0
		return e.filled, nil
	}
	if len(line) == 0 {
		if !e.filled {
			e.name = ""
		}
		return e.filled, nil
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "event":
		e.name = string(value)
	case "data":
		return false, r.add(e, value)
	case "", "id", "retry":
	case "error": // llama.cpp before 2025 wrote errors like this
		e.name = "error"
		return false, r.add(e, value)
	default:
		if r.format == LooseEvents {
			return false, r.add(e, line)
		}
	}
	return false, nil
}

func (r *Reader) add(e *pending, value []byte) error {
	if len(r.data)+len(value) > maxEventBytes {
		return errTooLong
	}
	r.data = append(append(r.data, value...), '\n')
	e.filled = true
	return nil
}

// readLine returns a line without its end; the bytes are valid until the next call. At the end of the stream it returns
// the remaining bytes with io.EOF.
func (r *Reader) readLine() ([]byte, error) {
	r.line = r.line[:0]
	for {
		piece, err := r.source.ReadSlice('\n')
		if err == nil && len(r.line) == 0 {
			return trimEnd(piece), nil
		}
		if len(r.line)+len(piece) > maxEventBytes {
			return nil, errTooLong
		}
		r.line = append(r.line, piece...)
		switch {
		case err == nil:
			return trimEnd(r.line), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return trimEnd(r.line), io.EOF
		default:
			return nil, fmt.Errorf("read the stream: %w", err)
		}
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// First returns the first byte of the stream that is not white space; 0 at its end.
func (r *Reader) First() byte {
	for {
		first, err := r.source.Peek(1)
		if err != nil {
			return 0 // Next returns the error
		}
		if bytes.IndexByte([]byte(" \t\r\n"), first[0]) < 0 {
			return first[0]
		}
		if _, err := r.source.Discard(1); err != nil {
			return 0
		}
	}
}

// Rest returns the rest of the stream, up to the size of an error.
func (r *Reader) Rest() ([]byte, error) {
	return io.ReadAll(io.LimitReader(r.source, maxErrorBytes))
}
