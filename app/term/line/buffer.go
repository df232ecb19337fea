package line

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// buffer is the text that is edited, as grapheme clusters: what a user sees as characters.
type buffer struct {
	characters []string
	at         int // the cursor is before this character
}

func split(text string) []string {
	var all []string
	for state := -1; text != ""; {
		var one string
		one, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		all = append(all, one)
	}
	return all
}

func (b *buffer) text() string   { return strings.Join(b.characters, "") }
func (b *buffer) before() string { return strings.Join(b.characters[:b.at], "") }
func (b *buffer) after() string  { return strings.Join(b.characters[b.at:], "") }

// set replaces the text before and after the cursor. Characters may join across the cursor.
func (b *buffer) set(before, after string) {
	b.characters = split(before + after)
	b.at = len(split(before))
	if b.at > len(b.characters) {
		b.at = len(b.characters)
	}
}

func (b *buffer) insert(text string) { b.set(b.before()+text, b.after()) }

// remove removes the characters between two positions and moves the cursor there.
func (b *buffer) remove(from, to int) {
	before := strings.Join(b.characters[:from], "")
	b.set(before, strings.Join(b.characters[to:], ""))
}

// wordStart returns the position of the start of the word before the cursor.
func (b *buffer) wordStart() int {
	at := b.at
	for at > 0 && !isWord(b.characters[at-1]) {
		at--
	}
	for at > 0 && isWord(b.characters[at-1]) {
		at--
	}
	return at
}

// wordEnd returns the position of the end of the word after the cursor.
func (b *buffer) wordEnd() int {
	at := b.at
	for at < len(b.characters) && !isWord(b.characters[at]) {
		at++
	}
	for at < len(b.characters) && isWord(b.characters[at]) {
		at++
	}
	return at
}

func isWord(character string) bool {
	return strings.ContainsFunc(character, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// lineStart and lineEnd return the positions of the start and the end of the line that contains the cursor.
func (b *buffer) lineStart() int {
	at := b.at
	for at > 0 && b.characters[at-1] != "\n" {
		at--
	}
	return at
}

func (b *buffer) lineEnd() int {
	at := b.at
	for at < len(b.characters) && b.characters[at] != "\n" {
		at++
	}
	return at
}
