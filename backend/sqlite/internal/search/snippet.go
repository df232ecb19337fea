package search

import (
	"unicode/utf16"
	"unicode/utf8"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/excerpt"
)

const (
	snippetLength = 160 // runes
	snippetBefore = 50  // of them before the match
	// snippetReach is how many bytes around a match are looked at: white space is squeezed out of them.
	snippetReach = 4 * snippetLength
	snippetMarks = 16 // matches that are marked in it
)

// span is a range of a text, in bytes.
type span struct{ from, to int }

// snippet is one line of a text with its matches marked.
type snippet struct {
	text  string
	marks []core.Mark
}

// cut makes one line around the first of the spans, which stand in order. Every run of white space becomes one space.
func cut(text string, spans []span) snippet {
	c := cutter{spans: spans}
	from, whole := before(text, spans[0].from)
	if !whole {
		c.put('…')
	}
	end := min(len(text), runeStart(text, spans[0].from+snippetReach))
	for i := from; i < end; {
		r, size := utf8.DecodeRuneInString(text[i:])
		c.take(i, r)
		i += size
		if c.runes >= snippetLength {
			end = i
		}
	}
	c.close()
	if !isBlank(text[end:min(len(text), end+snippetReach)]) {
		c.put('…')
	}
	return snippet{string(c.line), c.marks}
}

// before returns where a snippet begins that shows the text before a match; whole reports whether that is all of it.
func before(text string, match int) (from int, whole bool) {
	from = match
	gap := false
	for runes := 0; from > 0 && match-from < snippetReach; {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		if excerpt.IsGap(r) {
			gap = runes > 0
		} else {
			if gap {
				runes++
				gap = false
			}
			if runes++; runes > snippetBefore {
				break
			}
		}
		from -= size
	}
	return from, isBlank(text[max(0, from-snippetReach):from])
}

func isBlank(text string) bool {
	for _, r := range text {
		if !excerpt.IsGap(r) {
			return false
		}
	}
	return true
}

// cutter puts a line together.
type cutter struct {
	spans []span
	line  []rune
	runes int
	units int64 // UTF-16
	gap   bool
	said  bool // something that is no gap
	open  bool // a mark
	marks []core.Mark
}

// take adds the character at a place of the text.
func (c *cutter) take(at int, r rune) {
	for len(c.spans) > 0 && c.spans[0].to <= at {
		c.close()
		c.spans = c.spans[1:]
	}
	if excerpt.IsGap(r) {
		c.gap = c.said
		return
	}
	inside := len(c.spans) > 0 && c.spans[0].from <= at
	if c.gap {
		c.put(' ') // within an open mark
		c.gap = false
	}
	if inside && !c.open {
		c.open = true
		c.marks = append(c.marks, core.Mark{From: c.units})
	}
	c.said = true
	c.put(r)
}

// close ends the mark that is open.
func (c *cutter) close() {
	if c.open {
		c.marks[len(c.marks)-1].To = c.units
		c.open = false
	}
}

func (c *cutter) put(r rune) {
	c.line = append(c.line, r)
	c.runes++
	c.units += int64(max(utf16.RuneLen(r), 1))
}

// runeStart moves an index into a text back to where a rune begins.
func runeStart(text string, i int) int {
	i = min(max(i, 0), len(text))
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
