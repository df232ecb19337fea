package sqlite

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"

	"coppice/backend/core"
)

// body is what a message holds besides columns: its parts, and what is rarely read.
type body struct {
	Parts       []core.Part                `json:"parts"`
	UsageNative json.RawMessage            `json:"usageNative,omitempty"`
	FinishRaw   string                     `json:"finishRaw,omitempty"`
	Error       string                     `json:"error,omitempty"`
	Origin      *core.Origin               `json:"origin,omitempty"`
	Meta        json.RawMessage            `json:"meta,omitempty"`
	Extra       map[string]json.RawMessage `json:"extra,omitempty"`
	// PartExtra holds the parts' unknown fields by the part's index, "2", or "2.0" in a tool's result.
	PartExtra map[string]map[string]json.RawMessage `json:"partExtra,omitempty"`
}

// encodeBody returns the JSON of a message's body. The parts must be spilled.
func encodeBody(m *core.Message) ([]byte, error) {
	b := body{
		Parts: m.Parts, FinishRaw: m.FinishRaw, Error: m.Error, Origin: m.Origin, Meta: m.Meta, Extra: m.Extra,
		PartExtra: takeExtra(m.Parts),
	}
	if b.Parts == nil {
		b.Parts = []core.Part{}
	}
	if m.Usage != nil {
		b.UsageNative = m.Usage.Native
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&b); err != nil {
		return nil, core.Wrap(core.Invalid, err, "message %q cannot be written as JSON", m.UID)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// decodeBody puts a stored body into a message.
func (c *codec) decodeBody(stored []byte, m *core.Message) error {
	data, err := c.inflate(stored)
	if err != nil {
		return core.Wrap(core.Corrupt, err, "the body of message %q is damaged", m.UID)
	}
	var b body
	if err := json.Unmarshal(data, &b); err != nil {
		return core.Wrap(core.Corrupt, err, "the body of message %q is damaged", m.UID)
	}
	m.Parts, m.FinishRaw, m.Error, m.Origin, m.Meta, m.Extra = b.Parts, b.FinishRaw, b.Error, b.Origin, b.Meta, b.Extra
	if m.Usage != nil {
		m.Usage.Native = b.UsageNative
	}
	if m.Parts == nil {
		m.Parts = []core.Part{}
	}
	giveExtra(m.Parts, b.PartExtra)
	return nil
}

func takeExtra(parts []core.Part) map[string]map[string]json.RawMessage {
	var extra map[string]map[string]json.RawMessage
	eachPart(parts, func(path string, p *core.Part) {
		if len(p.Extra) == 0 {
			return
		}
		if extra == nil {
			extra = map[string]map[string]json.RawMessage{}
		}
		extra[path] = p.Extra
	})
	return extra
}

func giveExtra(parts []core.Part, extra map[string]map[string]json.RawMessage) {
	if len(extra) == 0 {
		return
	}
	eachPart(parts, func(path string, p *core.Part) { p.Extra = extra[path] })
}

// eachPart calls f for every part and every part in a tool's result.
func eachPart(parts []core.Part, f func(path string, p *core.Part)) {
	for i := range parts {
		path := strconv.Itoa(i)
		f(path, &parts[i])
		for j := range parts[i].Result {
			f(path+"."+strconv.Itoa(j), &parts[i].Result[j])
		}
	}
}

// contentHash is of all that an import may change, so that it can tell whether it does.
func contentHash(m *core.Message, encoded []byte) int64 {
	h := sha256.New()
	usage := core.Usage{}
	if m.Usage != nil {
		usage = *m.Usage
	}
	cost := int64(-1)
	if m.CostNanoUSD != nil {
		cost = *m.CostNanoUSD
	}
	fmt.Fprintf(h, "%q %q %q %q %q %q %d %t %d %d %d %d %d %d\n", m.Kind, m.Role, m.Name, m.Agent, m.Model, m.FinishReason, m.CreatedAtMs,
		m.Usage != nil, usage.InputTokens, usage.OutputTokens, usage.CacheReadTokens, usage.CacheWriteTokens, usage.ReasoningTokens, cost)
	h.Write(encoded)
	return int64(binary.BigEndian.Uint64(h.Sum(nil))) //nolint:gosec // bits, not a number
}
