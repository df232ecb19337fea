package openai

import (
	"encoding/json"
	"maps"

	"coppice/backend/core"
)

// chatRequest is the body of a call, without the fields that only some servers support.
type chatRequest struct {
	Model               string         `json:"model"`
	Messages            []any          `json:"messages"`
	Tools               []chatTool     `json:"tools,omitempty"`
	ToolChoice          string         `json:"tool_choice,omitempty"`
	MaxTokens           int64          `json:"max_tokens,omitempty"`
	MaxCompletionTokens int64          `json:"max_completion_tokens,omitempty"`
	Temperature         *float64       `json:"temperature,omitempty"`
	PromptCacheKey      string         `json:"prompt_cache_key,omitempty"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"` // unchanged, because models read the properties in order
}

// chatMessage is any message except the assistant's.
type chatMessage struct {
	Role       string `json:"role"`
	Content    any    `json:"content"` // a text, or a list of chatPart
	ToolCallID string `json:"tool_call_id,omitempty"`
}

type chatPart struct {
	Type     string     `json:"type"`
	Text     string     `json:"text,omitempty"`
	ImageURL *chatImage `json:"image_url,omitempty"`
	File     *chatFile  `json:"file,omitempty"`
}

type chatImage struct {
	URL string `json:"url"`
}

type chatFile struct {
	Data string `json:"file_data"`
	Name string `json:"filename"`
}

type chatCall struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function chatCallFunction `json:"function"`
}

type chatCallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// request returns the body of a call.
func (c *Chat) request(r core.Request) (any, error) {
	messages, err := c.messages(r)
	if err != nil {
		return nil, err
	}
	p := chatRequest{Model: r.Model, Messages: messages, Temperature: r.Temperature, Stream: true}
	for _, t := range r.Tools {
		p.Tools = append(p.Tools, chatTool{"function", chatFunction{t.Name, t.Description, parameters(t)}})
	}
	if len(r.Tools) > 0 && r.ToolChoice != core.ToolChoiceAuto {
		p.ToolChoice = string(r.ToolChoice)
	}
	if c.quirks.completion {
		p.MaxCompletionTokens = r.MaxOutputTokens
	} else {
		p.MaxTokens = r.MaxOutputTokens
	}
	if c.quirks.cacheKey {
		p.PromptCacheKey = r.CacheKey
	}
	if !c.quirks.bare {
		p.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	more := map[string]any{}
	if c.quirks.cost {
		more["usage"] = map[string]any{"include": true}
	}
	maps.Copy(more, c.quirks.effortFields(r.Model, r.Effort))
	if c.sendsSchema(&r) {
		more["response_format"] = map[string]any{"type": "json_schema", "json_schema": newAnswerFormat(r.OutputSchema)}
	}
	return c.body(p, more)
}

// chatMessages collects the messages of a request. Consecutive messages of the user become one, because the templates
// of many models require alternating roles.
type chatMessages struct {
	list []any
	user []content
}

func (c *Chat) messages(r core.Request) ([]any, error) {
	m := chatMessages{list: []any{}}
	if r.System != "" {
		m.list = append(m.list, c.instruction(r.System))
	}
	turn := turnStart(r.Messages)
	for i := range r.Messages {
		message := &r.Messages[i]
		switch message.Role {
		case core.RoleUser:
			m.user = append(m.user, c.quirks.contents(message.Parts)...)
		case core.RoleSystem:
			m.flush()
			m.list = append(m.list, c.instruction(message.Text()))
		case core.RoleTool:
			m.flush()
			c.addResults(&m, message)
		case core.RoleAssistant:
			said, err := c.assistant(message, r.Model, i > turn)
			if err != nil {
				return nil, err
			}
			if said != nil {
				m.flush()
				m.list = append(m.list, said)
			}
		}
	}
	m.flush()
	return m.list, nil
}

// turnStart returns the index of the last message of the user.
func turnStart(messages []core.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == core.RoleUser {
			return i
		}
	}
	return -1
}

