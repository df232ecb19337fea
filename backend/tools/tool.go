package tools

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

//go:embed *.md
var descriptions embed.FS

// tool is a Tool with arguments of type A.
type tool[A any] struct {
	spec   core.ToolSpec
	schema schema
	access func(ctx context.Context, args A) (core.Access, error)
	run    func(ctx context.Context, call core.ToolCall, args A) (core.ToolResult, error)
}

// schema is the part of a tool's JSON schema that its arguments are checked against; their types are those of A's
// fields.
type schema struct {
	Type                 string                     `json:"type"`
	Properties           map[string]json.RawMessage `json:"properties"`
	Required             []string                   `json:"required"`
	AdditionalProperties bool                       `json:"additionalProperties"`
}

// define returns a tool. properties is the content of the JSON schema's properties. It panics if that is not valid
// JSON, which any test of the tool reveals.
func define[A any](name, properties string, required ...string) *tool[A] {
	description, err := descriptions.ReadFile(name + ".md")
	if err != nil {
		panic(err)
	}
	t := &tool[A]{schema: schema{Type: "object", Required: append([]string{}, required...)}} // not nil: some providers reject null
	if err := json.Unmarshal([]byte("{"+properties+"}"), &t.schema.Properties); err != nil {
		panic(fmt.Errorf("schema of %s: %w", name, err))
	}
	parameters, err := json.Marshal(t.schema)
	if err != nil {
		panic(fmt.Errorf("schema of %s: %w", name, err))
	}
	t.spec = core.ToolSpec{Name: name, Description: strings.TrimSpace(string(description)), Parameters: parameters}
	return t
}

// Spec returns the definition of the tool for models.
func (t *tool[A]) Spec() core.ToolSpec { return t.spec }

// Access returns what the call would touch.
func (t *tool[A]) Access(ctx context.Context, arguments json.RawMessage) (core.Access, error) {
	args, err := t.read(arguments)
	if err != nil {
		return core.Access{}, err
	}
	access, err := t.access(ctx, args)
	if core.CodeOf(err) == core.Denied {
		return core.Access{Effect: access.Effect, Title: access.Title, Forbidden: err.Error()}, nil
	}
	return access, err
}

// Run runs the call.
func (t *tool[A]) Run(ctx context.Context, call core.ToolCall) core.ToolResult {
	args, err := t.read(call.Arguments)
	if err != nil {
		return core.ErrorResult(err.Error())
	}
	result, err := t.run(ctx, call, args)
	if err != nil {
		return core.ErrorResult(err.Error())
	}
	return result
}

// read decodes and checks the arguments. The error names the invalid argument for the model.
func (t *tool[A]) read(arguments json.RawMessage) (A, error) {
	var args A
	raw := bytes.TrimSpace(arguments)
	if len(raw) == 0 || string(raw) == "null" || string(raw) == `""` {
		raw = []byte("{}")
	}
	given := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &given); err != nil {
		return args, core.E(core.Invalid, "the arguments of %s must be a JSON object: %v", t.spec.Name, err)
	}
	for _, name := range t.schema.Required {
		if value, ok := given[name]; !ok || string(value) == "null" {
			return args, core.E(core.Invalid, "%s needs the argument %q", t.spec.Name, name)
		}
	}
	for name := range given {
		if _, ok := t.schema.Properties[name]; !ok {
			return args, core.E(core.Invalid, "%s has no argument %q; it has %s", t.spec.Name, name, t.names())
		}
	}
	if err := json.Unmarshal(raw, &args); err != nil {
		if misfit, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return args, core.E(core.Invalid, "the argument %q of %s must not be a %s, but a %s", misfit.Field, t.spec.Name, misfit.Value, misfit.Type)
		}
		return args, core.E(core.Invalid, "the arguments of %s: %v", t.spec.Name, err)
	}
	return args, nil
}

func (t *tool[A]) names() string {
	names := make([]string, 0, len(t.schema.Properties))
	for name := range t.schema.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// within returns an error if a number is outside a range.
func within(name string, value, least, most int) error {
	if value < least || value > most {
		return core.E(core.Invalid, "the argument %q must be between %d and %d", name, least, most)
	}
	return nil
}
