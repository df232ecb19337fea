package exporter

import (
	"encoding/json"
	"io"
)

// Object is a JSON object of a tool's format.
type Object = map[string]any

// Lines writes JSON lines. After the first error it writes nothing.
type Lines struct {
	encoder *json.Encoder
	err     error
}

// NewLines returns a Lines that writes to w.
func NewLines(w io.Writer) *Lines {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // the tools write < and > as they are
	return &Lines{encoder: encoder}
}

// Add writes a line.
func (l *Lines) Add(v any) {
	if l.err == nil {
		l.err = l.encoder.Encode(v)
	}
}

// Fail records an error, such as one of reading a message, unless there is one.
func (l *Lines) Fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// Err returns the first error.
func (l *Lines) Err() error { return l.err }
