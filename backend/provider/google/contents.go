package google

import (
	"cmp"
	"encoding/json"
	"strings"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/provider/endpoint"
)

// content is one message in the protocol's form.
type content struct {
	Role  string            `json:"role"`
	Parts []json.RawMessage `json:"parts"`
}

// part is a part that is built here; one field is set beside the signature.
type part struct {
	Text             string            `json:"text,omitempty"`
	InlineData       *blob             `json:"inlineData,omitempty"`
	FunctionCall     *functionCall     `json:"functionCall,omitempty"`
	FunctionResponse *functionResponse `json:"functionResponse,omitempty"`
	ThoughtSignature string            `json:"thoughtSignature,omitempty"`
}

type blob struct {
	MimeType string `json:"mimeType"`
	Data     []byte `json:"data"` // base64
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type functionResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
	Parts    []part            `json:"parts,omitempty"` // images, from generation 3 on
}

// anySignature replaces the signature of a call that another model made: models from 3 on require one, and accept this.
const anySignature = "skip_thought_signature_validator"

// encode converts the messages of a request to contents. What a message of this provider and model holds in Native is
// sent back unchanged.
func encode(e endpoint.Endpoint, r core.Request) ([]content, error) {
	c := encoder{endpoint: e, model: r.Model, modern: generationOf(r.Model) >= 300, calls: map[string]sent{}}
	for i := range r.Messages {
		switch m := &r.Messages[i]; m.Role {
		case core.RoleAssistant:
			c.assistant(m)
		case core.RoleTool:
			c.results(m)
		default:
			c.open("user")
			for j := range m.Parts {
				c.addPart(&m.Parts[j])
			}
		}
		c.close()
	}
	return c.contents, core.Wrap(core.Internal, c.err, "encode a call of %s", r.Model)
}

// encoder builds contents.
type encoder struct {
	contents []content
	endpoint endpoint.Endpoint
	model    string
	modern   bool            // generation 3 or later
	calls    map[string]sent // by our id
	err      error
}

// sent is how a call was sent; its result must have the same values.
type sent struct{ id, name string }

// open begins a message. close drops a message without parts, which would be an error.
func (c *encoder) open(role string) {
	c.contents = append(c.contents, content{Role: role, Parts: []json.RawMessage{}})
}

func (c *encoder) close() {
	if n := len(c.contents); n > 0 && len(c.contents[n-1].Parts) == 0 {
		c.contents = c.contents[:n-1]
	}
}

func (c *encoder) raw(native json.RawMessage) {
	last := &c.contents[len(c.contents)-1]
	last.Parts = append(last.Parts, native)
}

func (c *encoder) add(p part) {
	data, err := json.Marshal(p)
	if err != nil {
		c.err = err
		return
	}
	c.raw(data)
}

func (c *encoder) text(s string) {
	if strings.TrimSpace(s) != "" {
		c.add(part{Text: s})
	}
}

// own reports whether the model that is called now wrote the message, through this provider.
func (c *encoder) own(o *core.Origin) bool {
	return o != nil && o.Protocol == string(endpoint.GoogleGenAI) && o.Provider == c.endpoint.Provider && o.RequestModel == c.model
}

func (c *encoder) assistant(m *core.Message) {
	c.open("model")
	own, signed := c.own(m.Origin), false
	for i := range m.Parts {
		p := &m.Parts[i]
		switch {
		case p.Type == core.PartToolCall && !p.Server:
			c.call(p, own, &signed)
		case own && p.Native != nil:
			c.raw(p.Native)
		case p.Type == core.PartText || p.Type == core.PartSummary || p.Type == core.PartMedia:
			c.addPart(p)
		}
	}
}

// call encodes a call. It sends an id only if the server gave one. The first call of a message must have a signature;
// if it has none, it gets anySignature.
func (c *encoder) call(p *core.Part, own bool, signed *bool) {
	f := functionCall{Name: functionName(p.Name), Args: p.Arguments}
	if f.Args == nil {
		f.Args = json.RawMessage(`{}`) // the model did not write an object
	}
	switch {
	case own && p.Native != nil:
		var native struct {
			FunctionCall functionCall `json:"functionCall"`
		}
		c.err = cmp.Or(c.err, json.Unmarshal(p.Native, &native))
		f.ID, f.Name = native.FunctionCall.ID, native.FunctionCall.Name
		c.raw(p.Native)
	default:
		if own {
			f.ID = p.ID
		}
		out := part{FunctionCall: &f}
		if c.modern && !*signed {
			out.ThoughtSignature = anySignature
		}
		c.add(out)
	}
	*signed = true
	c.calls[p.ID] = sent{id: f.ID, name: f.Name}
}

// addPart encodes a text, an image or a file of the user or the model.
func (c *encoder) addPart(p *core.Part) {
	switch {
	case p.Type == core.PartText || p.Type == core.PartSummary:
		c.text(p.Text)
	case p.Type != core.PartMedia || p.Media == nil:
	case len(p.Media.Data) > 0 && shown.MatchString(p.Media.MimeType):
		c.add(part{InlineData: &blob{MimeType: p.Media.MimeType, Data: p.Media.Data}})
	default:
		c.text(note(p.Media))
	}
}

// shown matches the media types that the models accept.
var shown = lazyregexp.New(`^(image/(png|jpeg|webp|heic|heif)|application/pdf|audio/.+|video/.+)$`)

// note describes media that cannot be sent.
func note(m *core.Media) string {
	return "[" + strings.TrimSpace(m.MimeType+" "+cmp.Or(m.Name, m.URI)) + ", which cannot be shown here]"
}

// results encodes the results of tools. Models before 3 see images only in a message of the user.
func (c *encoder) results(m *core.Message) {
	c.open("user")
	var images []core.Part
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartToolResult && !p.Server {
			images = append(images, c.result(p)...)
		}
	}
	if len(images) == 0 {
		return
	}
	c.close()
	c.open("user")
	c.text("The images that the tools gave:")
	for i := range images {
		c.addPart(&images[i])
	}
}

// result encodes one result, and returns the images that the result cannot hold.
func (c *encoder) result(p *core.Part) (images []core.Part) {
	call, ok := c.calls[p.ID]
	if !ok {
		call.name = functionName(p.Name)
	}
	f := &functionResponse{ID: call.id, Name: call.name}
	var texts []string
	for i := range p.Result {
		switch inner := &p.Result[i]; {
		case inner.Type == core.PartText:
			texts = append(texts, inner.Text)
		case inner.Type != core.PartMedia || inner.Media == nil:
		case len(inner.Media.Data) == 0 || !shown.MatchString(inner.Media.MimeType):
			texts = append(texts, note(inner.Media))
		case c.modern:
			f.Parts = append(f.Parts, part{InlineData: &blob{MimeType: inner.Media.MimeType, Data: inner.Media.Data}})
		default:
			images = append(images, *inner)
		}
	}
	key := "output"
	if p.IsError {
		key = "error"
	}
	f.Response = map[string]string{key: cmp.Or(strings.Join(texts, "\n"), string(p.Structured), "(no output)")}
	c.add(part{FunctionResponse: f})
	return images
}

var (
	notInName = lazyregexp.New(`[^a-zA-Z0-9_.:-]`)
	notFirst  = lazyregexp.New(`^([^a-zA-Z_]|$)`)
)

// functionName converts a tool's name to one that the protocol accepts.
func functionName(name string) string {
	name = notFirst.ReplaceAllString(notInName.ReplaceAllString(name, "_"), "_$1")
	return name[:min(len(name), 128)]
}
