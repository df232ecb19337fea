package google

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
)

// content is one message in the protocol's form.
type content struct {
	Role  string            `json:"role"`
	Parts []json.RawMessage `json:"parts"`
}

// part is a part that is made here, of which one field is set beside the signature.
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

// anySignature stands for the signature of a call that another model made: models from 3 on demand one, and take this.
const anySignature = "skip_thought_signature_validator"

// encode turns the messages of a request into contents. What a message of this provider and model holds in Native goes back as
// it came.
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
				c.said(&m.Parts[j])
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
	modern   bool            // of generation 3 or later
	calls    map[string]sent // by our id
	err      error
}

// sent is how a call was sent; its result must say the same.
type sent struct{ id, name string }

// open begins a message, and close drops it where it has no parts, which would be an error.
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

// own says whether a message was made by the model that is called now, through this provider.
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
			c.said(p)
		}
	}
}

// call encodes a call. An id goes only where the server gave it. The first call of a message, which must have a signature, gets the
// one that stands for any where it came with none.
func (c *encoder) call(p *core.Part, own bool, signed *bool) {
	f := functionCall{Name: functionName(p.Name), Args: p.Arguments}
	if f.Args == nil {
		f.Args = json.RawMessage(`{}`) // what the model wrote was no object
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

// said encodes a text, an image or a file of either side.
func (c *encoder) said(p *core.Part) {
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

// shown are the types that the models take.
var shown = regexp.MustCompile(`^(image/(png|jpeg|webp|heic|heif)|application/pdf|audio/.+|video/.+)$`)

// note says in words what cannot be shown.
func note(m *core.Media) string {
	return "[" + strings.TrimSpace(m.MimeType+" "+cmp.Or(m.Name, m.URI)) + ", which cannot be shown here]"
}

// results encodes what tools gave. Models before 3 see images in a message of the user alone.
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
		c.said(&images[i])
	}
}

// result encodes one result, and returns the images that do not fit into it.
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
	notInName = regexp.MustCompile(`[^a-zA-Z0-9_.:-]`)
	notFirst  = regexp.MustCompile(`^([^a-zA-Z_]|$)`)
)

// functionName makes a name that the protocol takes of the name of a tool elsewhere.
func functionName(name string) string {
	name = notFirst.ReplaceAllString(notInName.ReplaceAllString(name, "_"), "_$1")
	return name[:min(len(name), 128)]
}
