package archive

import (
	"context"
	"iter"
	"maps"
	"slices"

	"coppice/backend/core"
)

// hashes maps the hash of a content in the library to the hash that is written. They differ if a content is redacted.
type hashes map[string]string

func (h hashes) add(hash, inLibrary string) {
	if hash != "" {
		h[hash] = inLibrary
	}
}

// maxWhole is the size of the texts and structured values of a message that are written inline. As JSON they are at most six times as long,
// which is below maxValue.
const maxWhole = 16 << 20

// hydrate completes a message, unless it is too large to be read again as one value. Its contents are then written as blobs.
func (e *exporter) hydrate(ctx context.Context, m *core.Message) error {
	if sizeOf(m.Parts) > maxWhole {
		return nil
	}
	cut := *m
	cut.Parts = slices.Clone(m.Parts)
	for i := range cut.Parts {
		cut.Parts[i].Result = slices.Clone(cut.Parts[i].Result)
	}
	if err := e.from.Hydrate(ctx, m); err != nil {
		return err
	}
	if sizeOf(m.Parts) > maxWhole { // a cut message has no sizes of its structured values
		*m = cut
	}
	return nil
}

// sizeOf returns the size of texts and structured values, including cut ones.
func sizeOf(parts []core.Part) (sizeBytes int64) {
	for i := range parts {
		p := &parts[i]
		sizeBytes += int64(len(p.Text)) + int64(len(p.Structured)) + sizeOf(p.Result)
		if p.Truncated != nil && !p.Truncated.Shown {
			sizeBytes += p.Truncated.SizeBytes
		}
	}
	return sizeBytes
}

// note records the contents that a message still refers to: its media, and texts and values whose whole is elsewhere or
// missing. The message then refers to the written contents.
func (e *exporter) note(ctx context.Context, contents hashes, parts []core.Part) error {
	for i := range parts {
		if err := e.notePart(ctx, contents, &parts[i]); err != nil {
			return err
		}
		for j := range parts[i].Result { // deeper levels are kept raw, see core.Part
			if err := e.notePart(ctx, contents, &parts[i].Result[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *exporter) notePart(ctx context.Context, contents hashes, p *core.Part) error {
	if p.StructuredBlob != "" {
		as, err := e.written(ctx, contents, p.StructuredBlob)
		if err != nil {
			return err
		}
		p.StructuredBlob = as.hash
	}
	if p.Media != nil && p.Media.Blob != "" {
		as, err := e.written(ctx, contents, p.Media.Blob)
		if err != nil {
			return err
		}
		media := *p.Media
		media.Blob, media.SizeBytes = as.hash, media.SizeBytes+as.bytes
		p.Media = &media
	}
	if p.Truncated != nil {
		as, err := e.written(ctx, contents, p.Truncated.Blob)
		if err != nil {
			return err
		}
		whole := *p.Truncated
		whole.Blob, whole.SizeBytes, whole.LineCount = as.hash, whole.SizeBytes+as.bytes, whole.LineCount+as.lines
		p.Truncated = &whole
	}
	return nil
}

// prepared yields the messages as they are written, and records the blobs they need.
func (e *exporter) prepared(ctx context.Context, sel *selection, contents hashes) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for m, err := range sel.messages {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = e.hydrate(ctx, &m)
			}
			if err == nil {
				err = e.note(ctx, contents, m.Parts)
				e.messages++
			}
			if !yield(m, err) || err != nil {
				return
			}
			if e.messages%1000 == 0 {
				e.report()
			}
		}
	}
}

// blobs yields contents by hash. A blob that the library has lost is left out: the rest of the
// session must not be lost with it.
func (e *exporter) blobs(ctx context.Context, contents hashes) iter.Seq2[blob, error] {
	return func(yield func(blob, error) bool) {
		for _, hash := range slices.Sorted(maps.Keys(contents)) {
			b, err := e.from.Blob(ctx, contents[hash])
			if core.CodeOf(err) == core.NotFound {
				continue
			}
			if err == nil && e.opts.Redactor != nil {
				b = e.opts.Redactor.Blob(b)
			}
			if !yield(blob{hash, b.MimeType, int64(len(b.Data)), b.Data}, err) || err != nil {
				return
			}
		}
	}
}
