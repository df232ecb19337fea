package codex

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/klauspost/compress/zstd"

	"coppice/backend/core"
)

// maxWindow is how much memory a compressed file may ask for. Codex asks for 8 MB at most.
const maxWindow = 128 << 20

// headBytes is how much of a file determines its form.
const headBytes = 64 << 10

// opened is a rollout's lines, in the file itself or in a temporary one.
type opened struct {
	io.ReaderAt
	size  int64
	file  *os.File // to be closed
	spill string   // the temporary file's name; empty: there is no such file
}

// open makes the lines of a file readable at any offset: a compressed file is unpacked first, and so are the items of a
// file of the first versions, one per line. Both never grow.
func open(ctx context.Context, file core.SourceFile) (*opened, error) {
	head := make([]byte, min(headBytes, file.SizeBytes))
	if _, err := file.Data.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	all := io.NewSectionReader(file.Data, 0, file.SizeBytes)
	switch {
	case bytes.HasPrefix(head, magic):
		return spill(func(to io.Writer) error { return expand(ctx, to, all, file.Problem) })
	case isWholeFile(head):
		return spill(func(to io.Writer) error { return toLines(to, all, file.Problem) })
	default:
		return &opened{ReaderAt: file.Data, size: file.SizeBytes}, nil
	}
}

// cursor returns how far the file is read when its lines are read up to an offset; 0 if it never grows.
func (o *opened) cursor(endBytes int64) int64 {
	if o.spill != "" {
		return 0
	}
	return endBytes
}

func (o *opened) close() {
	if o.file != nil {
		o.file.Close() //nolint:errcheck // it is no longer needed
	}
	if o.spill != "" {
		os.Remove(o.spill) //nolint:errcheck // the system clears its temporary files
	}
}

// spill fills a temporary file.
func spill(fill func(io.Writer) error) (*opened, error) {
	file, err := os.CreateTemp("", "coppice-codex-*.jsonl")
	if err != nil {
		return nil, err
	}
	o := &opened{ReaderAt: file, file: file, spill: file.Name()}
	_ = os.Remove(o.spill) // so that a killed process leaves nothing; Windows removes no open file, and close does
	if err := fill(file); err != nil {
		o.close()
		return nil, err
	}
	if o.size, err = file.Seek(0, io.SeekEnd); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// expand unpacks a compressed file; a truncated one as far as possible.
func expand(ctx context.Context, to io.Writer, from io.Reader, problem func(int64, string)) error {
	z, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return err
	}
	defer z.Close()
	source := &checked{ctx: ctx, from: z}
	n, err := io.Copy(to, io.LimitReader(source, core.MaxUnpackedBytes))
	if n == core.MaxUnpackedBytes {
		problem(0, "the compressed file unpacks to "+humanize.IBytes(core.MaxUnpackedBytes)+" or more: what follows is not imported")
	}
	if err != nil {
		if source.err == nil || ctx.Err() != nil {
			return err // writing failed
		}
		problem(0, "the compressed file is damaged, read as far as it goes: "+err.Error())
	}
	return nil
}

// checked reads until ctx ends, and records that reading failed.
type checked struct {
	ctx  context.Context
	from io.Reader
	err  error
}

func (c *checked) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// toLines writes the session and the items of a file of the first versions as lines.
func toLines(to io.Writer, from io.Reader, problem func(int64, string)) error {
	in := json.NewDecoder(from)
	line := func(value json.RawMessage) error {
		var flat bytes.Buffer
		if err := json.Compact(&flat, value); err != nil {
			return err
		}
		flat.WriteByte('\n')
		_, err := to.Write(flat.Bytes())
		return err
	}
	damaged := func(err error) error {
		problem(0, "the file is damaged, read as far as it goes: "+err.Error())
		return nil
	}
	if _, err := in.Token(); err != nil {
		return damaged(err)
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return damaged(err)
		}
		if key == "items" {
			if _, err := in.Token(); err != nil {
				return damaged(err)
			}
			for in.More() {
				var item json.RawMessage
				if err := in.Decode(&item); err != nil {
					return damaged(err)
				}
				if err := line(item); err != nil {
					return err
				}
			}
			if _, err := in.Token(); err != nil {
				return damaged(err)
			}
			continue
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return damaged(err)
		}
		if key == "session" {
			if err := line(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasPlainTwin reports whether the plain form of a compressed file is beside it; the plain one is preferred.
func hasPlainTwin(path string) bool {
	plain, compressed := strings.CutSuffix(path, ".zst")
	if !compressed {
		return false
	}
	info, err := os.Stat(plain)
	return err == nil && info.Mode().IsRegular()
}
