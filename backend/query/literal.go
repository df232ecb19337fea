package query

import (
	"regexp/syntax"
	"unicode/utf8"
)

// Piece is a word of a substring. At an end of the substring, the word in the text may be longer.
type Piece struct {
	Word       string // folded
	OpenBefore bool
	OpenBehind bool
}

// Pieces returns the words of a substring: a text that contains the substring, ignoring case, has all of them.
func Pieces(substring string) []Piece {
	var pieces []Piece
	for s := NewScanner(substring); s.Scan(); {
		from, to := s.Span()
		p := Piece{Word: string(s.Word())}
		if first, _ := utf8.DecodeRuneInString(substring[from:]); !standsAlone(first) && p.Word != LongWord {
			p.OpenBefore, p.OpenBehind = onlyMarks(substring[:from]), to == len(substring)
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// onlyMarks reports whether a text only extends the word before it.
func onlyMarks(text string) bool {
	for _, r := range text {
		if !isMark(r) {
			return false
		}
	}
	return true
}

// Literal returns the longest text that is part of everything a regular expression of Go matches, ignoring case; empty if
// there is no such text or the expression is invalid.
func Literal(expression string) string {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	longest := ""
	for pending := []*syntax.Regexp{parsed}; len(pending) > 0; {
		next := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		switch next.Op {
		case syntax.OpLiteral:
			if text := string(next.Rune); len(text) > len(longest) {
				longest = text
			}
		case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
			pending = append(pending, next.Sub...)
		case syntax.OpRepeat:
			if next.Min > 0 {
				pending = append(pending, next.Sub...)
			}
		default: // may match an empty text
		}
	}
	return longest
}
