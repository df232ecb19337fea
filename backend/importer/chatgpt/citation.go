package chatgpt

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// citations replaces the marks of a text's sources by what ChatGPT shows for them; nil if it has no marks. The marks are between
// characters of Unicode's private use area, such as U+E200. What they refer to is in the message's meta.
func citations(references gjson.Result) *strings.Replacer {
	var pairs []string
	for _, r := range references.Array() {
		mark := jsonl.Text(r.Get("matched_text"))
		if !strings.ContainsFunc(mark, isPrivate) {
			continue
		}
		shown := jsonl.Text(r.Get("alt"))
		if shown == "" {
			shown = jsonl.Text(r.Get("name"))
		}
		if shown == "" && strings.Contains(mark, "entity") {
			continue // words of the text are in the mark
		}
		pairs = append(pairs, mark, shown)
	}
	if pairs == nil {
		return nil
	}
	return strings.NewReplacer(pairs...)
}

func isPrivate(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }
