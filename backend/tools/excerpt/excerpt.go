// Package excerpt shortens an output that is too long for a model to its beginning and end; the whole output is stored
// in a blob.
package excerpt

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
)

// Bounds on one output for a model. They follow the limits of known agents: crush has 30,000 characters, pi 2,000
// lines.
const (
	MaxBytes = 30_000
	MaxLines = 2_000
)

// Part returns the part of a result for a text of any size: the whole text if it is within the bounds, otherwise its
// excerpt and the blob that holds the text. sizeBytes and lineCount describe the whole output, of which text may be
// only what was stored.
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

// Text returns the first third and the last two thirds of what may be shown, with a line between them that describes
// what is left out: errors are usually at the end. It cuts between characters, and between lines if possible.
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

// Head returns the beginning of a text, cut after a line if possible.
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

// takeTail returns the end of a text, starting at a line if possible.
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

// CountLines counts lines, including a last line without a line feed.
func CountLines(text string) int64 {
	n := int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
