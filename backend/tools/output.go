package tools

import (
	"fmt"
	"strings"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

const maxLineBytes = 2_000 // of one line of a file

// outputResult is the result for a text of any size: the whole where it is short, else its excerpt, and the whole in a blob.
func outputResult(text string, sizeBytes, lineCount int64) core.ToolResult {
	part, blobs := excerpt.Part(text, sizeBytes, lineCount, excerpt.MaxBytes, excerpt.MaxLines)
	return core.ToolResult{Parts: []core.Part{part}, Blobs: blobs}
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
	head := excerpt.Head(line, limit, 1)
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
