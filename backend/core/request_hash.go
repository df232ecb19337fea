package core

import (
	"crypto/sha256"
	"slices"

	"coppice/backend/jsontext"
)

// hashedRequest is what Request.Hash covers, but for the messages: their digests follow it. Its fields must not change their names or order: stored hashes depend on them.
type hashedRequest struct {
	Model           string     `json:"model"`
	System          string     `json:"system"`
	Tools           []ToolSpec `json:"tools"`
	ToolChoice      ToolChoice `json:"toolChoice"`
	MaxOutputTokens int64      `json:"maxOutputTokens"`
	Temperature     *float64   `json:"temperature"`
	Effort          Effort     `json:"effort"`
	ContextTokens   int64      `json:"contextTokens"`
	OutputSchema    string     `json:"outputSchema,omitempty"`
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
func (q *Request) Hash() (string, error) { return new(RequestHasher).Hash(q) }

// RequestHasher hashes the requests of a run. It keeps the digest of each message, so that a step of a long conversation hashes only
// what was added since. The parts of messages that it has seen must not change.
type RequestHasher struct {
	seen []messageDigest // by the position of the message
}

type messageDigest struct {
	first *Part // identifies the parts
	count int
	sum   [sha256.Size]byte
}

// Hash returns what Request.Hash returns.
func (h *RequestHasher) Hash(q *Request) (string, error) {
	header := hashedRequest{
		Model: q.Model, System: q.System, Tools: q.Tools, ToolChoice: q.ToolChoice, MaxOutputTokens: q.MaxOutputTokens, Temperature: q.Temperature,
		Effort: q.Effort, ContextTokens: q.ContextTokens, OutputSchema: string(q.OutputSchema),
	}
	data, err := jsontext.Encode(header)
	if err != nil {
		return "", Wrap(Invalid, err, "hash a request")
	}
	data = slices.Grow(data, len(q.Messages)*sha256.Size)
	for i := range q.Messages {
		sum, err := h.digest(i, &q.Messages[i])
		if err != nil {
			return "", Wrap(Invalid, err, "hash a request")
		}
		data = append(data, sum[:]...)
	}
	h.seen = h.seen[:min(len(h.seen), len(q.Messages))]
	return Hash(data), nil
}

// digest returns the digest of the message at a position, which it computes unless it has seen these parts there.
func (h *RequestHasher) digest(at int, m *Message) ([sha256.Size]byte, error) {
	d := messageDigest{count: len(m.Parts)}
	if d.count > 0 {
		d.first = &m.Parts[0]
	}
	if at < len(h.seen) && d.first != nil && h.seen[at].first == d.first && h.seen[at].count == d.count {
		return h.seen[at].sum, nil
	}
	data, err := jsontext.Encode(hashedMessage{Role: m.Role, Name: m.Name, Parts: hashedParts(m.Parts), Origin: m.Origin})
	if err != nil {
		return d.sum, err
	}
	d.sum = sha256.Sum256(data)
	h.seen = append(h.seen[:min(at, len(h.seen))], d)
	return d.sum, nil
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
