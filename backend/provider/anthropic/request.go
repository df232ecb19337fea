package anthropic

import (
	"encoding/json"

	"coppice/backend/jsontext"
)

// request is the body of a call.
type request struct {
	Model        string        `json:"model"`
	MaxTokens    int64         `json:"max_tokens"`
	Messages     []message     `json:"messages"`
	System       []content     `json:"system,omitempty"`
	Tools        []tool        `json:"tools,omitempty"`
	ToolChoice   *toolChoice   `json:"tool_choice,omitempty"`
	Thinking     *reasoning    `json:"thinking,omitempty"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`
	Temperature  *float64      `json:"temperature,omitempty"`
	Stream       bool          `json:"stream"`
}

type message struct {
	Role    string    `json:"role"`
	Content []content `json:"content"`
}

// The roles.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// content is a content block that is sent. Its type decides which fields it has.
type content struct {
	CacheControl *cacheControl   `json:"cache_control,omitempty"`
	Content      []content       `json:"content,omitempty"`
	ID           string          `json:"id,omitempty"`
	Input        json.RawMessage `json:"input,omitempty"`
	IsError      bool            `json:"is_error,omitempty"`
	Name         string          `json:"name,omitempty"`
	Source       *source         `json:"source,omitempty"`
	Text         string          `json:"text,omitempty"`
	ToolUseID    string          `json:"tool_use_id,omitempty"`
	Type         string          `json:"type"`

	native json.RawMessage // the whole block as the server sent it, instead of the fields
}

// MarshalJSON returns the block as the server sent it, or its fields.
func (c content) MarshalJSON() ([]byte, error) {
	if c.native != nil {
		return c.native, nil
	}
	type fields content
	return jsontext.Encode(fields(c))
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"` // base64
}

type cacheControl struct {
	Type string `json:"type"`
}

type tool struct {
	Name         string        `json:"name"`
	Description  string        `json:"description,omitempty"`
	InputSchema  any           `json:"input_schema"`
	CacheControl *cacheControl `json:"cache_control,omitempty"`
}

type toolChoice struct {
	Type string `json:"type"`
}

// reasoning holds how much a model reasons.
type reasoning struct {
	Type         string `json:"type"`
	BudgetTokens int64  `json:"budget_tokens,omitempty"`
	Display      string `json:"display,omitempty"`
}

type outputConfig struct {
	Effort string `json:"effort,omitempty"`
}
