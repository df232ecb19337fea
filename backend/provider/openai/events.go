package openai

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// longestEvent bounds what one event may hold, in bytes. The SDK's reader ends at half of it.
const longestEvent = 64 << 20

// event is one server-sent event. Its data is valid until the next one is read.
type event struct {
	name string // empty: none was given
	data []byte
}

// events reads a stream of server-sent events, as the HTML standard (9.2.6) says. Comments, and the fields that no model server
// needs, are passed over. An event without its empty line at the end of the stream is none: it may be half of one.
type events struct {
	source *bufio.Reader
	line   []byte
	data   []byte
}

// next returns the next event that has data, and io.EOF behind the last one.
func (e *events) next() (event, error) {
	e.data = e.data[:0]
	name, filled := "", false
	for {
		line, err := e.readLine()
		if err != nil {
			return event{}, err
		}
		if len(line) == 0 {
			if filled {
				return event{name: name, data: bytes.TrimSuffix(e.data, []byte("\n"))}, nil
			}
			name = ""
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			name = string(value)
		case "error": // llama.cpp before 2025 wrote errors so
			name = "error"
			fallthrough
		case "data":
			if len(e.data)+len(value) > longestEvent {
				return event{}, errTooLong
			}
			e.data = append(append(e.data, value...), '\n')
			filled = true
		}
	}
}

// readLine returns a line without its end; the bytes are valid until the next call.
func (e *events) readLine() ([]byte, error) {
	e.line = e.line[:0]
	for {
		piece, err := e.source.ReadSlice('\n')
		if err == nil && len(e.line) == 0 {
			return trimEnd(piece), nil
		}
		if len(e.line)+len(piece) > longestEvent {
			return nil, errTooLong
		}
		e.line = append(e.line, piece...)
		switch {
		case err == nil:
			return trimEnd(e.line), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		default:
			return nil, fmt.Errorf("read the stream: %w", err)
		}
	}
}

var errTooLong = fmt.Errorf("an event of the stream has more than %d bytes", longestEvent)

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
