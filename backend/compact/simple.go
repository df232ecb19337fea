package compact

import (
	"fmt"
	"strings"

	"coppice/backend/core"
)

// previews returns what was asked, how many tools were called, and the first points of the answers.
func previews(covered []core.Message) []string {
	var asked, points []string
	calls := 0
	for i := range covered {
		m := &covered[i]
		text := strings.TrimSpace(m.Text())
		switch {
		case m.IsPrompt() && text != "":
			asked = append(asked, preview(text, userPreviewChars))
		case m.IsCall() && text != "":
			points = append(points, preview(text, assistantPreviewChars))
		}
		calls += len(m.ToolCalls())
	}
	var lines []string
	if len(asked) > 0 {
		lines = append(lines, "User asked about: "+strings.Join(asked, "; "))
	}
	if calls > 0 {
		lines = append(lines, fmt.Sprintf("Tools used: %d calls", calls))
	}
	if len(points) > 0 {
		more := ""
		if n := len(points) - shownPoints; n > 0 {
			more = fmt.Sprintf(" (+%d more)", n)
		}
		lines = append(lines, "Key points discussed: "+strings.Join(points[:min(shownPoints, len(points))], "; ")+more)
	}
	return lines
}
