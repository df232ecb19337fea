package claudecode

import (
	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// content is the content of a message: a text, or a list of blocks, which are parsed once for all uses.
type content struct {
	gjson.Result
	blocks []block
}

func readContent(v gjson.Result) content {
	c := content{Result: v}
	if v.IsArray() {
		jsonl.Each(v, func(_ string, v gjson.Result) bool {
			c.blocks = append(c.blocks, readBlock(v))
			return true
		})
	}
	return c
}

// block is a block of a message's content: the fields that matter.
type block struct {
	all       gjson.Result
	kind      string       // its "type"; "text" for a plain string
	text      gjson.Result // text or thinking, undecoded: the first pass does not need it
	id        string
	toolUseID string
	name      string
	title     string
	isError   bool
	input     gjson.Result
	content   gjson.Result
	source    gjson.Result
	others    bool // it has other fields
}

func readBlock(v gjson.Result) block {
	b := block{all: v}
	if v.Type == gjson.String {
		b.kind, b.text = "text", v
		return b
	}
	if !v.IsObject() {
		return b
	}
	jsonl.Each(v, func(key string, v gjson.Result) bool {
		switch key {
		case "type":
			b.kind = jsonl.Text(v)
		case "text", "thinking":
			b.text = v
		case "id":
			b.id = jsonl.Text(v)
		case "tool_use_id":
			b.toolUseID = jsonl.Text(v)
		case "name":
			b.name = jsonl.Text(v)
		case "title":
			b.title = jsonl.Text(v)
		case "is_error":
			b.isError = v.Bool()
		case "input":
			b.input = v
		case "content":
			b.content = v
		case "source":
			b.source = v
		default:
			b.others = true
		}
		return true
	})
	return b
}
