package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Piece is a part of a text. Hidden reports whether it names a character that is invisible or looks like another one.
type Piece struct {
	Text   string
	Hidden bool
}

// Exact returns a text in pieces that show every character of it, in order, for a user who decides by it what may run.
// Nothing is removed, folded or interpreted: controls, characters without a shape and spaces that look like U+0020 are
// shown by their number, an invalid byte of UTF-8 by its value, a tab as an arrow. Line feeds stay.
func Exact(text string) []Piece {
	var pieces []Piece
	start := 0
	for at := 0; at < len(text); {
		r, length := utf8.DecodeRuneInString(text[at:])
		if name := nameOf(r, text[at], length); name != "" {
			if start < at {
				pieces = append(pieces, Piece{Text: text[start:at]})
			}
			pieces = append(pieces, Piece{name, true})
			start = at + length
		}
		at += length
	}
	if start < len(text) {
		pieces = append(pieces, Piece{Text: text[start:]})
	}
	return pieces
}

// ExactText joins the pieces of Exact.
func ExactText(text string) string {
	var out strings.Builder
	for _, piece := range Exact(text) {
		out.WriteString(piece.Text)
	}
	return out.String()
}

// nameOf returns the name of a character that would be invisible; it is empty for any other.
func nameOf(r rune, first byte, length int) string {
	switch {
	case r == '\n':
		return ""
	case r == '\t':
		return "→   "
	case r == utf8.RuneError && length == 1:
		return fmt.Sprintf("[0x%02X]", first)
	case unseen(r):
		return fmt.Sprintf("[U+%04X]", r)
	default:
		return ""
	}
}

// unseen reports whether a character has no shape of its own, or the shape of a space.
func unseen(r rune) bool {
	if r < utf8.RuneSelf {
		return r < 0x20 || r == 0x7f
	}
	return !unicode.IsPrint(r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r == 0x2800
}
