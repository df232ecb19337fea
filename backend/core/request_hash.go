package core

import "coppice/backend/jsontext"

// hashedRequest is what Request.Hash covers. Its fields must not change their names or order: stored hashes depend on them.
type hashedRequest struct {
	Model           string          `json:"model"`
	System          string          `json:"system"`
	Messages        []hashedMessage `json:"messages"`
	Tools           []ToolSpec      `json:"tools"`
	ToolChoice      ToolChoice      `json:"toolChoice"`
	MaxOutputTokens int64           `json:"maxOutputTokens"`
	Temperature     *float64        `json:"temperature"`
	Effort          Effort          `json:"effort"`
	ContextTokens   int64           `json:"contextTokens"`
}

type hashedMessage struct {
	Role   Role         `json:"role"`
	Name   string       `json:"name"`
	Parts  []hashedPart `json:"parts"`
	Origin *Origin      `json:"origin"`
}

// hashedPart holds raw JSON as text: providers send it verbatim, so that its spaces count.
type hashedPart struct {
	Type       PartType     `json:"type"`
	Text       string       `json:"text"`
	Redacted   bool         `json:"redacted"`
	ID         string       `json:"id"`
	Name       string       `json:"name"`
	Arguments  string       `json:"arguments"`
	Server     bool         `json:"server"`
	IsError    bool         `json:"isError"`
	Result     []hashedPart `json:"result"`
	Structured string       `json:"structured"`
	Native     string       `json:"native"`
	MimeType   string       `json:"mimeType"`
	MediaName  string       `json:"mediaName"`
	MediaURI   string       `json:"mediaUri"`
	MediaHash  string       `json:"mediaHash"` // of the bytes; empty without
}

// Hash returns the content address of what the request contains. CacheKey is not part of it, nor is what no provider is sent,
// such as the uids and the usage of messages.
func (q *Request) Hash() (string, error) {
	h := hashedRequest{
		Model: q.Model, System: q.System, Tools: q.Tools, ToolChoice: q.ToolChoice, MaxOutputTokens: q.MaxOutputTokens, Temperature: q.Temperature,
		Effort: q.Effort, ContextTokens: q.ContextTokens, Messages: make([]hashedMessage, len(q.Messages)),
	}
	for i := range q.Messages {
		m := &q.Messages[i]
		h.Messages[i] = hashedMessage{Role: m.Role, Name: m.Name, Parts: hashedParts(m.Parts), Origin: m.Origin}
	}
	data, err := jsontext.Encode(h)
	if err != nil {
		return "", Wrap(Invalid, err, "hash a request")
	}
	return Hash(data), nil
}

func hashedParts(parts []Part) []hashedPart {
	hashed := make([]hashedPart, len(parts))
	for i := range parts {
		p := &parts[i]
		h := hashedPart{
			Type: p.Type, Text: p.Text, Redacted: p.Redacted, ID: p.ID, Name: p.Name, Arguments: string(p.Arguments), Server: p.Server, IsError: p.IsError,
			Result: hashedParts(p.Result), Structured: string(p.Structured), Native: string(p.Native),
		}
		if media := p.Media; media != nil {
			h.MimeType, h.MediaName, h.MediaURI = media.MimeType, media.Name, media.URI
			if media.Data != nil {
				h.MediaHash = Hash(media.Data)
			}
		}
		hashed[i] = h
	}
	return hashed
}
