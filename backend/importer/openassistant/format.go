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
	"coppice/backend/importer"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// Format returns the format of Open Assistant's trees.
func Format() importer.Format {
	return importer.Format{
		Name: core.SourceOpenAssistant, Version: 2, Extensions: []string{".jsonl", ".gz"}, Sniff: sniff, Read: sessions,
	}
}

// gzipMagic begins a gzip file, RFC 1952 2.3.1.
const gzipMagic = "\x1f\x8b"

func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte(gzipMagic)) }

// sniff looks for a tree or a message in the first line.
func sniff(_ string, head []byte) bool {
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

// sessions yields the sessions of a file, one per line.
func sessions(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
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
