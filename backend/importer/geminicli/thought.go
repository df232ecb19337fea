package geminicli

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// thoughtParts reads the summaries of what the model thought.
func thoughtParts(thoughts gjson.Result) []core.Part {
	var parts []core.Part
	jsonl.Each(thoughts, func(_ string, v gjson.Result) bool {
		subject, description := jsonl.Text(v.Get("subject")), jsonl.Text(v.Get("description"))
		if subject != "" {
			subject = "**" + subject + "**"
		}
		if text := strings.TrimSpace(subject + "\n\n" + description); text != "" {
			parts = append(parts, core.Part{Type: core.PartReasoning, Text: text})
		}
		return true
	})
	return parts
}

// withoutRepeats returns thoughts and then a content without the thoughts that were read already: a checkpoint repeats them as
// parts of the API, one for all of them or one for each.
func withoutRepeats(thoughts, content []core.Part) []core.Part {
	count := len(thoughts)
	all := ""
	for i := range thoughts {
		all += plainThought(thoughts[i].Text)
	}
	for _, p := range content {
		text := plainThought(p.Text)
		if p.Type != core.PartReasoning || text == "" || !strings.Contains(all, text) {
			thoughts = append(thoughts, p)
			continue
		}
		for i := range thoughts[:count] { // the provider may want its signature back
			if strings.HasPrefix(text, plainThought(thoughts[i].Text)) && thoughts[i].Native == nil {
				thoughts[i].Native = p.Native
				break
			}
		}
	}
	return thoughts
}

// plainThought returns the letters of a thought, without marks and spaces.
func plainThought(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "**", "")), "")
}
