package jsonl

import (
	"context"
	"io"
)

// Until returns a reader that fails as soon as ctx ends: a line, or a value, can be as long as the file.
func Until(ctx context.Context, in io.Reader) io.Reader { return &until{ctx, in} }

type until struct {
	ctx context.Context
	in  io.Reader
}

// Read reads on, or returns the error of the context.
func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.in.Read(p)
}

// section is a part of a file that can be read again, until ctx ends.
type section struct {
	*io.SectionReader
	ctx context.Context
}

// Read reads on, or returns the error of the context.
func (s section) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.SectionReader.Read(p)
}
