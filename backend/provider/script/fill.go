package script

import (
	"encoding/json"
	"strconv"
	"strings"

	"coppice/backend/core"
)

// maxShown is how much of a prompt or a result is repeated in an answer, in characters.
const maxShown = 200

// filler puts what was said into an answer: {{prompt}}, the person's last words on one line; {{result}}, the
// last tool's; {{turn}}, how many prompts there were.
func filler(p place) *strings.Replacer {
	return strings.NewReplacer("{{prompt}}", line(p.prompt), "{{result}}", line(p.result), "{{turn}}", strconv.Itoa(p.prompts))
}

// inJSON fills in what stands inside of JSON strings.
func inJSON(p place) *strings.Replacer {
	return strings.NewReplacer("{{prompt}}", escaped(line(p.prompt)), "{{result}}", escaped(line(p.result)), "{{turn}}", strconv.Itoa(p.prompts))
}

func line(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxShown {
		return string(runes[:maxShown-1]) + "…"
	}
	return string(runes)
}

func escaped(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return ""
	}
	return string(quoted[1 : len(quoted)-1])
}

// call makes the part of a call. No arguments are an empty object; what is no object stays text.
func call(id, name, arguments string) core.Part {
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	part := core.Part{Type: core.PartToolCall, ID: id, Name: name}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) == nil && object != nil {
		part.Arguments = json.RawMessage(arguments)
	} else {
		part.Text = arguments
	}
	return part
}
