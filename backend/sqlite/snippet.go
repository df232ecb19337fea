package sqlite

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"coppice/backend/core"
)

const (
	snippetLength = 160 // runes
	snippetBefore = 50  // of them before the match
	// snippetReach is how many bytes around a match are looked at: white space is squeezed out of them.
	snippetReach = 4 * snippetLength
)

// newMatch cuts one line around a match out of a text.
func newMatch(where, text string, from, to int) *match {
	before := squeeze(text[runeStart(text, from-snippetReach):from])
	if runes := []rune(before); len(runes) > snippetBefore {
		before = "…" + string(runes[len(runes)-snippetBefore:])
	}
	before = strings.TrimLeft(before, " ")
	marked := core.Cut(squeeze(text[from:min(to, runeStart(text, from+snippetReach))]), snippetLength-snippetBefore)
	left := snippetLength - utf8.RuneCountInString(before) - utf8.RuneCountInString(marked)
	after := squeeze(text[to:max(to, runeStart(text, to+snippetReach))])
	if short := core.Cut(after, max(left, 0)); short != after {
		after = short + "…"
	}
	start := units(before)
	return &match{where: where, snippet: before + marked + strings.TrimRight(after, " "), from: start, to: start + units(marked)}
}

// runeStart moves an index into a text back to where a rune begins.
func runeStart(text string, i int) int {
	i = min(max(i, 0), len(text))
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// squeeze makes every run of white space and control characters one space.
func squeeze(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range text {
		if isGap(r) {
			gap = true
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	if gap {
		b.WriteByte(' ')
	}
	return b.String()
}

// units counts UTF-16 code units.
func units(text string) int64 {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return int64(n)
}

// readable writes JSON the way a person reads it: a line per key and value, strings without their escapes.
func readable(value json.RawMessage) string {
	if len(value) == 0 {
		return ""
	}
	var b strings.Builder
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return b.String()
		}
		switch v := token.(type) {
		case string:
			b.WriteString(v)
		case json.Number:
			b.WriteString(v.String())
		case bool:
			b.WriteString(strconv.FormatBool(v))
		default:
			continue
		}
		b.WriteByte('\n')
	}
}
