package core

import (
	"encoding/json"
	"slices"
	"strconv"

	"coppice/backend/jsontext"
)

// MarshalJSON writes the known fields in the order of the struct and then Extra by name, the same bytes each time. Raw
// fields with invalid JSON become strings, so it does not fail.
func (p Part) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// AppendJSON appends the JSON that MarshalJSON returns. Parts are most of a message's bytes, so they are encoded without
// reflection and without another pass over their texts for every enclosing object.
func (p *Part) AppendJSON(dst []byte) []byte {
	from := len(dst)
	dst = jsontext.AppendString(append(dst, `{"type":`...), string(p.Type))
	dst = jsontext.AppendStringField(dst, "text", p.Text)
	if p.Truncated != nil {
		dst = jsontext.AppendValue(jsontext.AppendName(dst, "truncated"), p.Truncated)
	}
	dst = jsontext.AppendFlag(dst, "injected", p.Injected)
	dst = jsontext.AppendFlag(dst, "redacted", p.Redacted)
	dst = jsontext.AppendStringField(dst, "id", p.ID)
	dst = jsontext.AppendStringField(dst, "name", p.Name)
	dst = jsontext.AppendRawField(dst, "arguments", p.Arguments)
	dst = jsontext.AppendFlag(dst, "server", p.Server)
	dst = jsontext.AppendFlag(dst, "isError", p.IsError)
	if len(p.Result) > 0 {
		dst = append(jsontext.AppendName(dst, "result"), '[')
		for i := range p.Result {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = p.Result[i].AppendJSON(dst)
		}
		dst = append(dst, ']')
	}
	dst = jsontext.AppendRawField(dst, "structured", p.Structured)
	if p.DurationMs != 0 {
		dst = strconv.AppendInt(jsontext.AppendName(dst, "durationMs"), p.DurationMs, 10)
	}
	if p.Media != nil {
		dst = jsontext.AppendValue(jsontext.AppendName(dst, "media"), p.Media)
	}
	dst = jsontext.AppendRawField(dst, "native", p.Native)
	dst = jsontext.AppendStringField(dst, "structuredBlob", p.StructuredBlob)
	return append(jsontext.AppendExtra(dst, from, p.Extra), '}')
}

// UnmarshalJSON reads a part of any type. Fields that are unknown, or whose value is not of the type they have here, go
// to Extra verbatim; so does a result within a result. Only a type that is not a string is an error.
func (p *Part) UnmarshalJSON(data []byte) error {
	var results []json.RawMessage
	part := Part{}
	extra, err := decodeObject(data, func(name string) any {
		if name == "result" {
			return &results
		}
		return part.field(name)
	}, keepOdd)
	if err != nil {
		return err
	}
	part.Extra = extra
	if err := part.readResults(results); err != nil {
		return err
	}
	*p = part
	return nil
}

// keepOdd reports whether a field of a part is kept raw if its value is not of the type it has here.
func keepOdd(name string) bool { return name != "type" }

// field returns the destination of a field; nil for an unknown one. Result is not among them: reading it would recurse
// as deep as the data does.
func (p *Part) field(name string) any {
	switch name {
	case "type":
		return (*string)(&p.Type)
	case "text":
		return &p.Text
	case "truncated":
		return &p.Truncated
	case "injected":
		return &p.Injected
	case "redacted":
		return &p.Redacted
	case "id":
		return &p.ID
	case "name":
		return &p.Name
	case "arguments":
		return &p.Arguments
	case "server":
		return &p.Server
	case "isError":
		return &p.IsError
	case "structured":
		return &p.Structured
	case "durationMs":
		return &p.DurationMs
	case "media":
		return &p.Media
	case "native":
		return &p.Native
	case "structuredBlob":
		return &p.StructuredBlob
	}
	return nil
}

// readResults reads the parts of a tool result; if one of them is not a part, all are kept raw.
func (p *Part) readResults(raw []json.RawMessage) error {
	for _, r := range raw {
		var result Part
		extra, err := decodeObject(r, result.field, keepOdd)
		if err != nil {
			p.Result = nil
			return p.keep("result", raw)
		}
		result.Extra = extra
		p.Result = append(p.Result, result)
	}
	return nil
}

func (p *Part) keep(name string, value any) error {
	raw, err := jsontext.Encode(value)
	if err != nil {
		return err
	}
	if p.Extra == nil {
		p.Extra = map[string]json.RawMessage{}
	}
	p.Extra[name] = slices.Clone(raw)
	return nil
}

// Compact removes the white space of the raw JSON in parts, as MarshalJSON does, so that they are what the store returns. It
// changes parts in place.
func Compact(parts []Part) {
	for i := range parts {
		for _, raw := range []*json.RawMessage{&parts[i].Arguments, &parts[i].Structured, &parts[i].Native} {
			if len(*raw) > 0 {
				*raw = jsontext.AppendRaw(nil, *raw)
			}
		}
		Compact(parts[i].Result)
	}
}

type plainMedia Media

// MarshalJSON writes the known fields and then Extra by name.
func (m Media) MarshalJSON() ([]byte, error) { return jsontext.EncodeObject(plainMedia(m), m.Extra) }

// UnmarshalJSON reads media; unknown fields go to Extra.
func (m *Media) UnmarshalJSON(data []byte) error {
	media := Media{}
	extra, err := decodeObject(data, media.field, strict)
	if err != nil {
		return err
	}
	media.Extra = extra
	*m = media
	return nil
}

func (m *Media) field(name string) any {
	switch name {
	case "mimeType":
		return &m.MimeType
	case "blob":
		return &m.Blob
	case "uri":
		return &m.URI
	case "name":
		return &m.Name
	case "sizeBytes":
		return &m.SizeBytes
	case "w":
		return &m.Width
	case "h":
		return &m.Height
	}
	return nil
}
