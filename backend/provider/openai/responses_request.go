package openai

import (
	"encoding/json"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"coppice/backend/core"
)

// request returns the body of a call.
func (c *Responses) request(r core.Request) (any, error) {
	items, err := c.items(r)
	if err != nil {
		return nil, err
	}
	p := responses.ResponseNewParams{
		Model: r.Model,
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: items},
		Store: param.NewOpt(false),
	}
	if r.System != "" {
		p.Instructions = param.NewOpt(r.System)
	}
	for _, t := range r.Tools {
		p.Tools = append(p.Tools, responseTool(t))
	}
	if len(r.Tools) > 0 && r.ToolChoice != "" && r.ToolChoice != core.ToolChoiceAuto {
		p.ToolChoice.OfToolChoiceMode = param.NewOpt(responses.ToolChoiceOptions(r.ToolChoice))
	}
	if r.MaxOutputTokens > 0 {
		p.MaxOutputTokens = param.NewOpt(r.MaxOutputTokens)
	}
	if r.Temperature != nil {
		p.Temperature = param.NewOpt(*r.Temperature)
	}
	if c.quirks.cacheKey && r.CacheKey != "" {
		p.PromptCacheKey = param.NewOpt(r.CacheKey)
	}
	c.reason(&p, r)
	p.SetExtraFields(c.extra(map[string]any{"stream": true}))
	return p, nil
}

// reason asks for reasoning, for a summary of it to show, and for its encrypted form to send back. Models that do not
// reason refuse all three.
func (c *Responses) reason(p *responses.ResponseNewParams, r core.Request) {
	vendor := c.quirks.effort == effortVendor
	if vendor && !reasons(r.Model) {
		return
	}
	if c.quirks.encrypted {
		p.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
		if !c.terse.Load() {
			p.Reasoning.Summary = shared.ReasoningSummaryAuto
		}
	}
	switch {
	case r.Effort == "":
	case vendor:
		p.Reasoning.Effort = shared.ReasoningEffort(vendorEffort(r.Model, r.Effort))
	default:
		p.Reasoning.Effort = shared.ReasoningEffort(r.Effort)
	}
}

func responseTool(t core.ToolSpec) responses.ToolUnionParam {
	f := responses.FunctionToolParam{Name: t.Name, Strict: param.NewOpt(false)}
	if t.Description != "" {
		f.Description = param.NewOpt(t.Description)
	}
	f.SetExtraFields(map[string]any{"parameters": parameters(t)}) // as it stands: models read the properties in their order
	return responses.ToolUnionParam{OfFunction: &f}
}

// items returns the conversation as the protocol has it: a list of messages, reasoning, calls and their outputs.
func (c *Responses) items(r core.Request) ([]responses.ResponseInputItemUnionParam, error) {
	items := []responses.ResponseInputItemUnionParam{}
	for i := range r.Messages {
		m := &r.Messages[i]
		switch m.Role {
		case core.RoleUser:
			if all := c.quirks.contents(m.Parts); len(all) > 0 {
				items = append(items, responses.ResponseInputItemParamOfMessage(inputContents(all), responses.EasyInputMessageRoleUser))
			}
		case core.RoleSystem:
			items = append(items, responses.ResponseInputItemParamOfMessage(m.Text(), responses.EasyInputMessageRoleDeveloper))
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

func inputContents(all []content) responses.ResponseInputMessageContentListParam {
	list := make(responses.ResponseInputMessageContentListParam, 0, len(all))
	for _, c := range all {
		switch {
		case c.image != nil:
			list = append(list, responses.ResponseInputContentUnionParam{OfInputImage: &responses.ResponseInputImageParam{
				Detail: responses.ResponseInputImageDetailAuto, ImageURL: param.NewOpt(dataURL(c.image)),
			}})
		case c.file != nil:
			list = append(list, responses.ResponseInputContentUnionParam{OfInputFile: &responses.ResponseInputFileParam{
				FileData: param.NewOpt(dataURL(c.file)), Filename: param.NewOpt(c.file.Name),
			}})
		default:
			list = append(list, responses.ResponseInputContentParamOfInputText(c.text))
		}
	}
	return list
}

// outputs returns the results of a tool message. This protocol takes images in them.
func (c *Responses) outputs(m *core.Message) []responses.ResponseInputItemUnionParam {
	var items []responses.ResponseInputItemUnionParam
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolResult {
			continue
		}
		output := responses.ResponseInputItemFunctionCallOutputParam{CallID: param.NewOpt(c.quirks.callID(p.ID))}
		all := c.quirks.contents(p.Result)
		if text, alone := texts(all); alone {
			if text == "" {
				text = silence
			}
			output.Output.OfString = param.NewOpt(text)
		} else {
			output.Output.OfResponseFunctionCallOutputItemArray = outputContents(all)
		}
		items = append(items, responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &output})
	}
	return items
}

func outputContents(all []content) responses.ResponseFunctionCallOutputItemListParam {
	list := make(responses.ResponseFunctionCallOutputItemListParam, 0, len(all))
	for _, c := range all {
		var item responses.ResponseFunctionCallOutputItemUnionParam
		switch {
		case c.image != nil:
			item.OfInputImage = &responses.ResponseInputImageContentParam{ImageURL: param.NewOpt(dataURL(c.image)), Detail: responses.ResponseInputImageContentDetailAuto}
		case c.file != nil:
			item.OfInputFile = &responses.ResponseInputFileContentParam{FileData: param.NewOpt(dataURL(c.file)), Filename: param.NewOpt(c.file.Name)}
		default:
			item.OfInputText = &responses.ResponseInputTextContentParam{Text: c.text}
		}
		list = append(list, item)
	}
	return list
}

// assistant returns what a model said: its own items as they came, where they may go back, else what is neutral in them.
func (c *Responses) assistant(m *core.Message, model string) ([]responses.ResponseInputItemUnionParam, error) {
	if c.native(m, model) {
		if items := nativeItems(m); items != nil {
			return items, nil
		}
	}
	var items []responses.ResponseInputItemUnionParam
	if text := said(m); text != "" {
		items = append(items, responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleAssistant))
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
		items = append(items, responses.ResponseInputItemParamOfFunctionCall(text, c.quirks.callID(p.ID), p.Name))
	}
	return items, nil
}

// nativeItems returns the items of a message as they came; nil where one of them cannot go back, because then the
// others, which refer to each other by id, cannot either.
func nativeItems(m *core.Message) []responses.ResponseInputItemUnionParam {
	var items []responses.ResponseInputItemUnionParam
	last := 0 // behind the last item that is no reasoning: reasoning without what followed it is refused
	for i := range m.Parts {
		p := &m.Parts[i]
		if len(p.Native) == 0 || p.Type == core.PartReasoning && !returns(p.Native) || p.Type == core.PartToolCall && len(p.Arguments) == 0 {
			return nil
		}
		items = append(items, param.Override[responses.ResponseInputItemUnionParam](p.Native))
		if p.Type != core.PartReasoning {
			last = len(items)
		}
	}
	return items[:last]
}

// returns says whether a reasoning item has something a server that keeps nothing can read.
func returns(native json.RawMessage) bool {
	var item struct {
		Encrypted string            `json:"encrypted_content"`
		Content   []json.RawMessage `json:"content"`
	}
	return json.Unmarshal(native, &item) == nil && (item.Encrypted != "" || len(item.Content) > 0)
}
