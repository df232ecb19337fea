package archive

import (
	"context"
	"iter"
	"maps"
	"slices"

	"coppice/backend/core"
)

// hashes are the blobs that messages refer to.
type hashes struct {
	seen map[string]bool
}

// note remembers the blobs that a whole message still refers to: its media, and texts whose blob is missing.
func (h *hashes) note(parts []core.Part) {
	for i := range parts {
		p := &parts[i]
		if p.Media != nil {
			h.add(p.Media.Blob)
		}
		if p.Truncated != nil {
			h.add(p.Truncated.Blob)
		}
		h.add(p.StructuredBlob)
		for j := range p.Result { // what lies deeper is kept raw, see core.Part
			r := &p.Result[j]
			if r.Media != nil {
				h.add(r.Media.Blob)
			}
			if r.Truncated != nil {
				h.add(r.Truncated.Blob)
			}
			h.add(r.StructuredBlob)
		}
	}
}

func (h *hashes) add(hash string) {
	if hash == "" {
		return
	}
	if h.seen == nil {
		h.seen = map[string]bool{}
	}
	h.seen[hash] = true
}

// prepared yields the messages as they are written, and notes the blobs they need.
func (e *exporter) prepared(ctx context.Context, sel *selection, media *hashes) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for m, err := range sel.messages {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = e.from.Hydrate(ctx, &m)
			}
			if err == nil {
				media.note(m.Parts)
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
func (e *exporter) blobs(ctx context.Context, media *hashes) iter.Seq2[blob, error] {
	return func(yield func(blob, error) bool) {
		for _, hash := range slices.Sorted(maps.Keys(media.seen)) {
			b, err := e.from.Blob(ctx, hash)
			if core.CodeOf(err) == core.NotFound {
				continue
			}
			if !yield(blob{hash, b.MimeType, int64(len(b.Data)), b.Data}, err) || err != nil {
				return
			}
		}
	}
}