func (c *Chat) instruction(text string) chatMessage {
	if c.quirks.developer {
		return chatMessage{Role: "developer", Content: text}
	}
	return chatMessage{Role: "system", Content: text}
}

// flush ends the current message of the user.
func (m *chatMessages) flush() {
	if len(m.user) == 0 {
		return
	}
	all := m.user
	m.user = nil
	if text, alone := texts(all); alone {
		m.list = append(m.list, chatMessage{Role: "user", Content: text}) // some servers accept no other form
		return
	}
	parts := make([]chatPart, 0, len(all))
	for _, c := range all {
		switch {
		case c.image != nil:
			parts = append(parts, chatPart{Type: "image_url", ImageURL: &chatImage{dataURL(c.image)}})
		case c.file != nil:
			parts = append(parts, chatPart{Type: "file", File: &chatFile{dataURL(c.file), c.file.Name}})
		default:
			parts = append(parts, chatPart{Type: "text", Text: c.text})
		}
	}
	m.list = append(m.list, chatMessage{Role: "user", Content: parts})
}

// addResults adds a message for each tool result. In this protocol a tool cannot send images: they follow all the
// results in a message of the user.
func (c *Chat) addResults(m *chatMessages, message *core.Message) {
	for i := range message.Parts {
		p := &message.Parts[i]
		if p.Type != core.PartToolResult {
			continue
		}
		all := c.quirks.contents(p.Result)
		text, alone := texts(all)
		if !alone {
			m.user = append(m.user, content{text: "[shown by the tool " + p.Name + "]"})
			for _, shown := range all {
				if shown.image != nil || shown.file != nil {
					m.user = append(m.user, shown)
				}
			}
			if text == "" {
				text = "(shown in the next message)"
			}
		}
		if text == "" {
			text = silence
		}
		m.list = append(m.list, chatMessage{Role: "tool", Content: text, ToolCallID: c.quirks.callID(p.ID)})
	}
}

// assistant returns a model's message; nil if nothing of it can be sent.
func (c *Chat) assistant(m *core.Message, model string, current bool) (map[string]any, error) {
	native := c.native(m, model)
	message := map[string]any{}
	if native {
		nativeFields(m, message, current || !c.quirks.turnsReasoning)
	}
	calls, err := c.toolCalls(m, native)
	if err != nil {
		return nil, err
	}
	text := textOf(m)
	switch {
	case text != "":
		message["content"] = text
	case len(calls) > 0:
		message["content"] = nil // explicit, because some servers require the field
	default:
		return nil, nil // empty, but not an error
	}
	if _, told := message["reasoning_content"]; c.quirks.turnsReasoning && current && len(calls) > 0 && !told {
		message["reasoning_content"] = "" // calls of another model have no reasoning
	}
	message["role"] = "assistant"
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return message, nil
}

func (c *Chat) toolCalls(m *core.Message, native bool) ([]any, error) {
	var calls []any
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolCall || p.Server {
			continue
		}
		call, err := c.toolCall(p, native)
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// nativeFields restores the fields of a message that are not part of the protocol.
func nativeFields(m *core.Message, fields map[string]any, reasoning bool) {
	for _, p := range m.Parts {
		if p.Type != core.PartText && (p.Type != core.PartReasoning || !reasoning) {
			continue
		}
		var native map[string]json.RawMessage
		if len(p.Native) == 0 || json.Unmarshal(p.Native, &native) != nil {
			continue
		}
		for _, name := range []string{fieldReasoningContent, fieldReasoning, fieldDetails, fieldExtra} {
			if value, ok := native[name]; ok {
				fields[name] = value
			}
		}
	}
}

// toolCall returns a call, as the model wrote it if that is known and may be sent.
func (c *Chat) toolCall(p *core.Part, native bool) (any, error) {
	if native && len(p.Native) > 0 && len(p.Arguments) > 0 {
		return p.Native, nil
	}
	text, err := arguments(p)
	if err != nil {
		return nil, err
	}
	return chatCall{ID: c.quirks.callID(p.ID), Type: "function", Function: chatCallFunction{p.Name, text}}, nil
}
