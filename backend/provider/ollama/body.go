package ollama

import (
	"cmp"
	"encoding/json"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
)

const (
	// The default context is as long as the model allows, up to what fits into the memory of a typical machine.
	// Ollama's own default of 4,096 would silently drop the beginning of a conversation.
	usualContext   = 32_768
	unknownContext = 8_192
)

// request is the body of a call.
type request struct {
	Model    string     `json:"model"`
	Messages []message  `json:"messages"`
	Tools    []function `json:"tools,omitempty"`
	Options  options    `json:"options"`
	Think    any        `json:"think,omitempty"`
	Stream   bool       `json:"stream"`
	// A conversation that does not fit is an error instead of being cut; old servers ignore these two fields.
	Truncate bool            `json:"truncate"`
	Format   json.RawMessage `json:"format,omitempty"` // a JSON schema; it would also bind the calls of tools
	Shift    bool            `json:"shift"`
}

type options struct {
	ContextTokens   int64    `json:"num_ctx,omitempty"`
	MaxOutputTokens int64    `json:"num_predict,omitempty"`
	Temperature     *float64 `json:"temperature,omitempty"`
}

// newRequest returns the body of a call.
func newRequest(e endpoint.Endpoint, r core.Request, known facts) request {
	q := request{
		Model: r.Model, Messages: encode(e, r), Tools: functions(r), Think: thinking(r, known), Stream: true,
		Options: options{contextTokens(r, known), r.MaxOutputTokens, r.Temperature},
	}
	if !r.MayCall() {
		q.Format = r.OutputSchema
	}
	return q
}

// contextTokens returns the context length to request; 0 leaves it to the server.
func contextTokens(r core.Request, known facts) int64 {
	switch {
	case known.remote:
		return 0
	case r.ContextTokens > 0 && known.contextTokens > 0:
		return min(r.ContextTokens, known.contextTokens)
	case r.ContextTokens > 0:
		return r.ContextTokens
	case known.chosenTokens > 0:
		return known.chosenTokens
	case known.contextTokens > 0:
		return min(known.contextTokens, usualContext)
	default:
		return unknownContext
	}
}

// thinking returns the value of think; nil leaves it out. One model family takes levels, all others a boolean.
func thinking(r core.Request, known facts) any {
	levels := strings.Contains(r.Model, "gpt-oss")
	switch {
	case len(known.capabilities) > 0 && !known.can("thinking"):
		return nil
	case r.Effort == "" && (!known.can("thinking") || levels):
		return nil
	case levels && r.Effort == core.EffortNone:
		return string(core.EffortLow) // it cannot be turned off
	case levels:
		return string(r.Effort)
	default:
		return r.Effort != core.EffortNone
	}
}

// function is a tool in the protocol's form.
type function struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// functions returns the tools. If the request forbids calls, it returns none, because the protocol cannot express that.
func functions(r core.Request) []function {
	if r.ToolChoice == core.ToolChoiceNone {
		return nil
	}
	var all []function
	for _, spec := range r.Tools {
		f := function{Type: "function"}
		f.Function.Name, f.Function.Description, f.Function.Parameters = spec.Name, spec.Description, spec.Parameters
		if len(spec.Parameters) == 0 {
			f.Function.Parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		all = append(all, f)
	}
	return all
}

// message is one message in the protocol's form.
type message struct {
	Role       string   `json:"role"`
	Content    string   `json:"content"`
	Thinking   string   `json:"thinking,omitempty"`
	Images     [][]byte `json:"images,omitempty"` // base64
	ToolCalls  []call   `json:"tool_calls,omitempty"`
	ToolName   string   `json:"tool_name,omitempty"`
	ToolCallID string   `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // an object
	} `json:"function"`
}

// encode converts the system prompt and the messages of a request to the protocol's form.
func encode(e endpoint.Endpoint, r core.Request) []message {
	messages := []message{}
	if r.System != "" {
		messages = append(messages, message{Role: "system", Content: r.System})
	}
	names := map[string]string{} // of the tools, by the id of a call
	for i := range r.Messages {
		switch m := &r.Messages[i]; m.Role {
		case core.RoleTool:
			messages = append(messages, results(m, names)...)
		case core.RoleAssistant:
			messages = appendSaid(messages, assistant(m, own(e, r.Model, m.Origin), names))
		default:
			messages = appendSaid(messages, messageOf(string(m.Role), m.Parts))
		}
	}
	return messages
}

// own reports whether the model that is called now wrote the message, through this provider.
func own(e endpoint.Endpoint, model string, o *core.Origin) bool {
	return o != nil && o.Protocol == string(endpoint.OllamaChat) && o.Provider == e.Provider && o.RequestModel == model
}

// appendSaid appends a message unless it is empty.
func appendSaid(messages []message, m message) []message {
	if strings.TrimSpace(m.Content) == "" && len(m.Images)+len(m.ToolCalls) == 0 {
		return messages
	}
	return append(messages, m)
}

// messageOf encodes texts and images, and describes other media in words.
func messageOf(role string, parts []core.Part) message {
	m := message{Role: role}
	var texts []string
	for i := range parts {
		switch p := &parts[i]; {
		case p.Type == core.PartText || p.Type == core.PartSummary:
			texts = append(texts, p.Text)
		case p.Type != core.PartMedia || p.Media == nil:
		case p.Media.IsImage() && len(p.Media.Data) > 0 && role != "assistant":
			m.Images = append(m.Images, p.Media.Data)
		default:
			texts = append(texts, "["+strings.TrimSpace(p.Media.MimeType+" "+cmp.Or(p.Media.Name, p.Media.URI))+", which cannot be shown here]")
		}
	}
	m.Content = strings.Join(texts, "\n")
	return m
}

// assistant encodes a model's text and calls, and its reasoning if the same model wrote it.
func assistant(m *core.Message, own bool, names map[string]string) message {
	out := messageOf("assistant", m.Parts)
	for i := range m.Parts {
		switch p := &m.Parts[i]; {
		case p.Type == core.PartReasoning && own:
			out.Thinking += p.Text
		case p.Type == core.PartToolCall && !p.Server:
			c := call{ID: p.ID}
			c.Function.Name, c.Function.Arguments = p.Name, p.Arguments
			if p.Arguments == nil {
				c.Function.Arguments = json.RawMessage(`{}`) // the model did not write an object
			}
			out.ToolCalls = append(out.ToolCalls, c)
			names[p.ID] = p.Name
		}
	}
	return out
}

// results encodes the results of tools: one message for each, and a user message for the images, because models look
// for images there.
func results(m *core.Message, names map[string]string) []message {
	var messages []message
	shown := message{Role: "user", Content: "The images that the tools gave:"}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolResult || p.Server {
			continue
		}
		out := messageOf("tool", p.Result)
		if out.Content == "" {
			out.Content = cmp.Or(string(p.Structured), "(no output)")
		}
		if p.IsError {
			out.Content = "error: " + out.Content
		}
		shown.Images = append(shown.Images, out.Images...)
		out.Images, out.ToolName, out.ToolCallID = nil, cmp.Or(p.Name, names[p.ID]), p.ID
		messages = append(messages, out)
	}
	if len(shown.Images) > 0 {
		messages = append(messages, shown)
	}
	return messages
}
