// Package answer checks answers of models by a JSON Schema.
package answer

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// MaxSchemaBytes is the limit on the size of a schema, which every request contains.
const MaxSchemaBytes = 64 << 10

// schemaURL is the name of a schema while it is compiled. Nothing is loaded from it.
const schemaURL = "answer:///schema"

// Schema is what an answer must satisfy.
type Schema struct {
	// JSON is the schema without spaces, the same bytes each time.
	JSON     json.RawMessage
	compiled *jsonschema.Schema
}

// Parse reads a schema. The error is Invalid if it is not a JSON Schema, or refers to a file or a server.
func Parse(data []byte) (*Schema, error) {
	if len(data) > MaxSchemaBytes {
		return nil, core.E(core.Invalid, "the schema has %d bytes, more than %d", len(data), MaxSchemaBytes)
	}
	short, ok := jsontext.AppendCompact(nil, data)
	if !ok || !jsontext.IsObject(short) {
		return nil, core.E(core.Invalid, "the schema is not a JSON object")
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(short))
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "read the schema")
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noFiles{})
	if err := compiler.AddResource(schemaURL, document); err != nil {
		return nil, core.Wrap(core.Invalid, err, "read the schema")
	}
	compiled, err := compiler.Compile(schemaURL)
	if err != nil {
		return nil, core.E(core.Invalid, "the schema is not valid: %s", strings.ReplaceAll(err.Error(), schemaURL, ""))
	}
	return &Schema{JSON: short, compiled: compiled}, nil
}

// noFiles lets a schema refer to itself only.
type noFiles struct{}

// Load returns an error.
func (noFiles) Load(url string) (any, error) {
	return nil, core.E(core.Denied, "it refers to %s", url)
}

// maxProblemBytes is the limit on how much of a problem a model and a user are shown.
const maxProblemBytes = 2000

// Value returns the JSON value of an answer, without spaces. The error is Invalid and contains what is wrong if the answer is not one JSON
// value, alone or in one fenced block, or does not satisfy the schema.
func (s *Schema) Value(text string) (json.RawMessage, error) {
	text = unfenced(strings.TrimSpace(text))
	if text == "" {
		return nil, core.E(core.Invalid, "it is empty")
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, core.E(core.Invalid, "it is not one JSON value: %s", strings.TrimPrefix(err.Error(), "jsonschema: "))
	}
	if err := s.compiled.Validate(value); err != nil {
		_, found, _ := strings.Cut(err.Error(), "\n") // the first line names schemaURL
		return nil, core.E(core.Invalid, "%s", core.Cut(found, maxProblemBytes))
	}
	short, ok := jsontext.AppendCompact(nil, []byte(text))
	if !ok {
		return nil, core.E(core.Invalid, "it is not one JSON value")
	}
	return short, nil
}

const fence = "```"

// unfenced returns what is in the fenced block that is all of a text, or the text.
func unfenced(text string) string {
	first, rest, found := strings.Cut(text, "\n")
	if info, isFence := strings.CutPrefix(first, fence); !found || !isFence || strings.Contains(info, "`") {
		return text
	}
	inside, isClosed := strings.CutSuffix(rest, fence)
	if !isClosed {
		return text
	}
	return strings.TrimSpace(inside)
}

// Instruction returns the end of the system prompt, which describes the schema to the model.
func (s *Schema) Instruction() string {
	return "\n\nWhen the work is done, answer with one JSON value that satisfies this JSON Schema, and nothing else: no text before or after it, no Markdown.\n" + string(s.JSON)
}
