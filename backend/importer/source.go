package importer

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"os"
	"strings"
	"sync"
	"time"

	"coppice/backend/core"
)

// headBytes is how much of a file Sniff receives; tailBytes how much before the cursor distinguishes growth from
// rewriting.
const (
	headBytes = 64 << 10
	tailBytes = 4 << 10
)

// source is a file on its way into the library.
type source struct {
	candidate
	library  Library
	progress *progress

	unchanged bool    // since it was last read; it was not opened
	foreign   bool    // of no known format
	removed   int64   // sessions of it that the user has removed for good
	failed    bool    // reading ended early
	format    *Format // nil: foreign, or unchanged
	version   int64   // of all formats, if it is foreign
	file      *os.File
	next      func() (core.Incoming, error, bool)
	stop      func()
	ready     *delivery // the first session, read ahead

	mu       sync.Mutex
	problems []core.Problem
	more     int // problems beyond maxProblems
}

// maxProblems is how many problems are reported per file: a damaged one can have one on each of a million lines.
const maxProblems = 1000

// open opens the file and reads its first session as far as that does not need the library. The cursor is how far it
// was read before, if known. Errors become a Problem.
func (s *source) open(ctx context.Context, formats []Format, cursor core.Cursor, known bool) {
	if known && s.same(cursor, formats) {
		s.unchanged, s.foreign = true, cursor.Format == foreign
		if strings.HasPrefix(cursor.Format, removedMark) {
			s.removed = 1
		}
		return
	}
	if err := s.read(ctx, formats, cursor, known); err != nil {
		s.fail(ctx, err)
	}
}

// Marks of cursors: of a file of no known format, and, before the name of the format, of a file all of whose sessions were
// removed for good.
const (
	foreign     = "none"
	removedMark = "removed:"
)

// same reports whether the file is unchanged since the current formats read it.
func (s *source) same(c core.Cursor, formats []Format) bool {
	if c.SizeBytes != s.size || c.ModifiedNs != s.modifiedNs {
		return false
	}
	if c.Format == foreign {
		return !s.named && c.Version == versionOf(formats) // if the user names it, it is reported again
	}
	for _, f := range formats {
		if string(f.Name) == strings.TrimPrefix(c.Format, removedMark) {
			return f.Version == c.Version
		}
	}
	return false
}

// versionOf returns a number that changes with the formats that were tried.
func versionOf(formats []Format) int64 {
	h := fnv.New64a()
	for _, f := range formats {
		fmt.Fprintln(h, f.Name, f.Version) //nolint:errcheck // never fails
	}
	return int64(h.Sum64()) //nolint:gosec // bits, not a number
}

func (s *source) read(ctx context.Context, formats []Format, cursor core.Cursor, known bool) error {
	file, err := core.OpenRegular(s.path)
	if err != nil {
		return err
	}
	s.file = file
	head, err := s.head()
	if err != nil {
		return err
	}
	s.format = recognise(s.path, head, formats)
	if s.format == nil {
		s.foreign, s.version = true, versionOf(formats)
		if s.named {
			s.report(unknown(s.path, head, formats))
		}
		return nil
	}
	in := core.SourceFile{
		Path: s.path, SizeBytes: s.size, ModifiedMs: s.modifiedNs / int64(time.Millisecond), Data: file, Problem: s.problem, Stored: s.stored,
		Progress: func(done int64) { s.progress.bytes(s.candidate, done) },
	}
	if known && s.grown(cursor) {
		in.FromBytes = cursor.OffsetBytes
	}
	s.next, s.stop = iter.Pull2(s.format.Read(ctx, in))
	if in := s.pull(ctx); in != nil {
		s.ready = newDelivery(s.library, in)
		if in.Ahead {
			s.ready.start()
		}
	}
	return nil
}

