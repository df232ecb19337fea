package plain

import "strings"

const (
	// maxRunningBytes bounds what a Running stores: more than a screen of long lines.
	maxRunningBytes = 8 << 10
	// maxRunningLine bounds a line that it returns.
	maxRunningLine = 400
)

// Running holds the end of the output of a command while it runs. The zero value is empty.
type Running struct {
	text string // not cleaned, as a sequence may arrive in pieces
}

// Add appends a piece of the output.
func (r *Running) Add(piece string) {
	r.text += piece
	if len(r.text) <= maxRunningBytes {
		return
	}
	r.text = r.text[len(r.text)-maxRunningBytes:]
	if at := strings.IndexAny(r.text, "\r\n"); at >= 0 { // what precedes is the end of a line, or of a sequence
		r.text = r.text[at+1:]
	} else {
		r.text = Tail(r.text, maxRunningBytes)
	}
}

// Lines returns the last lines, at most so many, as Cleaner.Text shows them. A sequence that has not ended is left out, and so is the
// end of a line that is too long.
func (r *Running) Lines(c *Cleaner, most int) []string {
	text := r.text
	if at := strings.LastIndexByte(text, '\x1b'); at >= 0 && isUnfinished(text[at:]) {
		text = text[:at]
	}
	text = strings.TrimRight(c.Text(text), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(len(lines)-most, 0):]
	for i, line := range lines {
		if head, cut := Head(line, maxRunningLine); cut {
			lines[i] = head + "…"
		}
	}
	return lines
}

// isUnfinished reports whether a text that begins with an escape is only the beginning of a sequence. Titles and the like are none:
// Cleaner removes them without their end.
func isUnfinished(text string) bool {
	rest, isCSI := strings.CutPrefix(text, "\x1b[")
	if isCSI {
		return !strings.ContainsFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
	}
	return strings.Trim(text[1:], " !\"#$%&'()*+,-./") == ""
}
