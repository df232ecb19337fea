package archive

import (
	"bytes"
	"context"
	"encoding/json"

	"coppice/backend/core"
)

// Redactor replaces what must not appear in an export. It leaves ids and hashes alone, and replaces the same text in
// the same way each time.
type Redactor interface {
	// JSON returns a value with its strings replaced.
	JSON(value json.RawMessage) json.RawMessage
	// Blob returns a content with its texts replaced, and its new hash.
	Blob(b core.Blob) core.Blob
}

// change is how a content is written: its hash, and how much longer it is than in the library.
type change struct {
	hash         string
	bytes, lines int64
}

// written records a content that a message refers to. A missing one keeps its hash.
func (e *exporter) written(ctx context.Context, contents hashes, hash string) (change, error) {
	same := change{hash: hash}
	if e.opts.Redactor == nil {
		contents.add(hash, hash)
		return same, nil
	}
	before, err := e.from.Blob(ctx, hash)
	if core.CodeOf(err) == core.NotFound {
		return same, nil
	}
	if err != nil {
		return same, err
	}
	after := e.opts.Redactor.Blob(before)
	contents.add(after.Hash, hash)
	return change{after.Hash, int64(len(after.Data) - len(before.Data)), countLines(after.Data) - countLines(before.Data)}, nil
}

func countLines(text []byte) int64 { return int64(bytes.Count(text, []byte("\n"))) }
