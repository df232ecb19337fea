package archive

import (
	"bytes"
	"encoding/json"

	"coppice/backend/core"
)

// unknownKey is the field of a session's Meta that holds the session's unknown fields until it is written again.
// Messages and parts hold theirs themselves.
const unknownKey = "unknownFields"

// MarshalJSON writes the session with its unknown fields at the top level.
func (s session) MarshalJSON() ([]byte, error) {
	type plain session
	var unknown map[string]json.RawMessage
	s.Meta, unknown = split(s.Session.Meta)
	data, err := encode(plain(s))
	if err != nil || len(unknown) == 0 {
		return data, err
	}
	known, err := objectOf(data)
	if err != nil {
		return nil, err
	}
	for name := range known {
		delete(unknown, name)
	}
	rest, err := encode(unknown) // sorted by name
	if err != nil || len(unknown) == 0 {
		return data, err
	}
	return append(append(data[:len(data)-1], ','), rest[1:]...), nil
}

// UnmarshalJSON reads a session; unknown fields go to its Meta.
func (s *session) UnmarshalJSON(data []byte) error {
	type plain session
	var read plain
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	unknown, err := objectOf(data)
	if err != nil {
		return err
	}
	// Fields that are left out when empty must be set here to be known.
	empty, err := encode(plain{Session: core.Session{MainUID: "-", HiddenCount: 1, Tags: []string{"-"}, IncompleteStart: true}, Meta: json.RawMessage("{}"), EstimatedNanoUSD: new(int64), UnpricedCount: 1})
	if err != nil {
		return err
	}
	known, err := objectOf(empty)
	if err != nil {
		return err
	}
	for name := range known {
		delete(unknown, name)
	}
	*s = session(read)
	s.Session.Meta, err = join(s.Meta, unknown)
	s.Meta = nil
	return err
}

// split separates the unknown fields from a meta object.
func split(meta json.RawMessage) (rest json.RawMessage, unknown map[string]json.RawMessage) {
	if !bytes.Contains(meta, []byte(`"`+unknownKey+`"`)) {
		return meta, nil
	}
	object, err := objectOf(meta)
	if err != nil {
		return meta, nil
	}
	if unknown, err = objectOf(object[unknownKey]); err != nil {
		return meta, nil
	}
	delete(object, unknownKey)
	if len(object) == 0 {
		return nil, unknown
	}
	rest, err = encode(object)
	if err != nil {
		return meta, nil
	}
	return rest, unknown
}

// join adds unknown fields to a meta object.
func join(meta json.RawMessage, unknown map[string]json.RawMessage) (json.RawMessage, error) {
	if len(unknown) == 0 {
		return meta, nil
	}
	object := map[string]json.RawMessage{}
	if len(meta) > 0 {
		var err error
		if object, err = objectOf(meta); err != nil {
			return nil, err
		}
	}
	fields, err := encode(unknown)
	if err != nil {
		return nil, err
	}
	object[unknownKey] = fields
	return encode(object)
}

// objectOf reads a JSON object; anything else is an error.
func objectOf(data []byte) (map[string]json.RawMessage, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, err
	}
	if object == nil {
		object = map[string]json.RawMessage{}
	}
	return object, nil
}
