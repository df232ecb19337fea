// Package excerpt shows a model the beginning and the end of an output that is too long for it; the whole is kept in a blob.
package excerpt

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
)

// What a model is given of one output. The limits are those of the agents people know: crush 30,000 characters, pi 2,000 lines.
const (
	MaxBytes = 30_000
	MaxLines = 2_000
)

// Part is the part of a result for a text of any size: the whole where it keeps the bounds, else its excerpt, and the blob that
// holds the text. sizeBytes and lineCount are of the whole output, of which text may be what was kept.
func Part(text string, sizeBytes, lineCount int64, maxBytes, maxLines int) (core.Part, []core.Blob) {
	shown, cut := Text(text, maxBytes, maxLines)
	part := core.Part{Type: core.PartText, Text: shown}
	if !cut {
		return part, nil
	}
	blob := core.Blob{Hash: core.Hash([]byte(text)), MimeType: "text/plain; charset=utf-8", Data: []byte(text)}
	part.Truncated = &core.Truncated{SizeBytes: sizeBytes, LineCount: lineCount, Blob: blob.Hash, Shown: true}
	return part, []core.Blob{blob}
}

// Text returns the first third and the last two thirds of what may be shown, with a line between them that says what is
// missing: errors stand at the end. Only whole characters are kept, and whole lines where there are any.
func Text(text string, maxBytes, maxLines int) (shown string, cut bool) {
	if len(text) <= maxBytes && CountLines(text) <= int64(maxLines) {
		return text, false
	}
	head := Head(text, maxBytes/3, maxLines/3)
	tail := takeTail(text[len(head):], maxBytes*2/3, maxLines*2/3)
	missing := text[len(head) : len(text)-len(tail)]
	between := ""
	if !strings.HasSuffix(head, "\n") {
		between = "\n"
	}
	return head + between + fmt.Sprintf("[… %d lines, %d bytes left out …]\n", CountLines(missing), len(missing)) + tail, true
}

// Head returns the beginning of a text, up to the end of a line where there is one.
func Head(text string, maxBytes, maxLines int) string {
	end := 0
	for range maxLines {
		next := strings.IndexByte(text[end:], '\n')
		if next < 0 || end+next+1 > maxBytes {
			break
		}
		end += next + 1
	}
	if end == 0 && maxLines > 0 {
		end = min(maxBytes, len(text))
		for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
	}
	return text[:end]
}

// takeTail returns the end of a text, from the beginning of a line where there is one.
func takeTail(text string, maxBytes, maxLines int) string {
	from := len(text)
	for range maxLines {
		before := strings.LastIndexByte(text[:max(from-1, 0)], '\n') + 1
		if before == from || len(text)-before > maxBytes {
			break
		}
		from = before
	}
	if from == len(text) && maxLines > 0 {
		from = max(len(text)-maxBytes, 0)
		for from < len(text) && !utf8.RuneStart(text[from]) {
			from++
		}
	}
	return text[from:]
}

// CountLines counts lines, the last one with or without its line feed.
func CountLines(text string) int64 {
	n := int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
