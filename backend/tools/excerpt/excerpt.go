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

// ReadOutput is the name of the tool that reads what was left out of an output.
const ReadOutput = "read_output"

// idDigits is the length of an OutputID: long enough to be unique in a session.
const idDigits = 12

// OutputID returns the name by which a model refers to the whole of a cut output: the first digits of the hash of its blob.
func OutputID(hash string) string {
	digits := strings.TrimPrefix(hash, "sha256:")
	return digits[:min(idDigits, len(digits))]
}

// Part returns the part of a result for a text of any size: the whole text if it is within the bounds, otherwise its
// excerpt and the blob that holds the text. sizeBytes and lineCount describe the whole output, of which text may be
// only what was stored.
func Part(text string, sizeBytes, lineCount int64, maxBytes, maxLines int) (core.Part, []core.Blob) {
	part := core.Part{Type: core.PartText, Text: text}
	head, missing, tail := split(text, maxBytes, maxLines)
	if missing == "" {
		return part, nil
	}
	blob := core.Blob{Hash: core.Hash([]byte(text)), MimeType: "text/plain; charset=utf-8", Data: []byte(text)}
	from := fmt.Sprintf(`"offset": %d`, CountLines(head)+1)
	if !strings.HasSuffix(head, "\n") { // within a line that is too long
		from = fmt.Sprintf(`"byte_offset": %d`, len(head))
	}
	part.Text = join(head, fmt.Sprintf(`%s left out; %s {"output": "%s", %s} returns them`, count(missing), ReadOutput, OutputID(blob.Hash), from), tail)
	part.Truncated = &core.Truncated{SizeBytes: sizeBytes, LineCount: lineCount, Blob: blob.Hash, Shown: true}
	return part, []core.Blob{blob}
}

// Text returns the first third and the last two thirds of what may be shown, with a line between them that describes
// what is left out: errors are usually at the end. It cuts between characters, and between lines if possible.
func Text(text string, maxBytes, maxLines int) (shown string, cut bool) {
	head, missing, tail := split(text, maxBytes, maxLines)
	if missing == "" {
		return text, false
	}
	return join(head, count(missing)+" left out", tail), true
}

// split divides a text that is too long into its beginning, what is left out, and its end; missing is empty if nothing is.
func split(text string, maxBytes, maxLines int) (head, missing, tail string) {
	if len(text) <= maxBytes && CountLines(text) <= int64(maxLines) {
		return text, "", ""
	}
	head = Head(text, maxBytes/3, maxLines/3)
	tail = takeTail(text[len(head):], maxBytes*2/3, maxLines*2/3)
	return head, text[len(head) : len(text)-len(tail)], tail
}

func count(missing string) string {
	return fmt.Sprintf("%d lines, %d bytes", CountLines(missing), len(missing))
}

// join puts a line about what is left out between the beginning and the end of a text.
func join(head, note, tail string) string {
	if !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	return head + "[… " + note + " …]\n" + tail
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
