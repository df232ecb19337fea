package term

import (
	"bytes"
	"context"
	"errors"
	"io"

	"coppice/app/internal/present"
	"coppice/backend/core"
)

// keyboard reads the input of a user or a pipe. A caller may stop waiting for input: what is read then is stored for
// the next caller. A keyboard reads nothing before the first call. It is not safe for concurrent use.
type keyboard struct {
	in      io.Reader
	pieces  chan piece
	waiting bool // a read is in progress
	rest    []byte
}

type piece struct {
	bytes []byte
	err   error
}

// NewKeyboard returns a keyboard that reads from in. It reads nothing before the first call.
func NewKeyboard(in io.Reader) *keyboard { return &keyboard{in: in, pieces: make(chan piece, 1)} }

// more waits for input and returns it. It returns io.EOF at the end of the input, and the cause of ctx if ctx ends
// first.
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
			return p.bytes, nil // the next call returns the error
		}
		return nil, p.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// forget discards input that no caller has read yet.
func (k *keyboard) forget() {
	k.rest = nil
	select {
	case p := <-k.pieces:
		k.waiting = false
		if p.err != nil {
			k.pieces <- p // the end of the input is not discarded
			k.waiting = true
		}
	default:
	}
}

// line returns the next line without its line feed. It returns io.EOF if the input ends before a line begins.
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

// maxTaskBytes is the limit on the size of a task. No model accepts as much.
const maxTaskBytes = 16 << 20

// All returns the rest of the input.
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
