package sqlite

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/backend/core"
	"coppice/backend/markdown"
)

// previewLength is how much of a text a list shows.
const previewLength = 160

// preview returns the beginning of what a message says, one line; of one that says nothing, what it shows. Injected texts
// count only where there is nothing else.
func preview(parts []core.Part) string {
	if own := slices.DeleteFunc(slices.Clone(parts), func(p core.Part) bool { return p.Injected }); len(own) < len(parts) && len(own) > 0 {
		return cmp.Or(preview(own), preview(parts[:1]))
	}
	shown := ""
	for _, p := range parts {
		switch p.Type {
		case core.PartText, core.PartSummary, core.PartReasoning:
			// Marks are taken off before the cut, which would part them.
			if line := oneLine(markdown.Plain(oneLine(p.Text, 2*previewLength)), previewLength); line != "" {
				return line
			}
		case core.PartToolCall:
			return oneLine(p.Name, previewLength)
		case core.PartToolResult:
			if line := preview(p.Result); line != "" {
				return line
			}
		case core.PartMedia:
			if p.Media != nil && shown == "" {
				shown = oneLine(cmp.Or(p.Media.Name, p.Media.MimeType), previewLength)
			}
		default:
		}
	}
	return shown
}

// oneLine returns the first runes of a text with every run of white space and control characters as one space.
func oneLine(text string, limit int) string {
	var b strings.Builder
	b.Grow(min(len(text), limit))
	n, gap := 0, false
	for _, r := range text {
		if n >= limit {
			break
		}
		if isGap(r) {
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

func isGap(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsSpace(r) || unicode.IsControl(r)
}
