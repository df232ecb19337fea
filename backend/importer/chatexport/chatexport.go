// Package chatexport opens the exports of web chats: conversations.json, of any size, alone or in a zip with the
// files that were sent and made. One conversation at a time is in memory.
package chatexport

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/lazyregexp"
)

// conversationsFile matches the names in exports: large ones have several files.
var conversationsFile = lazyregexp.New(`^conversations([-_]\d+)?\.json$`)

// Export is an export that is open.
type Export struct {
	file  core.SourceFile
	zip   *zip.Reader // nil: one JSON file
	files map[string]attached
	alike map[string]int // how many conversations had the same likeness so far
}

// Open opens a file; Invalid if it is a damaged zip.
func Open(file core.SourceFile) (*Export, error) {
	var head [len(zipMagic)]byte
	n, err := file.Data.ReadAt(head[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	e := &Export{file: file}
	if isZip(head[:n]) {
		if e.zip, err = zip.NewReader(file.Data, file.SizeBytes); err != nil {
			return nil, core.E(core.Invalid, "damaged zip: %v", err).WithHint("download the export again, or unpack what can be unpacked and import that")
		}
	}
	return e, nil
}

// zipMagic is the beginning of a zip.
const zipMagic = "PK\x03\x04"

func isZip(head []byte) bool { return strings.HasPrefix(string(head), zipMagic) }

// conversationFiles are the files in a zip that hold conversations, in order.
func conversationFiles(z *zip.Reader) []*zip.File {
	var files []*zip.File
	for _, f := range z.File {
		if conversationsFile.MatchString(path.Base(f.Name)) {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// Conversation is one conversation of an export, undecoded.
type Conversation struct {
	Export *Export
	raw    []byte
	line   int64  // of its file that it begins on
	within string // the file in the zip; empty: the export itself
}

// Ordinal returns how many conversations of the export had the same likeness before this one.
func (c *Conversation) Ordinal(likeness string) int {
	if c.Export.alike == nil {
		c.Export.alike = map[string]int{}
	}
	n := c.Export.alike[likeness]
	c.Export.alike[likeness]++
	return n
}

// Problem reports a problem of the conversation.
func (c *Conversation) Problem(message string) { c.Export.problem(c.within, c.line, message) }

func (e *Export) problem(within string, line int64, message string) {
	if within != "" {
		e.file.Problem(0, within+": "+message)
		return
	}
	e.file.Problem(line, message)
}

// Conversations yields the conversations in order. Damage is reported and ends the list; an error is a failure of the disk.
func (e *Export) Conversations(ctx context.Context) iter.Seq2[*Conversation, error] {
	return func(yield func(*Conversation, error) bool) {
		if e.zip == nil {
			e.list(ctx, jsonl.Until(ctx, io.NewSectionReader(e.file.Data, 0, e.file.SizeBytes)), "", yield)
			return
		}
		for _, f := range conversationFiles(e.zip) {
			if !e.unzip(ctx, f, yield) {
				return
			}
		}
	}
}

func (e *Export) unzip(ctx context.Context, f *zip.File, yield func(*Conversation, error) bool) (more bool) {
	in, err := f.Open()
	if err != nil {
		e.problem(f.Name, 0, "cannot be unpacked: "+err.Error())
		return true
	}
	defer in.Close() //nolint:errcheck // it was only read
	return e.list(ctx, jsonl.Until(ctx, io.LimitReader(in, core.MaxUnpackedBytes)), f.Name, yield)
}

// list yields the conversations of one JSON file: a list of them, or a single one. It returns false if the caller stopped.
func (e *Export) list(ctx context.Context, in io.Reader, within string, yield func(*Conversation, error) bool) (more bool) {
	s := jsondoc.NewScanner(in)
	more, err := e.each(ctx, s, within, yield)
	damage, damaged := errors.AsType[*jsondoc.Damage](err)
	switch {
	case err == nil:
	case damaged:
		e.problem(within, damage.Line, damage.Message+"; the conversations before are read")
	case within != "" && ctx.Err() == nil && s.OffsetBytes() >= core.MaxUnpackedBytes:
		e.problem(within, s.Line(), "unpacks to more than "+humanize.IBytes(core.MaxUnpackedBytes)+"; the conversations before are read")
	case within != "" && ctx.Err() == nil:
		e.problem(within, s.Line(), "cannot be unpacked further: "+err.Error()+"; the conversations before are read")
	default:
		return yield(nil, err)
	}
	return more
}

func (e *Export) each(ctx context.Context, s *jsondoc.Scanner, within string, yield func(*Conversation, error) bool) (more bool, err error) {
	first, err := s.Peek()
	if err != nil {
		return true, err
	}
	if first == '{' {
		c, err := e.take(s, within)
		if err != nil || c != nil && !yield(c, nil) {
			return err != nil, err
		}
		return true, ends(s)
	}
	if err := s.Enter(); err != nil {
		return true, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		_, another, err := s.Next()
		if err != nil {
			return true, err
		}
		if !another {
			return true, ends(s)
		}
		c, err := e.take(s, within)
		if err != nil {
			return true, err
		}
		if c != nil && !yield(c, nil) {
			return false, nil
		}
	}
}

// ends checks that nothing follows, and with it the sum of a file in a zip.
func ends(s *jsondoc.Scanner) error {
	next, err := s.Peek()
	if err == nil && next != 0 {
		err = &jsondoc.Damage{OffsetBytes: s.OffsetBytes(), Line: s.Line(), Message: "text after the end of the JSON"}
	}
	return err
}

// take reads the next conversation; nil if it is too large.
func (e *Export) take(s *jsondoc.Scanner, within string) (*Conversation, error) {
	if _, err := s.Peek(); err != nil {
		return nil, err
	}
	c := &Conversation{Export: e, line: s.Line(), within: within}
	raw, fits, err := s.Take(core.MaxValueBytes)
	if err != nil {
		return nil, err
	}
	if within == "" {
		e.file.Progress(s.OffsetBytes())
	}
	if !fits {
		c.Problem("a conversation of more than " + humanize.IBytes(core.MaxValueBytes) + ", skipped")
		return nil, nil
	}
	c.raw = raw
	return c, nil
}
