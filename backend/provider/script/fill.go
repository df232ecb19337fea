package script

import (
	"encoding/json"
	"strconv"
	"strings"

	"coppice/backend/core"
)

// maxShown is how much of a prompt or a result an answer repeats, in characters.
const maxShown = 200

// filler replaces placeholders in an answer: {{prompt}} by the user's last prompt on one line, {{result}} by the last
// tool's result, {{turn}} by the number of prompts.
func filler(p position) *strings.Replacer {
	return strings.NewReplacer("{{prompt}}", line(p.prompt), "{{result}}", line(p.result), "{{turn}}", strconv.Itoa(p.prompts))
}

// inJSON replaces placeholders inside JSON strings.
func inJSON(p position) *strings.Replacer {
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

// call returns the part of a call. Missing arguments are an empty object; arguments that are not an object stay text.
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
