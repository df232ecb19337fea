// Package excerpt makes the short texts that lists show: single lines, titles, previews.
package excerpt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/backend/core"
)

// Line returns the first runes of a text with every run of white space and control characters as one space.
func Line(text string, limit int) string {
	var b strings.Builder
	b.Grow(min(len(text), limit))
	n, gap := 0, false
	for _, r := range text {
		if n >= limit {
			break
		}
		if IsGap(r) {
			gap = n > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			n++
			gap = false
		}
		b.WriteRune(r)
		n++
	}
	return core.Cut(b.String(), limit)
}

// IsGap reports whether a rune is white space or a control character, which a line shows as one space.
func IsGap(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsSpace(r) || unicode.IsControl(r)
}
