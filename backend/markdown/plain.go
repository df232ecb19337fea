// Package markdown reduces Markdown to plain text.
package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/backend/lazyregexp"
)

var (
	// leadingMark is the mark of a heading or of quotations at the beginning of a line.
	leadingMark = lazyregexp.New(`^(?:#{1,6} +|(?:> ?)+)`)
	// link is a link or an image of Markdown with its text.
	link = lazyregexp.New(`!?\[([^\[\]]+)\]\([^()\s]*\)`)
)

// Plain returns a line of Markdown as plain text for lists: without the mark of a heading or a quotation at its beginning,
// without asterisks of emphasis, and with the texts of links. Ambiguous characters stay: other asterisks, such as those of
// file patterns, underscores and backticks. It takes quadratic time at worst: cut the line first.
func Plain(line string) string {
	if line != "" && (line[0] == '#' || line[0] == '>') {
		line = leadingMark.ReplaceAllString(line, "")
	}
	if strings.Contains(line, "](") { // most lines have none, and a regular expression costs more than all the rest
		line = link.ReplaceAllString(line, "$1")
	}
	if !strings.Contains(line, "*") {
		return line
	}
	var plain strings.Builder
	closing := map[int]int{} // index → length of a mark that ends there
	for at := 0; at < len(line); {
		run := len(line[at:]) - len(strings.TrimLeft(line[at:], "*"))
		switch {
		case run == 0:
			next := strings.IndexByte(line[at:], '*')
			if next < 0 {
				next = len(line) - at
			}
			plain.WriteString(line[at : at+next])
			at += next
			continue
		case closing[at] == run:
		case opensEmphasis(line, at, run):
			end := emphasisEnd(line, at+run, run)
			if end < 0 {
				plain.WriteString(line[at : at+run])
				break
			}
			closing[end] = run
		default:
			plain.WriteString(line[at : at+run])
		}
		at += run
	}
	return plain.String()
}

// opensEmphasis reports whether asterisks are at the beginning of a word.
func opensEmphasis(line string, at, run int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:at])
	after, size := utf8.DecodeRuneInString(line[at+run:])
	return run <= 3 && size > 0 && !unicode.IsSpace(after) && (at == 0 || isBetween(before))
}

// emphasisEnd returns the index of the same number of asterisks at the end of a word, or -1.
func emphasisEnd(line string, from, run int) int {
	for at := from; at < len(line); {
		next := strings.IndexByte(line[at:], '*')
		if next < 0 {
			return -1
		}
		at += next
		length := len(line[at:]) - len(strings.TrimLeft(line[at:], "*"))
		before, _ := utf8.DecodeLastRuneInString(line[:at])
		after, size := utf8.DecodeRuneInString(line[at+length:])
		if length == run && !unicode.IsSpace(before) && (size == 0 || isBetween(after)) {
			return at
		}
		at += length
	}
	return -1
}

func isBetween(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }
