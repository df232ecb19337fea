package packing

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// Body is what a message holds besides columns: its parts, and what is rarely read. It is stored as
// one object, the parts first.
type Body struct {
	Parts       []core.Part                `json:"parts,omitempty"`
	UsageNative json.RawMessage            `json:"usageNative,omitempty"`
	UsageExtra  map[string]json.RawMessage `json:"usageExtra,omitempty"`
	FinishRaw   string                     `json:"finishRaw,omitempty"`
	Error       string                     `json:"error,omitempty"`
	Origin      *core.Origin               `json:"origin,omitempty"`
	Meta        json.RawMessage            `json:"meta,omitempty"`
	Extra       map[string]json.RawMessage `json:"extra,omitempty"`
}

// EncodeBody appends the JSON of a message's body. The parts must be spilled.
func EncodeBody(data []byte, m *core.Message) ([]byte, error) {
	data = append(slices.Grow(data, 512+Weigh(m.Parts)*9/8), `{"parts":[`...)
	for i := range m.Parts {
		if i > 0 {
			data = append(data, ',')
		}
		data = m.Parts[i].AppendJSON(data)
	}
	w := fieldWriter{data: append(data, ']')}
	if m.Usage != nil {
		w.raw("usageNative", m.Usage.Native)
		w.extra("usageExtra", m.Usage.Extra)
	}
	w.text("finishRaw", m.FinishRaw)
	w.text("error", m.Error)
	if m.Origin != nil {
		w.value("origin", m.Origin)
	}
	w.raw("meta", m.Meta)
	w.extra("extra", m.Extra)
	if w.err != nil {
		return nil, core.Wrap(core.Invalid, w.err, "message %q cannot be written as JSON", m.UID)
	}
	return append(w.data, '}'), nil
}

// fieldWriter writes fields of an object behind the first one, as encoding/json would, in a fraction of the time. What is empty is left out.
type fieldWriter struct {
	data []byte
	err  error
}

func (w *fieldWriter) name(name string) {
	w.data = append(append(append(w.data, `,"`...), name...), `":`...)
}

func (w *fieldWriter) raw(name string, value json.RawMessage) {
	if len(value) == 0 || w.err != nil {
		return
	}
	w.name(name)
	var ok bool
	if w.data, ok = jsontext.AppendCompact(w.data, value); !ok {
		w.err = fmt.Errorf("%s is not JSON", name)
	}
}

func (w *fieldWriter) text(name, text string) {
	if text != "" {
		w.name(name)
		w.data = jsontext.AppendString(w.data, text)
	}
}

func (w *fieldWriter) extra(name string, extra map[string]json.RawMessage) {
	if len(extra) > 0 {
		w.value(name, extra)
	}
}

func (w *fieldWriter) value(name string, v any) {
	encoded, err := jsontext.Encode(v)
	if w.err == nil {
		w.err = err
	}
	w.name(name)
	w.data = append(w.data, encoded...)
}

// DecodeBody puts a stored body into a message.
func (c *Codec) DecodeBody(stored Stored, m *core.Message) error {
	data, err := c.Read(stored)
	if err != nil {
		return core.Wrap(core.Corrupt, err, "the body of message %q is damaged", m.UID)
	}
	return parseBody(data, m)
}

// Verify decodes a stored message into m, whose other fields are set, and compares it with its content hash.
func (c *Codec) Verify(stored Stored, m *core.Message, hash int64) error {
	data, err := c.Read(stored)
	if err != nil {
		return core.Wrap(core.Corrupt, err, "the body of message %q is damaged", m.UID)
	}
	if err := parseBody(data, m); err != nil {
		return err
	}
	if ContentHash(m, data) != hash {
		return core.E(core.Corrupt, "the content of message %q is not what was stored: its content hash differs", m.UID)
	}
	return nil
}

// parseBody puts the JSON of a body into a message.
func parseBody(data []byte, m *core.Message) error {
	var b Body
	if err := json.Unmarshal(data, &b); err != nil {
		return core.Wrap(core.Corrupt, err, "the body of message %q is damaged", m.UID)
	}
	m.Parts, m.FinishRaw, m.Error, m.Origin, m.Meta, m.Extra = b.Parts, b.FinishRaw, b.Error, b.Origin, b.Meta, b.Extra
	if m.Usage != nil {
		m.Usage.Native, m.Usage.Extra = b.UsageNative, b.UsageExtra
	}
	if m.Parts == nil {
		m.Parts = []core.Part{}
	}
	return nil
}

// EachPart calls f for every part and every part in a tool's result.
func EachPart(parts []core.Part, f func(p *core.Part)) {
	for i := range parts {
		f(&parts[i])
		for j := range parts[i].Result {
			f(&parts[i].Result[j])
		}
	}
}

// ContentHash returns the hash of everything that an import may change. An import compares it to decide whether a message has changed.
func ContentHash(m *core.Message, encoded []byte) int64 {
	h := sha256.New()
	usage := core.Usage{}
	if m.Usage != nil {
		usage = *m.Usage
	}
	cost := int64(-1)
	if m.CostNanoUSD != nil {
		cost = *m.CostNanoUSD
	}
	var head []byte
	for _, word := range []string{string(m.Kind), string(m.Role), m.Name, m.Agent, m.Model, m.FinishReason} {
		head = append(strconv.AppendQuote(head, word), ' ')
	}
	head = append(strconv.AppendInt(head, m.CreatedAtMs, 10), ' ')
	head = strconv.AppendBool(head, m.Usage != nil)
	for _, n := range []int64{
		usage.InputTokens, usage.OutputTokens, usage.CacheReadTokens, usage.CacheWriteTokens, usage.ReasoningTokens, cost,
	} {
		head = strconv.AppendInt(append(head, ' '), n, 10)
	}
	if m.FinishedAtMs != 0 { // else the hash is that of libraries without the field
		head = strconv.AppendInt(append(head, ' '), m.FinishedAtMs, 10)
	}
	h.Write(append(head, '\n'))
	h.Write(encoded)
	return int64(binary.BigEndian.Uint64(h.Sum(nil))) //nolint:gosec // bits, not a number
}

// Weigh estimates the memory that parts hold.
func Weigh(parts []core.Part) int {
	n := 0
	EachPart(parts, func(p *core.Part) {
		n += len(p.Text) + len(p.Arguments) + len(p.Structured) + len(p.Native)
		if p.Media != nil {
			n += len(p.Media.Data)
		}
	})
	return n
}
