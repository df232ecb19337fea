package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
)

// What a model is given of one output; the rest is in a blob. The limits are those of the agents people know: codex 1 MiB kept,
// crush 30,000 characters, pi 2,000 lines.
const (
	maxShownBytes = 30_000
	maxShownLines = 2_000
	maxLineBytes  = 2_000 // of one line of a file
)

// outputResult is the result for a text of any size: the whole where it is short, else its beginning and its end, and the whole
// in a blob.
func outputResult(text string, sizeBytes, lineCount int64) core.ToolResult {
	shown, cut := headAndTail(text, maxShownBytes, maxShownLines)
	if !cut {
		return core.TextResult(text)
	}
	blob := core.Blob{Hash: core.Hash([]byte(text)), MimeType: "text/plain; charset=utf-8", Data: []byte(text)}
	part := core.Part{
		Type: core.PartText, Text: shown,
		Truncated: &core.Truncated{SizeBytes: sizeBytes, LineCount: lineCount, Blob: blob.Hash, Shown: true},
	}
	return core.ToolResult{Parts: []core.Part{part}, Blobs: []core.Blob{blob}}
}

// headAndTail returns the first third and the last two thirds of what may be shown, with a line between them that says what is
// missing: errors stand at the end.
func headAndTail(text string, maxBytes, maxLines int) (string, bool) {
	if len(text) <= maxBytes && countLines(text) <= int64(maxLines) {
		return text, false
	}
	head := takeHead(text, maxBytes/3, maxLines/3)
	tail := takeTail(text[len(head):], maxBytes*2/3, maxLines*2/3)
	missing := text[len(head) : len(text)-len(tail)]
	between := ""
	if !strings.HasSuffix(head, "\n") {
		between = "\n"
	}
	return head + between + fmt.Sprintf("[… %d lines, %d bytes left out …]\n", countLines(missing), len(missing)) + tail, true
}

// takeHead returns the beginning, up to the end of a line where there is one.
func takeHead(text string, maxBytes, maxLines int) string {
	end := 0
	for range maxLines {
		next := strings.IndexByte(text[end:], '\n')
		if next < 0 || end+next+1 > maxBytes {
			break
		}
		end += next + 1
	}
	if end == 0 {
		end = min(maxBytes, len(text))
		for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
	}
	return text[:end]
}

// takeTail returns the end, from the beginning of a line where there is one.
func takeTail(text string, maxBytes, maxLines int) string {
	from := len(text)
	for range maxLines {
		before := strings.LastIndexByte(text[:max(from-1, 0)], '\n') + 1
		if before == from || len(text)-before > maxBytes {
			break
		}
		from = before
	}
	if from == len(text) {
		from = max(len(text)-maxBytes, 0)
		for from < len(text) && !utf8.RuneStart(text[from]) {
			from++
		}
	}
	return text[from:]
}

func countLines(text string) int64 {
	n := int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// readable makes any bytes a text that can be shown, stored and sent.
func readable(data []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(data), "\ufffd"), "\x00", "\ufffd")
}

// clip cuts a line that is too long and says so.
func clip(line string, limit int) string {
	if len(line) <= limit {
		return line
	}
	head := takeHead(line, limit, 1)
	return fmt.Sprintf("%s… (%d more bytes)", head, len(line)-len(head))
}

// plural puts a number before a word.
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if strings.HasSuffix(word, "ch") {
		word += "e"
	}
	return fmt.Sprintf("%d %ss", n, word)
}
