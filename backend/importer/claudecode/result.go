package claudecode

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

// resultParts turns the content of a record with tool results into parts. Text beside a result is
// what a person said to it, such as why an edit was rejected.
func (b *builder) resultParts(r *record) []core.Part {
	var parts []core.Part
	first := true
	r.content.ForEach(func(_, block gjson.Result) bool {
		if text(block.Get("type")) != "tool_result" {
			parts = append(parts, blockPart(block))
			return true
		}
		p := core.Part{
			Type: core.PartToolResult, ID: resultID(block, r), IsError: block.Get("is_error").Bool(), Result: contentParts(block.Get("content")),
		}
		if c := b.skeleton.calls[p.ID]; c != nil {
			p.Name = c.name
		}
		if first {
			addStructured(&p, r.toolUseResult) // there is one for the whole record
		}
		first = false
		parts = append(parts, p)
		return true
	})
	return parts
}

// addStructured adds the result as data, unless it only repeats the text or the image.
func addStructured(p *core.Part, data gjson.Result) {
	if empty(data) {
		return
	}
	p.DurationMs = duration(data)
	if media := imageOf(p); media != nil && data.Get("file.base64").Exists() {
		size := data.Get("file.dimensions")
		media.Width, media.Height = size.Get("originalWidth").Int(), size.Get("originalHeight").Int()
		return
	}
	if !repeats(data, resultText(p)) {
		p.Structured = raw(data)
	}
}

func imageOf(p *core.Part) *core.Media {
	for _, r := range p.Result {
		if r.Type == core.PartMedia {
			return r.Media
		}
	}
	return nil
}

func resultText(p *core.Part) string {
	var texts []string
	for _, r := range p.Result {
		if r.Type == core.PartText {
			texts = append(texts, r.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// duration reads how long a tool ran, in milliseconds; 0 where that is not told.
func duration(data gjson.Result) int64 {
	for _, field := range []string{"durationMs", "totalDurationMs"} {
		if v := data.Get(field); v.Type == gjson.Number {
			return max(0, v.Int())
		}
	}
	if v := data.Get("durationSeconds"); v.Type == gjson.Number && v.Num > 0 && v.Num < 1e9 {
		return int64(v.Num * 1000)
	}
	return 0
}

// repeats says whether the data hold nothing that the text does not.
func repeats(data gjson.Result, words string) bool {
	switch {
	case data.Type == gjson.String:
		return bare(text(data)) == bare(words)
	case data.IsArray():
		return repeatsList(data, words)
	case data.IsObject():
		return repeatsOutput(data, words)
	default:
		return false
	}
}

// bare takes off what Claude Code puts around an error.
func bare(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "Error: ")
	s = strings.TrimPrefix(s, "<tool_use_error>")
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(s, "</tool_use_error>"), "Error: "))
}

func repeatsList(data gjson.Result, words string) bool {
	var texts []string
	plain := true
	data.ForEach(func(_, block gjson.Result) bool {
		plain = text(block.Get("type")) == "text"
		texts = append(texts, text(block.Get("text")))
		return plain
	})
	return plain && strings.Join(texts, "\n") == words
}

// repeatsOutput knows the result of a shell command: its text is the output.
func repeatsOutput(data gjson.Result, words string) bool {
	plain := data.Get("stdout").Exists()
	data.ForEach(func(key, v gjson.Result) bool {
		if key.Str != "stdout" && !empty(v) {
			plain = false
		}
		return plain
	})
	return plain && strings.TrimSpace(text(data.Get("stdout"))) == strings.TrimSpace(words)
}
