package geminicli

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// class is the meaning of a message.
type class uint8

const (
	unknown    class = iota
	prompt           // the user's words
	inserted         // added by the tool in the user's name
	reply            // a model's
	answers          // results of tools, if the API's own form is stored
	notice           // what the tool shows on the screen
	compaction       // the summary that replaces what came before it
	synthetic        // written by the tool in the model's name
)

// classOf returns the class of a message.
func classOf(v gjson.Result) class {
	switch kindOf(v) {
	case "user":
		return userClass(content(v))
	case "gemini":
		if !v.Get("tokens").Exists() && isThanks(words(content(v))) {
			return synthetic
		}
		return reply
	case "info", "error", "warning":
		return notice
	default:
		return unknown
	}
}

// kindOf returns the type of a message, which the API calls its role.
func kindOf(v gjson.Result) string {
	kind := jsonl.Text(v.Get("type"))
	if kind == "" {
		kind = jsonl.Text(v.Get("role"))
	}
	if kind == "model" || kind == "assistant" {
		return "gemini"
	}
	return kind
}

// isThanks reports whether a text is the answer that Gemini CLI writes after a context or a summary.
func isThanks(text string) bool {
	switch strings.TrimSpace(text) {
	case "Got it. Thanks for the context!", "Got it. Thanks for the additional context!":
		return true
	default:
		return false
	}
}

// userClass distinguishes the user's words from what replaces them.
func userClass(c gjson.Result) class {
	said := words(c)
	switch {
	case isSnapshot(said):
		return compaction
	case isInserted(said):
		return inserted
	case said == "" && isAnswer(c):
		return answers
	default:
		return prompt
	}
}

// isAnswer reports whether a content begins with the response of a function.
func isAnswer(c gjson.Result) bool {
	return c.Get("functionResponse").IsObject() || c.Get("0.functionResponse").IsObject()
}

// isSnapshot reports whether a text is a summary by /compress, which may begin with the model's notes for it.
func isSnapshot(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "<state_snapshot>") ||
		strings.HasPrefix(text, "<scratchpad>") && strings.Contains(text, "<state_snapshot>")
}

// isInserted reports whether Gemini CLI writes a text in the user's name.
func isInserted(text string) bool {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"<session_context>", "<hook_context>", "This is the Gemini CLI."} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// content returns the content of a message: a string, a part, or a list of both.
func content(v gjson.Result) gjson.Result {
	if c := v.Get("content"); c.Exists() {
		return c
	}
	return v.Get("parts")
}

// words returns the text of a content, without thoughts.
func words(c gjson.Result) string {
	switch {
	case c.Type == gjson.String:
		return jsonl.Text(c)
	case c.IsObject() && c.Get("thought").Bool():
		return ""
	case c.IsObject():
		return jsonl.Text(c.Get("text"))
	}
	var all []string
	jsonl.Each(c, func(_ string, v gjson.Result) bool {
		if w := words(v); w != "" && !v.IsArray() {
			all = append(all, w)
		}
		return true
	})
	return strings.Join(all, "")
}

// hasResults reports whether a message holds the result of a tool.
func hasResults(v gjson.Result) bool {
	found := false
	jsonl.Each(v.Get("toolCalls"), func(_ string, c gjson.Result) bool {
		found = found || isAnswered(c)
		return !found
	})
	return found
}

// isAnswered reports whether a tool call has a result; a cancelled one may only have it on the screen.
func isAnswered(call gjson.Result) bool {
	if !jsonl.Empty(call.Get("result")) {
		return true
	}
	switch jsonl.Text(call.Get("status")) {
	case "error", "cancelled":
		return !jsonl.Empty(call.Get("resultDisplay"))
	default:
		return false
	}
}
