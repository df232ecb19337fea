package chatgpt

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// build builds a message; ok is false for an empty one. files are its media that may be in the export.
func build(uid string, role core.Role, v gjson.Result) (m core.Message, files []file, ok bool) {
	meta := v.Get("metadata")
	c := content{of: v.Get("content"), cited: citations(meta.Get("content_references"))}
	c.read()
	c.attachments(meta.Get("attachments"))
	m = core.Message{UID: uid, Role: role, Kind: core.KindMessage, Parts: c.parts}
	if injected(role, v, meta) {
		m.Kind = core.KindMeta
	}
	switch role {
	case core.RoleAssistant:
		m.Model = model(meta)
		m.FinishRaw = jsonl.Text(meta.Get("finish_details.type"))
		m.FinishReason = finishes[m.FinishRaw]
		if to := jsonl.Text(v.Get("recipient")); to != "" && to != "all" && to != "assistant" {
			m.Parts, m.FinishReason = call(uid, to, &c), core.FinishToolCall
		}
	case core.RoleTool:
		c.outputs(meta.Get("aggregate_result"))
		if len(c.parts) > 0 || c.kind() == "execution_output" { // a program that printed nothing has ended, too
			m.Parts = []core.Part{result(v, &c)}
		}
	default:
		m.Name = jsonl.Text(v.Get("author.name"))
	}
	m.Meta = rest(v, meta, &c)
	return m, c.files, len(m.Parts) > 0
}

// finishes maps how an answer ended. The user has read an answer that they stopped.
var finishes = map[string]string{"stop": core.FinishStop, "max_tokens": core.FinishLength}

// injected reports whether ChatGPT added a message, such as the user's custom instructions.
func injected(role core.Role, v, meta gjson.Result) bool {
	if role != core.RoleUser && role != core.RoleSystem {
		return false
	}
	return role == core.RoleSystem || meta.Get("is_visually_hidden_from_conversation").Bool() || meta.Get("is_user_system_message").Bool() ||
		strings.HasSuffix(jsonl.Text(v.Get("content.content_type")), "_editable_context")
}

func model(meta gjson.Result) string {
	if resolved := jsonl.Text(meta.Get("resolved_model_slug")); resolved != "" {
		return resolved
	}
	return jsonl.Text(meta.Get("model_slug"))
}

// call returns the parts of an answer that is addressed to a tool.
func call(uid, tool string, c *content) []core.Part {
	p := core.Part{Type: core.PartToolCall, ID: uid, Name: tool}
	var others []core.Part
	for _, part := range c.parts {
		if part.Type == core.PartText {
			p.Text = strings.TrimPrefix(p.Text+"\n\n"+part.Text, "\n\n")
		} else {
			others = append(others, part)
		}
	}
	if code := c.code(); code != "" {
		p.Text = code
	}
	if parsed := jsonl.Parse([]byte(p.Text)); len(parsed) == 1 {
		p.Text, p.Arguments = "", jsonl.Raw(parsed[0])
	}
	return append(others, p)
}

// result returns a tool's answer; the call's id follows from the position in the tree.
func result(v gjson.Result, c *content) core.Part {
	p := core.Part{
		Type: core.PartToolResult, Name: jsonl.Text(v.Get("author.name")), IsError: c.failed, Structured: jsonl.Raw(v.Get("metadata.aggregate_result")),
	}
	for _, part := range c.parts {
		switch part.Type {
		case core.PartText, core.PartMedia:
			p.Result = append(p.Result, part)
		case core.PartReasoning:
			p.Result = append(p.Result, core.Part{Type: core.PartText, Text: part.Text})
		default:
			p.Result = append(p.Result, core.Part{Type: core.PartText, Text: string(part.Native)})
		}
	}
	return p
}

// rest returns the parts of a message that have no field.
func rest(v, meta gjson.Result, c *content) []byte {
	var kept jsonl.Fields
	transcript.AddRest(&kept, meta, "model_slug", "resolved_model_slug", "attachments", "is_visually_hidden_from_conversation",
		"aggregate_result", "finish_details")
	if details := meta.Get("finish_details"); !jsonl.Empty(details.Get("stop_tokens")) || !jsonl.Empty(details.Get("reason")) {
		kept.Set("finish_details", jsonl.Raw(details))
	}
	transcript.AddRest(&kept, v, "id", "author", "content", "metadata", "recipient", "create_time", "end_turn", "weight", "status")
	if status := jsonl.Text(v.Get("status")); status != "finished_successfully" && status != "" {
		kept.Set("status", jsonl.Quote(status))
	}
	if author := v.Get("author"); !jsonl.Empty(author.Get("metadata")) {
		kept.Set("author", jsonl.Raw(author))
	}
	if !slices.Contains(understood, c.kind()) && len(c.parts) > 0 && c.parts[0].Type != core.PartOther {
		kept.Set("content", jsonl.Raw(c.of)) // its words are in the parts, but there may be more
	}
	return kept.JSON()
}
