// Package plain makes the output of programs and models safe to show verbatim: no terminal sequences, no control
// characters, no invisible characters that reorder text.
package plain

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cleaner removes terminal sequences and control characters from texts. It is safe for concurrent use.
type Cleaner struct {
	// sequences are those of ECMA-48: CSI, OSC and similar, character sets, and single escapes.
	sequences *regexp.Regexp
}

// NewCleaner returns a Cleaner.
func NewCleaner() *Cleaner {
	return &Cleaner{sequences: regexp.MustCompile(
		"\x1b\\[[0-?]*[ -/]*[@-~]" + // CSI
			"|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\|$)" + // OSC, DCS, SOS, PM, APC
			"|\x1b[ -/]+[0-~]" + // character sets
			"|\x1b[0-~]")}
}

// Text returns the text without terminal sequences, with line ends as \n and with control characters made visible. If a
// program overwrote a line after a carriage return, the last text remains, as on a terminal.
func (c *Cleaner) Text(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.IndexByte(text, '\x1b') >= 0 {
		text = c.sequences.ReplaceAllString(text, "")
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = overwritten(strings.ReplaceAll(text, "\r\n", "\n"))
	}
	return Visible(text)
}

// Literal returns text that was written to be run or stored, such as a command: unlike Text it removes nothing and
// interprets no carriage return, because the program that reads it does not either. Only \r\n becomes \n.
func Literal(text string) string {
	return Visible(strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n"))
}

// overwritten applies carriage returns line by line.
func overwritten(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		body, hasEnd := strings.CutSuffix(line, "\n")
		body = strings.TrimRight(body, "\r")
		if at := strings.LastIndexByte(body, '\r'); at >= 0 {
			body = body[at+1:]
		}
		out.WriteString(body)
		if hasEnd {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// flag is the black flag that the tags of a region follow.
const flag = '\U0001F3F4'

func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

// suspect reports whether a character can hide something, at least in some contexts.
func suspect(r rune) bool { return hides(r, 'a', false) }

// Line returns the text as one line of at most limit characters: white space is folded, and an ellipsis replaces what
// was left out.
func Line(text string, limit int) string {
	folded := make([]rune, 0, min(len(text), limit+1))
	space := false
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		if len(folded) > limit {
			break
		}
		if unicode.IsSpace(r) {
			space = len(folded) > 0
			continue
		}
		if space {
			folded = append(folded, ' ')
			space = false
		}
		folded = append(folded, r)
	}
	if len(folded) > limit {
		folded = append(folded[:limit-1], '…')
	}
	return Visible(string(folded))
}

// FirstLine returns the first line that is not blank, shortened as by Line.
func FirstLine(text string, limit int) string {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			return Line(line, limit)
		}
	}
	return ""
}

// CountLines returns the number of lines as a reader counts them: a final line feed begins no line.
func CountLines(text string) int64 {
	if text == "" {
		return 0
	}
	n := int64(strings.Count(text, "\n"))
	if !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// Head returns the beginning of the text of at most limit bytes, cut at the end of a line if one is near, and reports
// whether it was cut.
func Head(text string, limit int) (string, bool) {
	if len(text) <= limit {
		return text, false
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	if at := strings.LastIndexByte(text[:cut], '\n'); at > cut/2 {
		cut = at + 1
	}
	return text[:cut], true
}

// Tail returns the end of the text of at most limit bytes, from the start of a line if one is near.
func Tail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := len(text) - limit
	for cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut++
	}
	if at := strings.IndexByte(text[cut:], '\n'); at >= 0 && at < limit/2 {
		cut += at + 1
	}
	return text[cut:]
}
