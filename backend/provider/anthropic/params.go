package anthropic

import (
	"encoding/json"
	"maps"

	"coppice/backend/core"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

// params puts a call together.
func params(r core.Request, c conversation) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: r.Model, MaxTokens: r.MaxOutputTokens, Messages: c.messages()}
	if p.MaxTokens == 0 {
		p.MaxTokens = outputTokens(r.Model)
	}
	for _, spec := range r.Tools {
		p.Tools = append(p.Tools, tool(spec))
	}
	if r.System != "" {
		p.System = []sdk.TextBlockParam{{Text: r.System}}
	}
	thinking(&p, r, c.opensReasoning())
	choose(&p, r.ToolChoice)
	if r.Temperature != nil && !reasons(&p) && !rejectsTemperature(r.Model) {
		p.Temperature = sdk.Float(*r.Temperature)
	}
	remember(&p)
	return p
}

func choose(p *sdk.MessageNewParams, choice core.ToolChoice) {
	if len(p.Tools) == 0 {
		return
	}
	switch choice {
	case core.ToolChoiceNone:
		p.ToolChoice = sdk.ToolChoiceUnionParam{OfNone: new(sdk.NewToolChoiceNoneParam())}
	case core.ToolChoiceRequired:
		if !reasons(p) { // it is an error for a model that reasons
			p.ToolChoice = sdk.ToolChoiceUnionParam{OfAny: &sdk.ToolChoiceAnyParam{}}
		}
	default:
	}
}

// remember marks up to where the server may keep a prompt for the next call: the tools and the system prompt, which
// never change, and the last two messages of the user's side, so that this call finds what the one before it left.
func remember(p *sdk.MessageNewParams) {
	mark := sdk.NewCacheControlEphemeralParam()
	switch {
	case len(p.System) > 0:
		p.System[len(p.System)-1].CacheControl = mark
	case len(p.Tools) > 0:
		p.Tools[len(p.Tools)-1].OfTool.CacheControl = mark
	}
	marks := 2
	for i := len(p.Messages) - 1; i >= 0 && marks > 0; i-- {
		if m := p.Messages[i]; m.Role == sdk.MessageParamRoleUser {
			*m.Content[len(m.Content)-1].GetCacheControl() = mark
			marks--
		}
	}
}

func tool(spec core.ToolSpec) sdk.ToolUnionParam {
	p := sdk.ToolParam{Name: spec.Name, InputSchema: schema(spec.Parameters)}
	if spec.Description != "" {
		p.Description = sdk.String(spec.Description)
	}
	return sdk.ToolUnionParam{OfTool: &p}
}

// schema passes a schema on as it stands. Anthropic takes objects alone, and no choice between several at the
// top, which some MCP servers send: the model then learns the fields, and the tool itself says which go together.
func schema(parameters json.RawMessage) sdk.ToolInputSchemaParam {
	var fields map[string]json.RawMessage
	if json.Unmarshal(parameters, &fields) != nil || fields == nil {
		return sdk.ToolInputSchemaParam{Properties: struct{}{}}
	}
	kept := maps.Clone(fields)
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		delete(kept, key)
	}
	if string(kept["type"]) == `"object"` && len(kept) == len(fields) {
		return param.Override[sdk.ToolInputSchemaParam](parameters)
	}
	kept["type"] = json.RawMessage(`"object"`)
	return param.Override[sdk.ToolInputSchemaParam](kept)
}
