package redact

import (
	"bytes"
	"unicode/utf8"

	"coppice/backend/core"
)

// Blob returns a content with placeholders and its new address. Only text is redacted: an image is unchanged.
func (r *Redactor) Blob(b core.Blob) core.Blob {
	b.MimeType = r.Text(b.MimeType)
	if !utf8.Valid(b.Data) || bytes.IndexByte(b.Data, 0) >= 0 {
		return b
	}
	before := string(b.Data)
	if after := r.Text(before); after != before {
		b.Data = []byte(after)
		b.Hash = core.Hash(b.Data)
	}
	return b
}
