package tools

import (
	"fmt"
	"strings"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

const maxLineBytes = 2_000 // of one line of a file

// outputResult returns the result for a text of any size: the whole text if it is short, otherwise an excerpt, with the
// whole text in a blob.
func outputResult(text string, sizeBytes, lineCount int64) core.ToolResult {
	part, blobs := excerpt.Part(text, sizeBytes, lineCount, excerpt.MaxBytes, excerpt.MaxLines)
	return core.ToolResult{Parts: []core.Part{part}, Blobs: blobs}
}

// readable returns bytes as a text that can be shown, stored and sent.
func readable(data []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(data), "\ufffd"), "\x00", "\ufffd")
}

// clip shortens a line that is too long and appends how much was cut.
func clip(line string, limit int) string {
	if len(line) <= limit {
		return line
	}
	head := excerpt.Head(line, limit, 1)
	return fmt.Sprintf("%s… (%d more bytes)", head, len(line)-len(head))
}

// plural returns a number and a noun in singular or plural.
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if strings.HasSuffix(word, "ch") {
		word += "e"
	}
	return fmt.Sprintf("%d %ss", n, word)
}
