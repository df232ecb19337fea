package render

import (
	"strings"

	"coppice/backend/core"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
)

// MessageMarkdown returns a message for the clipboard: its texts as written, reasoning as a quote, tool calls and
// results with their contents between fences.
func (r *Renderer) MessageMarkdown(m core.Message) string {
	var blocks []string
	for i := range m.Parts {
		if block := r.partMarkdown(&m.Parts[i]); block != "" {
			blocks = append(blocks, block)
		}
	}
	return strings.Join(blocks, "\n\n")
}

func (r *Renderer) partMarkdown(part *core.Part) string {
	switch part.Type {
	case core.PartText, core.PartSummary:
		return strings.TrimRight(part.Text, "\n")
	case core.PartReasoning:
		if part.Text == "" {
			return ""
		}
		return prose.Indent(strings.TrimRight(part.Text, "\n"), "> ", "> ")
	case core.PartToolCall:
		line := strings.TrimSpace("**" + prose.Escape(part.Name) + "** " + prose.Span(r.call(part).summary("")))
		if len(part.Arguments) > 0 {
			return line + "\n\n" + prose.Fence(indented(part.Arguments), "json")
		}
		return line + "\n\n" + prose.Fence(part.Text, "text")
	case core.PartToolResult:
		var blocks []string
		for i := range part.Result {
			if part.Result[i].Type == core.PartText {
				blocks = append(blocks, prose.Fence(r.plain.Text(part.Result[i].Text), "text"))
			} else if block := r.partMarkdown(&part.Result[i]); block != "" && part.Result[i].Type == core.PartMedia {
				blocks = append(blocks, block)
			}
		}
		return strings.Join(blocks, "\n\n")
	case core.PartMedia:
		if part.Media == nil {
			return ""
		}
		return "*" + prose.Escape(mediaName(part.Media)) + "*"
	default:
		return prose.Fence(plain.Visible(r.other(part).Text), "json")
	}
}
