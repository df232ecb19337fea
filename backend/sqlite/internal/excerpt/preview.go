package excerpt

import (
	"cmp"
	"slices"

	"coppice/backend/core"
)

// previewLength is how much of a text a list shows.
const previewLength = 160

// Preview returns the beginning of what a message says, one line; of one that says nothing, what it shows. Injected texts
// count only where there is nothing else.
func Preview(parts []core.Part) string {
	if own := slices.DeleteFunc(slices.Clone(parts), func(p core.Part) bool { return p.Injected }); len(own) < len(parts) && len(own) > 0 {
		return cmp.Or(Preview(own), Preview(parts[:1]))
	}
	shown := ""
	for _, p := range parts {
		switch p.Type {
		case core.PartText, core.PartSummary, core.PartReasoning:
			if line := textLine(&p); line != "" {
				return line
			}
		case core.PartToolCall:
			return Line(p.Name, previewLength)
		case core.PartToolResult:
			if line := Preview(p.Result); line != "" {
				return line
			}
		case core.PartMedia:
			if p.Media != nil && shown == "" {
				shown = Line(cmp.Or(p.Media.Name, p.Media.MimeType), previewLength)
			}
		default:
		}
	}
	return shown
}
