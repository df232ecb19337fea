package engine

import (
	"encoding/json"
	"slices"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// bounded returns an answer if it is within the bounds of JSON that an import requires, so that what is exported can be
// imported again; otherwise its texts and an Invalid error.
func bounded(m core.Message) (core.Message, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return textsOf(m), core.Wrap(core.Invalid, err, "read the answer")
	}
	if invalid := jsontext.Check(data); invalid != "" {
		return textsOf(m), core.E(core.Invalid, "the answer %s", invalid)
	}
	m.Parts = slices.Clone(m.Parts)
	core.Compact(m.Parts) // the next request has the same bytes whether it is built now or from the library
	return m, nil
}

// textsOf returns an answer without anything that the provider sent as JSON.
func textsOf(m core.Message) core.Message {
	m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p core.Part) bool {
		return p.Type != core.PartText && p.Type != core.PartReasoning
	})
	for i := range m.Parts {
		m.Parts[i].Native, m.Parts[i].Extra = nil, nil
	}
	if m.Usage != nil {
		usage := *m.Usage
		usage.Native = nil
		m.Usage = &usage
	}
	m.Extra, m.Meta = nil, nil
	return m
}
