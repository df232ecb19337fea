package sqlite

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

// textLimit is how much of one text is searched, in bytes: of a longer one its first and its last half million. An index of
// words is a third of its text; the longest outputs are logs, told by their beginning and their end.
const textLimit = 1 << 20

// passage is one of the texts in a message that a search looks through.
type passage struct {
	where core.PartType
	tool  string // whose call or result it is
	text  string
}

// wholes returns the rest of texts that were cut, by the hash of their content.
type wholes func(hash string) (string, error)

// eachPassage goes through the texts of a body until f has had enough. A content that is not there leaves its text cut.
func eachPassage(body []byte, whole wholes, f func(passage) bool) error {
	var err error
	gjson.GetBytes(body, "parts").ForEach(func(_, part gjson.Result) (more bool) {
		more, err = partPassages(part, whole, f)
		return more && err == nil
	})
	return err
}

// storedPart is what is searched of a part as it is stored.
type storedPart struct {
	kind      core.PartType
	name      string
	text      gjson.Result
	arguments gjson.Result
	result    gjson.Result
	truncated gjson.Result
}

func readPart(part gjson.Result) storedPart {
	var p storedPart
	part.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "type":
			p.kind = core.PartType(value.Str)
		case "name":
			p.name = value.Str
		case "text":
			p.text = value
		case "arguments":
			p.arguments = value
		case "result":
			p.result = value
		case "truncated":
			p.truncated = value
		}
		return true
	})
	return p
}

func partPassages(part gjson.Result, whole wholes, f func(passage) bool) (more bool, err error) {
	p := readPart(part)
	if p.kind == core.PartToolCall {
		said := p.name + "\n" + p.text.Str + readable(json.RawMessage(p.arguments.Raw))
		return f(passage{where: p.kind, tool: p.name, text: bounded(said)}), nil
	}
	more = true
	p.result.ForEach(func(_, part gjson.Result) bool {
		more, err = p.tell(readPart(part), whole, f)
		return more && err == nil
	})
	if !more || err != nil {
		return false, err
	}
	return p.tell(p, whole, f)
}

// tell passes a text of the part on.
func (p *storedPart) tell(of storedPart, whole wholes, f func(passage) bool) (more bool, err error) {
	said := of.text.Str
	if of.truncated.Exists() {
		all, err := whole(of.truncated.Get("blob").Str)
		if err == nil {
			said = all
		} else if core.CodeOf(err) != core.NotFound {
			return false, err
		}
	}
	if said == "" && p.kind != core.PartToolResult {
		return true, nil
	}
	return f(passage{where: p.kind, tool: p.name, text: bounded(said)}), nil
}

// bounded is what is searched of a text.
func bounded(text string) string {
	if len(text) <= textLimit {
		return text
	}
	return text[:runeStart(text, textLimit/2)] + "\n" + text[runeStart(text, len(text)-textLimit/2):]
}

// readable writes JSON the way a person reads it: a line per key and value, strings without their escapes.
func readable(value json.RawMessage) string {
	if len(value) == 0 {
		return ""
	}
	var b strings.Builder
	dec := json.NewDecoder(strings.NewReader(string(value)))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return b.String()
		}
		switch v := token.(type) {
		case string:
			b.WriteString(v)
		case json.Number:
			b.WriteString(v.String())
		case bool:
			b.WriteString(strconv.FormatBool(v))
		default:
			continue
		}
		b.WriteByte('\n')
	}
}
