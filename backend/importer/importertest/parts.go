package importertest

import (
	"fmt"
	"strings"

	"coppice/backend/core"
)

// Parts writes the parts of the messages, one line per message: the role, then each part's type, words and marks.
func (s Session) Parts() string {
	lines := make([]string, 0, len(s.Messages))
	for _, m := range s.Messages {
		lines = append(lines, parts(m))
	}
	return strings.Join(lines, "\n")
}

// PartsAndSpending is Parts with the tokens that went in and out, and the cost in billionths of a dollar, at the end of each line.
func (s Session) PartsAndSpending() string {
	lines := make([]string, 0, len(s.Messages))
	for _, m := range s.Messages {
		line := parts(m)
		if m.Usage != nil {
			line += fmt.Sprintf(" %d+%d", m.Usage.InputTokens, m.Usage.OutputTokens)
		}
		if m.CostNanoUSD != nil {
			line += fmt.Sprintf(" $%d", *m.CostNanoUSD)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func parts(m core.IncomingMessage) string {
	line := string(m.Role)
	if m.Kind != core.KindMessage {
		line += "/" + string(m.Kind)
	}
	for _, p := range m.Parts {
		line += " " + string(p.Type)
		if words := p.PlainText(); words != "" {
			line += fmt.Sprintf(" %q", words)
		}
		for _, mark := range []struct {
			has  bool
			text string
		}{{p.IsError, "failed"}, {p.Server, "server"}, {p.Redacted, "redacted"}, {len(p.Structured) > 0, string(p.Structured)}} {
			if mark.has {
				line += " " + mark.text
			}
		}
		for _, r := range append([]core.Part{p}, p.Result...) {
			if r.Media != nil {
				line += fmt.Sprintf(" [%s %s%s %d]", r.Media.MimeType, r.Media.URI, r.Media.Name, len(r.Media.Data))
			}
		}
	}
	return line
}
