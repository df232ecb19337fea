// Package query implements the language of message searches: what a word is, what a query means, and which words of a
// substring or a regular expression an index of words can look up. It does no I/O.
package query

import (
	"unicode"
	"unicode/utf8"
)

const (
	// MaxWordBytes is the length of the longest word that is searched as itself: longer ones are keys, hashes and
	// encoded bytes, each of which occurs once.
	MaxWordBytes = 96
	// LongWord represents every longer word. No word of a text equals it.
	LongWord = "…"
)

// Scanner iterates over the words of a text. A word is a run of letters and digits; in scripts without spaces between
// words, such as Chinese, it is one character. Case and the accents of Latin and Greek letters are ignored.
type Scanner struct {
	text     string
	word     []byte
	from, to int
}

// NewScanner returns a scanner before the first word of a text.
func NewScanner(text string) *Scanner { return &Scanner{text: text} }

// Word returns the current word, folded, or LongWord. The next call of Scan overwrites it.
func (s *Scanner) Word() []byte { return s.word }

// Span returns the range of the word in the text, in bytes.
func (s *Scanner) Span() (from, to int) { return s.from, s.to }

// Scan advances to the next word, and returns false at the end.
func (s *Scanner) Scan() bool {
	s.word = s.word[:0]
	i := s.to
	for i < len(s.text) {
		c := s.text[i]
		if c < utf8.RuneSelf {
			if isPlain(c) {
				return s.run(i)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[i:])
		switch {
		case isMark(r) || !isWord(r):
			i += size
		case standsAlone(r):
			s.word = utf8.AppendRune(s.word, fold(r))
			s.from, s.to = i, i+size
			return true
		default:
			return s.run(i)
		}
	}
	s.from, s.to = i, i
	return false
}

// run reads the word that begins at i.
func (s *Scanner) run(i int) bool {
	s.from = i
	for i < len(s.text) {
		c := s.text[i]
		if c < utf8.RuneSelf {
			if !isPlain(c) {
				break
			}
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			s.word = append(s.word, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[i:])
		if !isMark(r) {
			if !isWord(r) || standsAlone(r) {
				break
			}
			s.word = utf8.AppendRune(s.word, fold(r))
		}
		i += size
	}
	s.to = i
	if len(s.word) > MaxWordBytes {
		s.word = append(s.word[:0], LongWord...)
	}
	return true
}

// Words returns the words of a text.
func Words(text string) []string {
	var words []string
	for s := NewScanner(text); s.Scan(); {
		words = append(words, string(s.Word()))
	}
	return words
}

func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z'
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == iotaBelow }

// iotaBelow is written as a mark, but is a letter when case is ignored.
const iotaBelow = '\u0345'

// isMark reports whether a character only modifies the one before it.
func isMark(r rune) bool {
	return r >= 0x300 && r != iotaBelow && (r < 0x370 || unicode.Is(unicode.Mn, r))
}

// standsAlone reports whether a character's script has no spaces between words: each of its characters is a word.
func standsAlone(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00, // Thai, Lao
		r >= 0x1000 && r < 0x10A0,   // Burmese
		r >= 0x1780 && r < 0x1800,   // Khmer
		r >= 0x2E80 && r < 0x3100,   // radicals, Hiragana, Katakana
		r >= 0x31F0 && r < 0xA000,   // Katakana extensions, Han
		r >= 0xF900 && r < 0xFB00,   // Han compatibility
		r >= 0xFF66 && r < 0xFFA0,   // half-width Katakana
		r >= 0x20000 && r < 0x40000: // Han extensions
		return true
	default:
		return false
	}
}

// fold removes case and accents from a character. Characters that differ only in case, by regexp/syntax, become one.
func fold(r rune) rune {
	if standsAlone(r) {
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		if next < least && next != iotaBelow || least == iotaBelow {
			least = next
		}
	}
	return unicode.ToLower(base(least))
}

// Fork returns an independent scanner at the same word.
func (s *Scanner) Fork() Scanner { return Scanner{text: s.text, from: s.from, to: s.to} }
