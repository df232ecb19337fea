package fake

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// call holds the fields of a request that the check needs.
type call struct {
	Model     string          `json:"model"`
	MaxTokens int64           `json:"max_tokens"`
	Stream    bool            `json:"stream"`
	Messages  []message       `json:"messages"`
	System    json.RawMessage `json:"system"`
	Thinking  struct {
		Type   string `json:"type"`
		Budget int64  `json:"budget_tokens"`
	} `json:"thinking"`
	Temperature *float64 `json:"temperature"`
	ToolChoice  struct {
		Type string `json:"type"`
	} `json:"tool_choice"`
	Tools []struct {
		Name   string `json:"name"`
		Schema struct {
			Type string `json:"type"`
		} `json:"input_schema"`
	} `json:"tools"`
}

type message struct {
	Role    string    `json:"role"`
	Content []content `json:"content"`
}

type content struct {
	Type      string          `json:"type"`
	Text      *string         `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   []content       `json:"content"`
	Signature string          `json:"signature"`
	Cache     *struct{}       `json:"cache_control"`
}

var (
	toolID   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)
)

// check returns the server's error text for an invalid request; empty if it is valid. The caller holds the lock.
func (s *Server) check(body []byte) (call, string) {
	var c call
	if err := json.Unmarshal(body, &c); err != nil {
		return c, "invalid JSON: " + err.Error()
	}
	switch {
	case c.Model == "":
		return c, "model: Field required"
	case c.MaxTokens < 1:
		return c, "max_tokens: Field required"
	case !c.Stream:
		return c, "stream: this server streams only"
	case len(c.Messages) == 0:
		return c, "messages: at least one message is required"
	case c.Messages[0].Role != "user":
		return c, `messages: first message must use the "user" role`
	case c.Thinking.Type == "enabled" && (c.Thinking.Budget < 1024 || c.Thinking.Budget >= c.MaxTokens):
		return c, "thinking.budget_tokens: must be at least 1024 and less than max_tokens"
	case c.reasons() && c.Temperature != nil && *c.Temperature != 1:
		return c, "`temperature` may only be set to 1 when thinking is enabled"
	case c.reasons() && (c.ToolChoice.Type == "any" || c.ToolChoice.Type == "tool"):
		return c, "Thinking may not be enabled when tool_choice forces tool use."
	}
	for i, t := range c.Tools {
		if !toolName.MatchString(t.Name) || t.Schema.Type != "object" {
			return c, fmt.Sprintf("tools.%d: name or input_schema.type is wrong", i)
		}
	}
	return c, s.checkMessages(c)
}

func (c call) reasons() bool { return c.Thinking.Type == "enabled" || c.Thinking.Type == "adaptive" }

func (s *Server) checkMessages(c call) string {
	marks := strings.Count(string(c.System), `"cache_control"`)
	ids := map[string]bool{}
	for i, m := range c.Messages {
		if len(m.Content) == 0 {
			return fmt.Sprintf("messages.%d: all messages must have non-empty content", i)
		}
		if i > 0 && c.Messages[i-1].Role == m.Role {
			return fmt.Sprintf("messages.%d: roles must alternate", i)
		}
		for j, b := range m.Content {
			if flaw := s.checkBlock(c.Model, m.Role, b, ids); flaw != "" {
				return fmt.Sprintf("messages.%d.content.%d: %s", i, j, flaw)
			}
			if b.Cache != nil {
				marks++
			}
		}
		if flaw := answers(c.Messages, i); flaw != "" {
			return fmt.Sprintf("messages.%d: %s", i, flaw)
		}
	}
	if marks > 4 {
		return "A maximum of 4 blocks with cache_control may be provided."
	}
	return c.checkReasoning()
}

func (s *Server) checkBlock(model, role string, b content, ids map[string]bool) string {
	switch {
	case b.Type == "text" && (b.Text == nil || strings.TrimSpace(*b.Text) == ""):
		return "text content blocks must contain non-whitespace text"
	case b.Type == "tool_use" && (role != "assistant" || !toolID.MatchString(b.ID) || !toolName.MatchString(b.Name)):
		return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
	case b.Type == "tool_use" && ids[b.ID]:
		return "`tool_use` ids must be unique"
	case b.Type == "tool_use" && !strings.HasPrefix(string(b.Input), "{"):
		return "tool_use.input: Input should be a valid dictionary"
	case b.Type == "tool_result" && role != "user":
		return "`tool_result` blocks can only be in `user` messages"
	case b.Type == "tool_result" && b.IsError && len(b.Content) == 0:
		return "tool_result: content cannot be empty if `is_error` is true"
	case b.Type == "thinking" && s.signed[b.Signature] != model:
		return "Invalid `signature` in `thinking` block"
	}
	ids[b.ID] = b.Type == "tool_use" || ids[b.ID]
	return ""
}

// answers checks that message i+1 answers the calls of message i, and no others.
func answers(messages []message, i int) string {
	called := map[string]bool{}
	if i > 0 {
		for _, b := range messages[i-1].Content {
			if b.Type == "tool_use" {
				called[b.ID] = true
			}
		}
	}
	for _, b := range messages[i].Content {
		if b.Type != "tool_result" {
			continue
		}
		if !called[b.ToolUseID] {
			return "unexpected `tool_use_id` found in `tool_result` blocks: " + b.ToolUseID
		}
		delete(called, b.ToolUseID)
	}
	if len(called) > 0 {
		return "`tool_use` ids were found without `tool_result` blocks immediately after"
	}
	if last := messages[len(messages)-1]; i == len(messages)-1 && last.Role == "assistant" {
		for _, b := range last.Content {
			if b.Type == "tool_use" {
				return "`tool_use` ids were found without `tool_result` blocks immediately after"
			}
		}
	}
	return ""
}

// checkReasoning checks that the turn before the last tool results begins with reasoning if the request has a budget.
func (c call) checkReasoning() string {
	if c.Thinking.Type != "enabled" || len(c.Messages) < 2 {
		return ""
	}
	m := c.Messages[len(c.Messages)-2]
	called := false
	for _, b := range m.Content {
		called = called || b.Type == "tool_use"
	}
	if first := m.Content[0].Type; called && first != "thinking" && first != "redacted_thinking" {
		return "Expected `thinking` or `redacted_thinking`, but found `" + first + "`. When `thinking` is enabled, a final `assistant` message must start with a thinking block."
	}
	return ""
}
