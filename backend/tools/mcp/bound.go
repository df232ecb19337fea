package mcp

import (
	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

// boundParts cuts the texts of an answer so that together they are within the bounds; the whole of a cut text goes into
// a blob.
func boundParts(parts []core.Part) ([]core.Part, []core.Blob) {
	texts, bytes, lines := 0, 0, int64(0)
	for _, part := range parts {
		if part.Type == core.PartText {
			texts++
			bytes += len(part.Text)
			lines += excerpt.CountLines(part.Text)
		}
	}
	if bytes <= excerpt.MaxBytes && lines <= excerpt.MaxLines {
		return parts, nil
	}
	var blobs []core.Blob
	for i, part := range parts {
		if part.Type != core.PartText {
			continue
		}
		shown, whole := excerpt.Part(part.Text, int64(len(part.Text)), excerpt.CountLines(part.Text), excerpt.MaxBytes/texts, excerpt.MaxLines/texts)
		parts[i].Text, parts[i].Truncated = shown.Text, shown.Truncated
		blobs = append(blobs, whole...)
	}
	return parts, blobs
}
