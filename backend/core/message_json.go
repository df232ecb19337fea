package core

import (
	"encoding/json"

	"coppice/backend/jsontext"
)

// plainMessage is a Message without its methods, so that encoding it does not call itself.
type plainMessage Message

// MarshalJSON writes the known fields in the order of the struct and then Extra by name, the same bytes each time. Raw
// fields with invalid JSON become strings, so it does not fail.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.Parts == nil {
		m.Parts = []Part{}
	}
	data, err := jsontext.EncodeObject(plainMessage(m), m.Extra)
	if err == nil {
		return data, nil
	}
	m.Meta = jsontext.Sound(m.Meta)
	return jsontext.EncodeObject(plainMessage(m), m.Extra)
}

// UnmarshalJSON reads a message. Unknown fields go to Extra verbatim; a known field of the wrong type is an error that
// names it.
func (m *Message) UnmarshalJSON(data []byte) error {
	message := Message{}
	extra, err := decodeObject(data, message.field, strict)
	if err != nil {
		return err
	}
	message.Extra = extra
	if message.Parts == nil {
		message.Parts = []Part{}
	}
	*m = message
	return nil
}

// decodeObject is jsontext.DecodeObject with errors of kind Invalid.
func decodeObject(data []byte, target func(name string) any, lenient func(name string) bool) (map[string]json.RawMessage, error) {
	if !jsontext.IsObject(data) {
		return nil, E(Invalid, "%s stands where an object is expected", Preview(string(data), 40))
	}
	extra, err := jsontext.DecodeObject(data, target, lenient)
	if err != nil {
		return nil, Wrap(Invalid, err, "")
	}
	return extra, nil
}

// strict makes a known field of the wrong type an error.
func strict(string) bool { return false }

func (m *Message) field(name string) any {
	if to := m.positionField(name); to != nil {
		return to
	}
	switch name {
	case "role":
		return (*string)(&m.Role)
	case "kind":
		return (*string)(&m.Kind)
	case "name":
		return &m.Name
	case "agent":
		return &m.Agent
	case "model":
		return &m.Model
	case "parts":
		return &m.Parts
	case "usage":
		return &m.Usage
	case "costNanoUsd":
		return &m.CostNanoUSD
	case "finishReason":
		return &m.FinishReason
	case "finishRaw":
		return &m.FinishRaw
	case "error":
		return &m.Error
	case "origin":
		return &m.Origin
	case "createdAtMs":
		return &m.CreatedAtMs
	case "finishedAtMs":
		return &m.FinishedAtMs
	case "meta":
		return &m.Meta
	}
	return nil
}

// setPosition returns the destination of a field that belongs to the message's position.
func (m *Message) positionField(name string) any {
	switch name {
	case "uid":
		return &m.UID
	case "seq":
		return &m.Seq
	case "turn":
		return &m.Turn
	case "branch":
		return &m.Branch
	case "depth":
		return &m.Depth
	case "parentUid":
		return &m.ParentUID
	case "siblings":
		return &m.Siblings
	case "siblingIndex":
		return &m.SiblingIndex
	}
	return nil
}
