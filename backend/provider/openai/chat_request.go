package openai

import (
	"encoding/json"
	"maps"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"coppice/backend/core"
)

// request returns the body of a call.
func (c *Chat) request(r core.Request) (any, error) {
	messages, err := c.messages(r)
	if err != nil {
		return nil, err
	}
	p := sdk.ChatCompletionNewParams{Model: r.Model, Messages: messages}
	for _, t := range r.Tools {
		p.Tools = append(p.Tools, chatTool(t))
	}
	if len(r.Tools) > 0 && r.ToolChoice != "" && r.ToolChoice != core.ToolChoiceAuto {
		p.ToolChoice.OfAuto = param.NewOpt(string(r.ToolChoice))
	}
	if r.MaxOutputTokens > 0 {
		if c.quirks.completion {
			p.MaxCompletionTokens = param.NewOpt(r.MaxOutputTokens)
		} else {
			p.MaxTokens = param.NewOpt(r.MaxOutputTokens)
		}
	}
	if r.Temperature != nil {
		p.Temperature = param.NewOpt(*r.Temperature)
	}
	if c.quirks.cacheKey && r.CacheKey != "" {
		p.PromptCacheKey = param.NewOpt(r.CacheKey)
	}
	if !c.quirks.bare {
		p.StreamOptions.IncludeUsage = param.NewOpt(true)
	}
	fields := map[string]any{"stream": true}
	if c.quirks.cost {
		fields["usage"] = map[string]any{"include": true}
	}
	maps.Copy(fields, c.quirks.effortFields(r.Model, r.Effort))
	p.SetExtraFields(c.extra(fields))
	return p, nil
}

// extra adds what the endpoint is set up with to the fields of a body.
func (c *client) extra(fields map[string]any) map[string]any {
	for name, value := range c.endpoint.Extra {
		fields[name] = value
		if value == nil {
			fields[name] = param.Omit
		}
	}
	return fields
}

func chatTool(t core.ToolSpec) sdk.ChatCompletionToolUnionParam {
	f := shared.FunctionDefinitionParam{Name: t.Name}
	if t.Description != "" {
		f.Description = param.NewOpt(t.Description)
	}
	f.SetExtraFields(map[string]any{"parameters": parameters(t)}) // as it stands: models read the properties in their order
	return sdk.ChatCompletionFunctionTool(f)
}

// chatMessages collects the messages of a request. What people say, one after the other, becomes one message: the templates
// of many models want the roles to take turns.
type chatMessages struct {
	list []sdk.ChatCompletionMessageParamUnion
	user []content
}

func (c *Chat) messages(r core.Request) ([]sdk.ChatCompletionMessageParamUnion, error) {
	var m chatMessages
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
				m.list = append(m.list, sdk.ChatCompletionMessageParamUnion{OfAssistant: said})
			}
		}
	}
	m.flush()
	return m.list, nil
}

// turnStart returns the index of the last thing a person said.
func turnStart(messages []core.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == core.RoleUser {
			return i
		}
	}
	return -1
}

func (c *Chat) instruction(text string) sdk.ChatCompletionMessageParamUnion {
	if c.quirks.developer {
		return sdk.DeveloperMessage(text)
	}
	return sdk.SystemMessage(text)
}

// flush closes what people say.
func (m *chatMessages) flush() {
	if len(m.user) == 0 {
		return
	}
	all := m.user
	m.user = nil
	if text, alone := texts(all); alone {
		m.list = append(m.list, sdk.UserMessage(text)) // some servers know no other form
		return
	}
	parts := make([]sdk.ChatCompletionContentPartUnionParam, 0, len(all))
	for _, c := range all {
		switch {
		case c.image != nil:
			parts = append(parts, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{URL: dataURL(c.image)}))
		case c.file != nil:
			parts = append(parts, sdk.FileContentPart(sdk.ChatCompletionContentPartFileFileParam{
				FileData: param.NewOpt(dataURL(c.file)), Filename: param.NewOpt(c.file.Name),
			}))
		default:
			parts = append(parts, sdk.TextContentPart(c.text))
		}
	}
	m.list = append(m.list, sdk.UserMessage(parts))
}

// addResults adds a message for each tool result. A tool cannot say images in this protocol: they come after all the
// results, as if a person showed them.
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
		m.list = append(m.list, sdk.ToolMessage(text, c.quirks.callID(p.ID)))
	}
}

// assistant returns what a model said; nil where nothing is left of it that can be sent.
func (c *Chat) assistant(m *core.Message, model string, current bool) (*sdk.ChatCompletionAssistantMessageParam, error) {
	native := c.native(m, model)
	fields := map[string]any{}
	if native {
		nativeFields(m, fields, current || !c.quirks.turnsReasoning)
	}
	var message sdk.ChatCompletionAssistantMessageParam
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolCall || p.Server {
			continue
		}
		call, err := c.toolCall(p, native)
		if err != nil {
			return nil, err
		}
		message.ToolCalls = append(message.ToolCalls, call)
	}
	text := said(m)
	switch {
	case text != "":
		message.Content.OfString = param.NewOpt(text)
	case len(message.ToolCalls) > 0:
		fields["content"] = nil // said outright: some servers miss it
	default:
		return nil, nil //nolint:nilnil // nothing to say, and nothing wrong with it
	}
	if _, told := fields["reasoning_content"]; c.quirks.turnsReasoning && current && len(message.ToolCalls) > 0 && !told {
		fields["reasoning_content"] = "" // the calls of another model came without
	}
	message.SetExtraFields(fields)
	return &message, nil
}

// nativeFields puts the fields of a message that are not the protocol's own back where they came from.
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

// toolCall returns a call, as the model wrote it where that is known and may be sent.
func (c *Chat) toolCall(p *core.Part, native bool) (sdk.ChatCompletionMessageToolCallUnionParam, error) {
	if native && len(p.Native) > 0 && len(p.Arguments) > 0 {
		return param.Override[sdk.ChatCompletionMessageToolCallUnionParam](p.Native), nil
	}
	text, err := arguments(p)
	if err != nil {
		return sdk.ChatCompletionMessageToolCallUnionParam{}, err
	}
	return sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
		ID:       c.quirks.callID(p.ID),
		Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: p.Name, Arguments: text},
	}}, nil
}
