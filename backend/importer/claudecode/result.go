package claudecode

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// resultParts converts the content of a record with tool results to parts. Text beside a result is the user's comment
// on it, such as why an edit was rejected.
func resultParts(r *record, calls map[string]*call) []core.Part {
	var parts []core.Part
	data := r.toolUseResult
	for i := range r.content.blocks {
		b := &r.content.blocks[i]
		if b.kind != "tool_result" {
			parts = append(parts, blockPart(b))
			continue
		}
		p := core.Part{Type: core.PartToolResult, ID: resultID(b.toolUseID, r), IsError: b.isError, Result: contentParts(readContent(b.content))}
		if c := calls[p.ID]; c != nil {
			p.Name = c.name
		}
		addStructured(&p, data)
		data = gjson.Result{} // there is one for the whole record
		parts = append(parts, p)
	}
	return parts
}

// output is a tool's result as data: the fields that matter here.
type output struct {
	stdout     gjson.Result
	file       gjson.Result
	durationMs int64
	others     bool // a field besides stdout carries information
}

func readOutput(data gjson.Result) output {
	var o output
	if !data.IsObject() {
		return o
	}
	jsonl.Each(data, func(key string, v gjson.Result) bool {
		switch key {
		case "stdout":
			o.stdout = v
			return true
		case "file":
			o.file = v
		case "durationMs", "totalDurationMs":
			o.durationMs = max(0, v.Int())
		case "durationSeconds":
			o.durationMs = int64(min(max(0, v.Num), 1e9) * 1000)
		}
		o.others = o.others || !jsonl.Empty(v)
		return true
	})
	return o
}

// addStructured adds the result as data, unless it only repeats the text or the image.
func addStructured(p *core.Part, data gjson.Result) {
	if jsonl.Empty(data) {
		return
	}
	o := readOutput(data)
	p.DurationMs = o.durationMs
	if media := imageOf(p); media != nil && o.file.Get("base64").Exists() {
		size := o.file.Get("dimensions")
		media.Width, media.Height = size.Get("originalWidth").Int(), size.Get("originalHeight").Int()
		return
	}
	if !repeats(data, o, resultText(p)) {
		p.Structured = jsonl.Raw(data)
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

// repeats reports whether the data hold nothing that the text does not. The text of a shell command is its output.
func repeats(data gjson.Result, o output, words string) bool {
	switch {
	case data.Type == gjson.String:
		return bare(jsonl.Text(data)) == bare(words)
	case data.IsArray():
		return repeatsList(data, words)
	default:
		return !o.others && o.stdout.Exists() && strings.TrimSpace(jsonl.Text(o.stdout)) == strings.TrimSpace(words)
	}
}

// bare removes what Claude Code puts around an error.
func bare(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "Error: ")
	s = strings.TrimPrefix(s, "<tool_use_error>")
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(s, "</tool_use_error>"), "Error: "))
}

func repeatsList(data gjson.Result, words string) bool {
	var texts []string
	plain := true
	jsonl.Each(data, func(_ string, block gjson.Result) bool {
		plain = jsonl.Text(block.Get("type")) == "text"
		texts = append(texts, jsonl.Text(block.Get("text")))
		return plain
	})
	return plain && strings.Join(texts, "\n") == words
}
