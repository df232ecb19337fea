package term

import (
	"bytes"
	"context"
	"errors"
	"io"

	"coppice/app/internal/present"

	"coppice/backend/core"
)

// keyboard is what comes in from a person or a pipe. Waiting for it can be given up; what was read then is kept for who asks
// next. Nothing is read before somebody asks. It is not safe for concurrent use.
type keyboard struct {
	in      io.Reader
	pieces  chan piece
	waiting bool // a read goes on
	rest    []byte
}

type piece struct {
	bytes []byte
	err   error
}

// NewKeyboard returns a reader of keys, which reads nothing before it is asked to.
func NewKeyboard(in io.Reader) *keyboard { return &keyboard{in: in, pieces: make(chan piece, 1)} }

// more waits for what comes next and returns it; io.EOF at the end, the context's cause where it ends.
func (k *keyboard) more(ctx context.Context) ([]byte, error) {
	if len(k.rest) > 0 {
		rest := k.rest
		k.rest = nil
		return rest, nil
	}
	if !k.waiting {
		k.waiting = true
		go func() {
			buffer := make([]byte, 4096)
			n, err := k.in.Read(buffer)
			k.pieces <- piece{buffer[:n], err}
		}()
	}
	select {
	case p := <-k.pieces:
		k.waiting = false
		if len(p.bytes) > 0 {
			return p.bytes, nil // an error comes again
		}
		return nil, p.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// forget drops what came in and nobody has asked for.
func (k *keyboard) forget() {
	k.rest = nil
	select {
	case p := <-k.pieces:
		k.waiting = false
		if p.err != nil {
			k.pieces <- p // the end is no word of anybody
			k.waiting = true
		}
	default:
	}
}

// line returns the next line without its end; io.EOF where there is none.
func (k *keyboard) line(ctx context.Context) (string, error) {
	var line []byte
	for {
		next, err := k.more(ctx)
		line = append(line, next...)
		if at := bytes.IndexByte(line, '\n'); at >= 0 {
			k.rest = bytes.Clone(line[at+1:])
			return string(bytes.TrimSuffix(line[:at], []byte("\r"))), nil
		}
		switch {
		case errors.Is(err, io.EOF) && len(line) > 0:
			return string(line), nil
		case err != nil && !errors.Is(err, io.EOF) && ctx.Err() != nil:
			k.rest = line
			return "", err
		case err != nil:
			return "", err
		}
	}
}

// maxTaskBytes is more than any model takes.
const maxTaskBytes = 16 << 20

// All returns everything up to the end.
func (k *keyboard) All(ctx context.Context) (string, error) {
	var text []byte
	for {
		next, err := k.more(ctx)
		text = append(text, next...)
		switch {
		case errors.Is(err, io.EOF):
			return string(text), nil
		case err != nil:
			return "", err
		case len(text) > maxTaskBytes:
			return "", core.E(core.Invalid, "the task is longer than %s", present.Size(maxTaskBytes))
		}
	}
}
