package mcp

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

// parametersOf returns a schema as the server sent it. Providers require that it declares an object; MCP requires that
// too, but some servers leave it out.
func parametersOf(schema any) (json.RawMessage, error) {
	object, ok := schema.(map[string]any)
	if !ok && schema != nil {
		return nil, core.E(core.Invalid, "its schema is not an object")
	}
	switch object["type"] {
	case "object":
	case nil:
		whole := map[string]any{"type": "object"}
		for key, value := range object {
			whole[key] = value
		}
		object = whole
	default:
		return nil, core.E(core.Invalid, "its arguments are not an object")
	}
	data, err := json.Marshal(object)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "write its schema")
	}
	if len(data) > maxSchemaBytes {
		return nil, core.E(core.Invalid, "its schema has %d bytes, more than %d", len(data), maxSchemaBytes)
	}
	return data, nil
}

// nothing prevents a schema from reading files: it may refer only to itself.
type nothing struct{}

// Load returns an error.
func (nothing) Load(url string) (any, error) {
	return nil, core.E(core.Denied, "the schema refers to %s", url)
}

// checkArguments returns an Invalid error, for the model, if the arguments are not an object or do not match the
// schema.
func checkArguments(schema *checker, arguments json.RawMessage) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return core.Wrap(core.Invalid, err, "the arguments are not valid JSON")
	}
	if _, ok := value.(map[string]any); !ok {
		return core.E(core.Invalid, "the arguments are not an object")
	}
	if schema == nil {
		return nil
	}
	if err := schema.check(value); err != nil {
		_, found, _ := strings.Cut(err.Error(), "\n") // the first line names schemaURL
		shown, _ := excerpt.Text(found, 2000, 40)
		return core.E(core.Invalid, "the arguments do not fit the schema:\n%s", shown)
	}
	return nil
}
