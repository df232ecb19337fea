package anthropic

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
)

// conversation holds the messages of a request in the protocol's form: alternating user and assistant turns, none of
// them empty.
type conversation struct {
	turns   []turn
	reasons bool // whether it holds reasoning of this model
}

type turn struct {
	role   string
	blocks []content
	opens  bool // whether it begins with reasoning
	calls  bool // whether it holds tool calls
}

// encode converts the messages of a request to a conversation. What a message of this provider and model holds in
// Native is sent back unchanged, its reasoning only if reasoning is enabled.
func encode(e endpoint.Endpoint, r core.Request, reasoning bool) conversation {
	c := encoder{endpoint: e, model: r.Model, reasoning: reasoning, ids: newCallIDs()}
	for i := range r.Messages {
		c.message(&r.Messages[i])
	}
	if len(c.turns) > 0 && c.turns[0].role == roleAssistant { // the protocol requires the user first
		first := turn{role: roleUser, blocks: []content{{Type: "text", Text: "(The assistant speaks first.)"}}}
		c.turns = slices.Insert(c.turns, 0, first)
	}
	return c.conversation
}

func (c conversation) messages() []message {
	messages := make([]message, len(c.turns))
	for i, turn := range c.turns {
		messages[i] = message{Role: turn.role, Content: turn.blocks}
	}
	return messages
}

// opensReasoning reports whether a call may reason with a budget: the protocol requires that the assistant's turn
// before the last tool results begins with reasoning.
func (c conversation) opensReasoning() bool {
	for _, turn := range slices.Backward(c.turns) {
		if turn.role == roleAssistant {
			return turn.opens || !turn.calls
		}
	}
	return true
}

// encoder builds a conversation.
type encoder struct {
	conversation
	endpoint  endpoint.Endpoint
	model     string
	reasoning bool
	ids       *callIDs
}

func (c *encoder) message(m *core.Message) {
	switch m.Role {
	case core.RoleAssistant:
		c.assistant(m)
	default:
		for i := range m.Parts {
			c.addPart(&m.Parts[i])
		}
	}
}

// add appends a block to the turn of a role and returns it. Consecutive messages of the same role share a turn.
func (c *encoder) add(role string, block content) *turn {
	if n := len(c.turns); n == 0 || c.turns[n-1].role != role {
		c.turns = append(c.turns, turn{role: role})
	}
	last := &c.turns[len(c.turns)-1]
	last.blocks = append(last.blocks, block)
	return last
}

func (c *encoder) assistant(m *core.Message) {
	own := c.own(m.Origin)
	for i := range m.Parts {
		switch p := &m.Parts[i]; {
		case p.Type == core.PartReasoning:
			c.reasoned(p, own)
		case p.Type == core.PartToolCall && !p.Server:
			c.add(roleAssistant, c.call(p, own)).calls = true
		default:
			c.answered(p, own)
		}
	}
}

// own reports whether the model that is called now wrote the message, through this provider.
func (c *encoder) own(o *core.Origin) bool {
	return o != nil && o.Protocol == string(endpoint.AnthropicMessages) && o.Provider == c.endpoint.Provider && o.RequestModel == c.model
}

// reasoned sends back the model's own reasoning, and drops any other, because its signature would be invalid.
func (c *encoder) reasoned(p *core.Part, own bool) {
	if !own || p.Native == nil {
		return
	}
	c.reasons = true
	if !c.reasoning {
		return
	}
	if t := c.add(roleAssistant, verbatim(p.Native)); len(t.blocks) == 1 {
		t.opens = true
	}
}

// answered encodes any other part of an assistant's message. It leaves out what another provider ran or what only that
// provider understands.
func (c *encoder) answered(p *core.Part, own bool) {
	var block content
	ok := false
	switch {
	case own && p.Native != nil:
		block, ok = verbatim(p.Native), true
	case p.Type == core.PartText || p.Type == core.PartSummary:
		block, ok = text(p.Text)
	case p.Type == core.PartMedia: // the protocol has no images in assistant messages
		block, ok = text(note(p.Media))
	}
	if ok {
		c.add(roleAssistant, block)
	}
}

func (c *encoder) call(p *core.Part, own bool) content {
	id := c.ids.call(p.ID)
	if own && p.Native != nil && id == p.ID {
		return verbatim(p.Native)
	}
	arguments := p.Arguments
	if arguments == nil {
		arguments = json.RawMessage(`{}`) // the model did not write an object
	}
	return content{Type: "tool_use", ID: id, Name: toolName(p.Name), Input: arguments}
}

// addPart encodes a part of a user's or a tool's message.
func (c *encoder) addPart(p *core.Part) {
	var block content
	ok := true
	switch p.Type {
	case core.PartText, core.PartSummary:
		block, ok = text(p.Text)
	case core.PartMedia:
		block, ok = media(p.Media)
	case core.PartToolResult:
		if p.Server {
			return
		}
		block = c.result(p)
	default:
		return
	}
	if ok {
		c.add(roleUser, block)
	}
}

// result encodes the result of a tool: texts, images and documents.
func (c *encoder) result(p *core.Part) content {
	result := content{Type: "tool_result", ToolUseID: c.ids.result(p.ID), IsError: p.IsError}
	for i := range p.Result {
		block, ok := text(p.Result[i].Text)
		if p.Result[i].Type == core.PartMedia {
			block, ok = media(p.Result[i].Media)
		}
		if ok {
			result.Content = append(result.Content, block)
		}
	}
	if len(result.Content) == 0 { // an error must have content
		said := cmp.Or(strings.TrimSpace(string(p.Structured)), "(no output)")
		result.Content = []content{{Type: "text", Text: said}}
	}
	return result
}

// text returns a block of a text. It leaves out a blank text, which the server rejects.
func text(s string) (content, bool) {
	return content{Type: "text", Text: s}, strings.TrimSpace(s) != ""
}

// media returns a block of an image or document that the model can read, and describes other media in words.
func media(m *core.Media) (content, bool) {
	if m == nil || len(m.Data) == 0 {
		return text(note(m))
	}
	data := &source{Type: "base64", MediaType: m.MimeType, Data: m.Data}
	switch m.MimeType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return content{Type: "image", Source: data}, true
	case "application/pdf":
		return content{Type: "document", Source: data}, true
	default:
		return text(note(m))
	}
}

// note describes media that cannot be sent.
func note(m *core.Media) string {
	if m == nil {
		return ""
	}
	return "[" + strings.TrimSpace(m.MimeType+" "+cmp.Or(m.Name, m.URI)) + ", which cannot be shown here]"
}

// verbatim returns a block of the JSON that a server sent.
func verbatim(native json.RawMessage) content {
	return content{native: native}
}
