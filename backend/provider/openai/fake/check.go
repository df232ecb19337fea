package fake

import (
	"encoding/json"
	"fmt"
	"strings"
)

// checkChat returns the reason why the real server would reject the body of a chat completion; empty if it would not.
func checkChat(body []byte) string {
	var r struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role       string          `json:"role"`
			Content    json.RawMessage `json:"content"`
			ToolCallID string          `json:"tool_call_id"`
			ToolCalls  []struct {
				ID       string `json:"id"`
				Type     string `json:"type"`
				Function struct {
					Name      string  `json:"name"`
					Arguments *string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return "We could not parse the JSON body of your request: " + err.Error()
	}
	switch {
	case r.Model == "":
		return "you must provide a model parameter"
	case !r.Stream:
		return "this server only streams"
	case len(r.Messages) == 0:
		return "Invalid 'messages': empty array."
	}
	open := map[string]bool{}
	for i, m := range r.Messages {
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				return "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
			}
			delete(open, m.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
		}
		if empty := len(m.Content) == 0 || string(m.Content) == "null"; empty && len(m.ToolCalls) == 0 {
			return fmt.Sprintf("Invalid value for 'content': expected a string, got null: messages[%d]", i)
		}
		for _, c := range m.ToolCalls {
			switch {
			case len(c.ID) > 40:
				return "Invalid 'tool_calls.id': string too long. Expected a string with maximum length 40"
			case c.ID == "" || c.Type != "function" || c.Function.Name == "" || c.Function.Arguments == nil:
				return fmt.Sprintf("Missing required parameter of messages[%d].tool_calls", i)
			}
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
	}
	return ""
}

// checkResponses returns the reason why the real server would reject the body of a response; empty if it would not.
func checkResponses(body []byte) string {
	var r struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
		Store  *bool  `json:"store"`
		Input  []struct {
			Type      string          `json:"type"`
			ID        string          `json:"id"`
			Role      string          `json:"role"`
			CallID    string          `json:"call_id"`
			Name      string          `json:"name"`
			Arguments *string         `json:"arguments"`
			Output    json.RawMessage `json:"output"`
			Sealed    string          `json:"encrypted_content"`
		} `json:"input"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return "We could not parse the JSON body of your request: " + err.Error()
	}
	switch {
	case r.Model == "":
		return "Missing required parameter: 'model'."
	case !r.Stream:
		return "this server only streams"
	case r.Store == nil || *r.Store:
		return "this server keeps nothing"
	case len(r.Input) == 0:
		return "Missing required parameter: 'input'."
	}
	open, reasoning := map[string]bool{}, ""
	for i, item := range r.Input {
		own := strings.HasSuffix(item.Type, "_call") || item.Role == "assistant"
		if reasoning != "" && !own && item.Type != "reasoning" {
			return "Item '" + reasoning + "' of type 'reasoning' was provided without its required following item."
		}
		switch {
		case item.Type == "reasoning":
			if !strings.HasPrefix(item.Sealed, "gAAAA") {
				return "Item with id '" + item.ID + "' not found. Items are not persisted when `store` is set to false."
			}
			reasoning = item.ID
			continue
		case item.Type == "function_call":
			if item.CallID == "" || item.Name == "" || item.Arguments == nil {
				return fmt.Sprintf("Missing required parameter of 'input[%d]'.", i)
			}
			open[item.CallID] = true
		case item.Type == "function_call_output":
			if !open[item.CallID] || len(item.Output) == 0 {
				return "No tool call found for function call output with call_id " + item.CallID + "."
			}
			delete(open, item.CallID)
		case item.Role == "" && !own:
			return fmt.Sprintf("Invalid value: '%s' of 'input[%d].type'.", item.Type, i)
		}
		reasoning = ""
	}
	if reasoning != "" {
		return "Item '" + reasoning + "' of type 'reasoning' was provided without its required following item."
	}
	for id := range open {
		return "No tool output found for function call " + id + "."
	}
	return ""
}
