package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	// schemaURL is what a schema is called while it is compiled; it is never looked up.
	schemaURL = "tool:///schema"
	// maxCheckSteps bounds the check of one call's arguments. References can double the work with each level, so that a schema
	// of a few kilobytes has more steps than any machine can take.
	maxCheckSteps = 200_000
)

// errTooManySteps ends the check of every schema that begins after maxCheckSteps.
var errTooManySteps = errors.New("the schema takes too many steps")

// checker checks arguments by a tool's schema in a bounded number of steps.
type checker struct {
	schema *jsonschema.Schema
	mu     sync.Mutex // held during a check, for steps
	steps  int
}

// compile prepares a schema for checking. It returns nil for a schema that cannot be used here, for example because of its
// patterns, which are JavaScript's.
func compile(parameters json.RawMessage) *checker {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(parameters))
	if err != nil {
		return nil
	}
	var all []*jsonschema.Schema
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(nothing{})
	compiler.AssertVocabs()
	compiler.RegisterVocabulary(&jsonschema.Vocabulary{
		URL: "tool:///steps",
		Compile: func(ctx *jsonschema.CompilerContext, _ map[string]any) (jsonschema.SchemaExt, error) {
			all = append(all, ctx.Enqueue(nil)) // the schema that is compiled now
			return nil, nil
		},
	})
	if err := compiler.AddResource(schemaURL, document); err != nil {
		return nil
	}
	schema, err := compiler.Compile(schemaURL)
	if err != nil {
		return nil
	}
	c := &checker{schema: schema}
	for _, s := range all {
		s.Format = c.counting(s.Format)
	}
	return c
}

// counting returns a format that counts a step and then checks the given one, if any. The library checks formats before it descends
// into a schema, so a failing one ends that schema.
func (c *checker) counting(format *jsonschema.Format) *jsonschema.Format {
	counted := &jsonschema.Format{}
	if format != nil {
		counted.Name = format.Name
	}
	counted.Validate = func(value any) error {
		c.steps += stepsOf(value)
		switch {
		case c.steps > maxCheckSteps:
			return errTooManySteps
		case format == nil:
			return nil
		default:
			return format.Validate(value)
		}
	}
	return counted
}

// stepsOf returns what one schema costs for a value: each of its members is looked at.
func stepsOf(value any) int {
	switch value := value.(type) {
	case map[string]any:
		return 1 + len(value)
	case []any:
		return 1 + len(value)
	default:
		return 1
	}
}

// check returns why a value does not fit the schema. A schema that takes too many steps excludes nothing: the server checks.
func (c *checker) check(value any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.steps = 0
	err := c.schema.Validate(value)
	if c.steps > maxCheckSteps {
		return nil
	}
	return err
}
