package openai

import (
	"cmp"
	"encoding/json"

	"coppice/backend/core"
)

// responseRequest is the body of a call.
type responseRequest struct {
	Model           string             `json:"model"`
	Input           []any              `json:"input"`
	Instructions    string             `json:"instructions,omitempty"`
	Tools           []responseTool     `json:"tools,omitempty"`
	ToolChoice      string             `json:"tool_choice,omitempty"`
	MaxOutputTokens int64              `json:"max_output_tokens,omitempty"`
	Temperature     *float64           `json:"temperature,omitempty"`
	PromptCacheKey  string             `json:"prompt_cache_key,omitempty"`
	Include         []string           `json:"include,omitempty"`
	Reasoning       *responseReasoning `json:"reasoning,omitempty"`
	Text            *responseText      `json:"text,omitempty"`
	Store           bool               `json:"store"`
	Stream          bool               `json:"stream"`
}

type responseReasoning struct {
	Effort  string `json:"effort,omitempty"`
	Summary string `json:"summary,omitempty"`
}

type responseText struct {
	Format struct {
		Type string `json:"type"`
		answerFormat
	} `json:"format"`
}

type responseTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"` // unchanged, because models read the properties in order
	Strict      bool            `json:"strict"`
}

// The items of an input, except those that are sent back unchanged.
type (
	inputMessage struct {
		Role    string `json:"role"`
		Content any    `json:"content"` // a text, or a list of the inputs below
	}
	inputCall struct {
		Type      string `json:"type"`
		CallID    string `json:"call_id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	inputResult struct {
		Type   string `json:"type"`
		CallID string `json:"call_id"`
		Output any    `json:"output"` // a text, or a list of the inputs below
	}
)

type (
	inputText struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	inputImage struct {
		Type   string `json:"type"`
		Detail string `json:"detail"`
		URL    string `json:"image_url"`
	}
	inputFile struct {
		Type string `json:"type"`
		Data string `json:"file_data"`
		Name string `json:"filename"`
	}
)

// request returns the body of a call.
func (c *Responses) request(r core.Request) (any, error) {
	items, err := c.items(r)
	if err != nil {
		return nil, err
	}
	p := responseRequest{
		Model: r.Model, Input: items, Instructions: r.System, Temperature: r.Temperature, MaxOutputTokens: r.MaxOutputTokens, Stream: true,
	}
	for _, t := range r.Tools {
		p.Tools = append(p.Tools, responseTool{Type: "function", Name: t.Name, Description: t.Description, Parameters: parameters(t)})
	}
	if len(r.Tools) > 0 && r.ToolChoice != core.ToolChoiceAuto {
		p.ToolChoice = string(r.ToolChoice)
	}
	if c.quirks.cacheKey {
		p.PromptCacheKey = r.CacheKey
	}
	if c.sendsSchema(&r) {
		p.Text = &responseText{}
		p.Text.Format.Type, p.Text.Format.answerFormat = "json_schema", newAnswerFormat(r.OutputSchema)
	}
	c.reason(&p, r)
	return c.body(p, nil)
}

// reason requests reasoning, a summary of it to show, and its encrypted form to send back. Models that do not reason
// reject all three.
func (c *Responses) reason(p *responseRequest, r core.Request) {
	vendor := c.quirks.effort == effortVendor
	if vendor && !reasons(r.Model) {
		return
	}
	var reasoning responseReasoning
	if c.quirks.encrypted {
		p.Include = []string{"reasoning.encrypted_content"}
		if !c.terse.Load() {
			reasoning.Summary = "auto"
		}
	}
	switch {
	case r.Effort == "":
	case vendor:
		reasoning.Effort = vendorEffort(r.Model, r.Effort)
	default:
		reasoning.Effort = string(r.Effort)
	}
	if reasoning != (responseReasoning{}) {
		p.Reasoning = &reasoning
	}
}

// items returns the conversation in the protocol's form: a list of messages, reasoning, calls and their outputs.
func (c *Responses) items(r core.Request) ([]any, error) {
	items := []any{}
	for i := range r.Messages {
		m := &r.Messages[i]
		switch m.Role {
		case core.RoleUser:
			if all := c.quirks.contents(m.Parts); len(all) > 0 {
				items = append(items, inputMessage{Role: "user", Content: inputs(all)})
			}
		case core.RoleSystem:
			items = append(items, inputMessage{Role: "developer", Content: m.Text()})
		case core.RoleTool:
			items = append(items, c.outputs(m)...)
		case core.RoleAssistant:
			said, err := c.assistant(m, r.Model)
			if err != nil {
				return nil, err
			}
			items = append(items, said...)
		}
	}
	return items, nil
}

// inputs returns the content of a message or of a tool's result.
func inputs(all []content) []any {
	list := make([]any, 0, len(all))
	for _, c := range all {
		switch {
		case c.image != nil:
			list = append(list, inputImage{Type: "input_image", Detail: "auto", URL: dataURL(c.image)})
		case c.file != nil:
			list = append(list, inputFile{Type: "input_file", Data: dataURL(c.file), Name: c.file.Name})
		default:
			list = append(list, inputText{Type: "input_text", Text: c.text})
		}
	}
	return list
}

// outputs returns the results of a tool message. In this protocol they can hold images.
func (c *Responses) outputs(m *core.Message) []any {
	var items []any
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolResult {
			continue
		}
		result := inputResult{Type: "function_call_output", CallID: c.quirks.callID(p.ID)}
		all := c.quirks.contents(p.Result)
		if text, alone := texts(all); alone {
			result.Output = cmp.Or(text, silence)
		} else {
			result.Output = inputs(all)
		}
		items = append(items, result)
	}
	return items
}

// assistant returns a model's message: its own items unchanged if they may be sent back, else their neutral content.
func (c *Responses) assistant(m *core.Message, model string) ([]any, error) {
	if c.native(m, model) {
		if items := nativeItems(m); items != nil {
			return items, nil
		}
	}
	var items []any
	if text := textOf(m); text != "" {
		items = append(items, inputMessage{Role: "assistant", Content: text})
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolCall || p.Server {
			continue
		}
		text, err := arguments(p)
		if err != nil {
			return nil, err
		}
		items = append(items, inputCall{Type: "function_call", CallID: c.quirks.callID(p.ID), Name: p.Name, Arguments: text})
	}
	return items, nil
}

// nativeItems returns the items of a message unchanged. It returns nil if one of them cannot be sent back, because the
// others refer to it by id.
func nativeItems(m *core.Message) []any {
	var items []any
	last := 0 // after the last item that is not reasoning: the server rejects reasoning without the item that followed it
	for i := range m.Parts {
		p := &m.Parts[i]
		if len(p.Native) == 0 || p.Type == core.PartReasoning && !returns(p.Native) || p.Type == core.PartToolCall && len(p.Arguments) == 0 {
			return nil
		}
		items = append(items, p.Native)
		if p.Type != core.PartReasoning {
			last = len(items)
		}
	}
	return items[:last]
}

// returns reports whether a reasoning item holds something that a server without storage can read.
func returns(native json.RawMessage) bool {
	var item struct {
		Encrypted string            `json:"encrypted_content"`
		Content   []json.RawMessage `json:"content"`
	}
	return json.Unmarshal(native, &item) == nil && (item.Encrypted != "" || len(item.Content) > 0)
}
