package compact

import (
	"slices"
	"strings"

	"coppice/backend/core"
)

// The shares of the three roles of a summary of role-budget, in hundredths: the output of tools is the most verbose and the least useful.
const (
	toolShare      = 15
	userShare      = 30
	assistantShare = 55
)

// roleBudget keeps the newest texts of each role within its share of the limit.
func roleBudget(title string, covered []core.Message, limit int) string {
	limit -= len(title) + 3*len("\nAssistant:\n")
	var tools, user, assistant []string
	for i := range covered {
		m := &covered[i]
		text := strings.TrimSpace(m.Text())
		switch {
		case m.IsPrompt():
			user = append(user, text)
		case m.IsCall():
			assistant = append(assistant, text)
		}
		for j := range m.Parts {
			if p := &m.Parts[j]; p.Type == core.PartToolResult {
				tools = append(tools, strings.TrimSpace(p.PlainText()))
			}
		}
	}
	out := title
	for _, role := range []struct {
		name  string
		texts []string
		share int
	}{{"User:", user, userShare}, {"Assistant:", assistant, assistantShare}, {"Tools:", tools, toolShare}} {
		if kept := newestTexts(role.texts, limit*role.share/100); kept != "" {
			out += "\n" + role.name + "\n" + kept
		}
	}
	return out
}

// newestTexts returns the end of texts, each on lines of its own, in at most limit bytes.
func newestTexts(texts []string, limit int) string {
	texts = slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	all := strings.Join(texts, "\n")
	if len(all) <= limit {
		return all
	}
	if limit <= len("…") {
		return ""
	}
	return "…" + tail(all, limit-len("…"))
}
