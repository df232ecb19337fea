// Package openassistant reads the conversation trees of Open Assistant, one tree or one message per line, as its data sets and its own
// export of 2023 hold them; docs/formats/openassistant.md describes them.
package openassistant

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"iter"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// version is raised when the same file would be read differently.
const version = 2

// Format reads Open Assistant's trees. The zero value is ready.
type Format struct{}

// Name returns "openassistant".
func (Format) Name() core.Source { return core.SourceOpenAssistant }

// Version returns the version of the reader.
func (Format) Version() int64 { return version }

// Extensions returns the endings of files of trees or messages, and of compressed ones.
func (Format) Extensions() []string { return []string{".jsonl", ".gz"} }

// gzipMagic begins a gzip file, RFC 1952 2.3.1.
const gzipMagic = "\x1f\x8b"

func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte(gzipMagic)) }

// Sniff looks for a tree or a message in the first line.
func (Format) Sniff(_ string, head []byte) bool {
	if isGzip(head) {
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return false
		}
		head, _ = io.ReadAll(io.LimitReader(z, int64(len(head)))) // it ends in the middle
	}
	h, ok := transcript.Sniff(head, "prompt.replies")
	if !ok || !h.Has("message_tree_id") {
		return false
	}
	return h.Has("prompt") && h.Head.Get("prompt").IsObject() || h.Has("message_id", "parent_id", "role")
}

// Read yields the sessions of a file, one per line.
func (Format) Read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		in, packed, err := open(ctx, file)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		r := reader{file: file, packed: packed, yield: yield}
		for l, err := range jsonl.Lines(in) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				r.fail(ctx, err)
				return
			}
			if !r.line(ctx, l) {
				return
			}
		}
		if !r.flush(ctx) {
			return
		}
		if r.last != nil {
			r.last.Cursor = &core.Cursor{OffsetBytes: r.endBytes}
			yield(*r.last, nil)
		}
	}
}

// open returns the lines that are not in the library; of a packed file all of them.
func open(ctx context.Context, file core.SourceFile) (in io.Reader, packed bool, err error) {
	head := make([]byte, min(int64(len(gzipMagic)), file.SizeBytes))
	if n, err := file.Data.ReadAt(head, 0); n < len(head) {
		return nil, false, err
	}
	if !isGzip(head) {
		return jsonl.Until(ctx, io.NewSectionReader(file.Data, file.FromBytes, file.SizeBytes-file.FromBytes)), false, nil
	}
	in, err = gzip.NewReader(io.NewSectionReader(file.Data, 0, file.SizeBytes))
	if err != nil {
		return nil, true, core.Wrap(core.Invalid, err, "damaged gzip")
	}
	return jsonl.Until(ctx, io.LimitReader(in, core.MaxUnpackedBytes)), true, nil
}