// stored yields what the library holds of a session. No session, or an ambiguous id, is not an error.
func (s *source) stored(ctx context.Context, source core.Source, sourceID string) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		session, err := s.library.Session(ctx, sourceID)
		switch code := core.CodeOf(err); {
		case code == core.NotFound || code == core.Invalid:
			return
		case err != nil:
			yield(core.Message{}, err)
			return
		}
		if session.Source != source || session.SourceID != sourceID {
			return // another one with a similar name
		}
		for m, err := range s.library.Messages(ctx, session.ID) {
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// head returns the file's first bytes.
func (s *source) head() ([]byte, error) {
	head := make([]byte, min(headBytes, s.size))
	n, err := s.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head[:n], nil
}

// recognise returns the first of the formats that a file may be of; nil: none.
func recognise(path string, head []byte, formats []Format) *Format {
	for i, f := range formats {
		if f.Sniff(path, head) {
			return &formats[i]
		}
	}
	return nil
}

// isOf reports whether the file is of one of the formats, as far as it can be read.
func (s *source) isOf(formats []Format) bool {
	file, err := core.OpenRegular(s.path)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it is only read
	s.file = file
	head, err := s.head()
	return err == nil && recognise(s.path, head, formats) != nil
}

// grown reports whether the file still holds what was read of it, and more.
func (s *source) grown(c core.Cursor) bool {
	return c.Format == string(s.format.Name) && c.Version == s.format.Version &&
		s.size > c.SizeBytes && c.OffsetBytes > 0 && s.tailHash(c.OffsetBytes) == c.TailHash
}

// tailHash returns the hash of the last bytes before an offset.
func (s *source) tailHash(offset int64) string {
	tail := make([]byte, min(tailBytes, offset))
	n, _ := s.file.ReadAt(tail, offset-int64(len(tail))) // a short read gives a different hash
	return core.Hash(tail[:n])
}

// cursorAt returns a cursor for a file that is imported up to an offset.
func (s *source) cursorAt(offset int64) core.Cursor {
	c := core.Cursor{
		Path: s.path, Format: foreign, SizeBytes: s.size, ModifiedNs: s.modifiedNs, OffsetBytes: offset,
		TailHash: s.tailHash(offset), Version: s.version, ImportedAtMs: time.Now().UnixMilli(),
	}
	if s.format != nil {
		c.Format, c.Version = string(s.format.Name), s.format.Version
	}
	return c
}

// sessions yields the sessions of the file. Each is stopped before the next one is read.
func (s *source) sessions(ctx context.Context) iter.Seq[*delivery] {
	return func(yield func(*delivery) bool) {
		for d := s.ready; d != nil; d = s.following(ctx) {
			s.ready = nil
			d.start()
			more := yield(d)
			d.stop()
			if !more {
				return
			}
		}
	}
}

// following returns the next session after the first; nil at the end.
func (s *source) following(ctx context.Context) *delivery {
	in := s.pull(ctx)
	if in == nil {
		return nil
	}
	return newDelivery(s.library, in)
}

// pull returns the next session; nil at the end.
func (s *source) pull(ctx context.Context) (in *core.Incoming) {
	defer func() {
		if r := recover(); r != nil {
			s.fail(ctx, fmt.Errorf("reading failed: %v", r))
			in = nil
		}
	}()
	next, err, more := s.next()
	if !more {
		return nil
	}
	if err != nil {
		s.fail(ctx, err)
		return nil
	}
	return &next
}

// fail reports why the rest of the file is not read; the end of ctx is not the file's problem.
func (s *source) fail(ctx context.Context, err error) {
	s.failed = true
	if ctx.Err() == nil {
		s.report(problemOf(s.path, err))
	}
}

// problem reports a problem within the file.
func (s *source) problem(line int64, message string) {
	s.report(core.Problem{Path: s.path, Line: line, Message: message})
}

func (s *source) report(p core.Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.problems) == maxProblems {
		s.more++
		return
	}
	s.problems = append(s.problems, p)
}

// allProblems returns the problems of the file; the last one counts those left out.
func (s *source) allProblems() []core.Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.more == 0 {
		return s.problems
	}
	return append(s.problems, core.Problem{Path: s.path, Message: fmt.Sprintf("%d more problems in this file", s.more)})
}

func (s *source) close() {
	if s.ready != nil {
		s.ready.stop()
	}
	if s.stop != nil {
		s.stop()
	}
	if s.file != nil {
		s.file.Close() //nolint:errcheck // it was only read
	}
}
