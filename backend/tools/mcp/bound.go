package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
)

// What a model is given of an answer.
const (
	outputBytes = 30_000
	outputLines = 2_000
)

// boundParts cuts the texts of an answer so that together they keep the bounds; the whole of a cut text
// goes into a blob.
func boundParts(parts []core.Part) ([]core.Part, []core.Blob) {
	texts, bytes, lines := 0, 0, 0
	for _, part := range parts {
		if part.Type == core.PartText {
			texts++
			bytes += len(part.Text)
			lines += countLines(part.Text)
		}
	}
	if bytes <= outputBytes && lines <= outputLines {
		return parts, nil
	}
	var blobs []core.Blob
	for i := range parts {
		if parts[i].Type != core.PartText {
			continue
		}
		whole := parts[i].Text
		shown, cut := bound(whole, outputBytes/texts, outputLines/texts)
		if !cut {
			continue
		}
		blob := core.Blob{Hash: core.Hash([]byte(whole)), MimeType: "text/plain", Data: []byte(whole)}
		blobs = append(blobs, blob)
		parts[i].Text = shown
		parts[i].Truncated = &core.Truncated{
			SizeBytes: int64(len(whole)), LineCount: int64(countLines(whole)), Blob: blob.Hash, Shown: true,
		}
	}
	return parts, blobs
}

// bound returns the beginning and the end of a text that is longer than the bounds, with a line between them that
// says what is left out. Only whole characters are kept, and whole lines where there are any.
func bound(whole string, maxBytes, maxLines int) (shown string, cut bool) {
	if len(whole) <= maxBytes && countLines(whole) <= maxLines {
		return whole, false
	}
	head := beginning(whole, maxBytes/2, maxLines/2)
	rest := whole[len(head):]
	tail := ending(rest, maxBytes/2, maxLines/2)
	missing := rest[:len(rest)-len(tail)]
	if !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	return fmt.Sprintf("%s[… %d bytes, %d lines left out …]\n%s", head, len(missing), countLines(missing), tail), true
}

// beginning returns the first lines of a text within the bounds, or the beginning of its first one.
func beginning(s string, maxBytes, maxLines int) string {
	end := 0
	for range maxLines {
		line := strings.IndexByte(s[end:], '\n') + 1
		if line == 0 || end+line > maxBytes {
			break
		}
		end += line
	}
	if end > 0 || maxLines == 0 {
		return s[:end]
	}
	end = min(maxBytes, len(s))
	for end > 0 && end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// ending returns the last lines of a text within the bounds, or the end of its last one.
func ending(s string, maxBytes, maxLines int) string {
	start := len(s)
	for range maxLines {
		line := strings.LastIndexByte(s[:max(0, start-1)], '\n') + 1
		if start == 0 || len(s)-line > maxBytes {
			break
		}
		start = line
	}
	if start < len(s) || maxLines == 0 {
		return s[start:]
	}
	start = max(0, len(s)-maxBytes)
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++
	}
	return s[start:]
}

// countLines counts lines, the last one with or without its line feed.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}
