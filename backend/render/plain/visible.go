package plain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Visible returns the text with the characters that reorder or hide text made visible (Trojan Source, CVE-2021-42574):
// control characters as their pictures (U+2400 and on), others by their number, as "[U+202E]". Tabs and line feeds stay.
//
// Right-to-left text reads as before. The marks U+200E, U+200F and U+061C stay: they move no letter. Joiners, which emoji and
// Arabic, Persian and Indic words need, stay unless they follow an ASCII character, as do other characters without a width.
// Tag characters stay in the flags of regions only.
func Visible(text string) string {
	if strings.IndexFunc(text, suspect) < 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text) + 16)
	before, inFlag := rune(0), false
	for _, r := range text {
		inFlag = r == flag || inFlag && isTag(r)
		if hides(r, before, inFlag) {
			writeVisible(&out, r)
			before = 0 // a joiner after it joins nothing
			continue
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

func writeVisible(out *strings.Builder, r rune) {
	switch {
	case r < 0x20:
		out.WriteRune(0x2400 + r)
	case r == 0x7f:
		out.WriteRune(0x2421)
	case r < 0xa0:
		out.WriteRune(utf8.RuneError)
	default:
		fmt.Fprintf(out, "[U+%04X]", r)
	}
}

// hides reports whether a character after the given one hides something.
func hides(r, before rune, inFlag bool) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t'
	case r < 0x7f:
		return false
	case r < 0xa0:
		return true
	case r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	case r >= 0x200b && r <= 0x200d, r == 0x2060, r == 0xfeff:
		return before < 0x80
	}
	return isTag(r) && !inFlag
}
