package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
)

type node = map[string]any

// doubling returns a schema of so many definitions, each of which refers twice to the next one; below wraps two references.
func doubling(levels int, leaf node, below func(a, b node) node) node {
	defs := node{fmt.Sprint("a", levels): leaf}
	for i := range levels {
		next := func() node { return node{"$ref": fmt.Sprint("#/$defs/a", i+1)} }
		defs[fmt.Sprint("a", i)] = below(next(), next())
	}
	return node{"type": "object", "$defs": defs, "allOf": []any{node{"$ref": "#/$defs/a0"}}}
}

// TestDoublingReferencesEnd checks arguments by schemas whose references multiply: with 60 levels each check would take 2^60 steps.
func TestDoublingReferencesEnd(t *testing.T) {
	list := func(keyword string) func(a, b node) node {
		return func(a, b node) node { return node{keyword: []any{a, b}} }
	}
	self := func(a, b node) node { return node{"dependentSchemas": node{"x": a, "y": b}} }
	anything, nothing := node{"minProperties": 1}, node{"type": "string"}
	for name, schema := range map[string]node{
		"allOf":                doubling(60, anything, list("allOf")),
		"allOf, nothing fits":  doubling(60, nothing, list("allOf")),
		"anyOf, nothing fits":  doubling(60, nothing, list("anyOf")),
		"oneOf":                doubling(60, anything, list("oneOf")),
		"dependentSchemas":     doubling(60, anything, self),
		"not":                  {"type": "object", "not": doubling(60, nothing, self)["allOf"].([]any)[0], "$defs": doubling(60, nothing, self)["$defs"]},
		"if and then":          doubling(60, anything, func(a, b node) node { return node{"if": a, "then": b} }),
		"if and else":          doubling(60, nothing, func(a, b node) node { return node{"if": a, "else": b} }),
		"members":              doubling(60, anything, func(a, b node) node { return node{"allOf": []any{a}, "properties": node{"x": b}} }),
		"names":                {"type": "object", "propertyNames": doubling(60, node{"minLength": 1}, list("allOf"))["allOf"].([]any)[0], "$defs": doubling(60, node{"minLength": 1}, list("allOf"))["$defs"]},
		"unevaluated":          merged(doubling(60, anything, list("allOf")), node{"unevaluatedProperties": false}),
		"an older draft":       merged(doubling(60, anything, list("allOf")), node{"$schema": "http://json-schema.org/draft-07/schema#"}),
		"the oldest draft":     merged(doubling(60, anything, list("anyOf")), node{"$schema": "http://json-schema.org/draft-04/schema#"}),
		"dynamic references":   dynamic(),
		"its own dialect":      merged(doubling(60, anything, list("allOf")), node{"$schema": "https://json-schema.org/draft/2019-09/schema"}),
		"members in all items": doubling(60, anything, func(a, b node) node { return node{"properties": node{"x": node{"items": a}}, "allOf": []any{a, b}} }),
	} {
		t.Run(name, func(t *testing.T) {
			parameters, err := json.Marshal(schema)
			if err != nil {
				t.Fatal(err)
			}
			c := compile(parameters)
			if c == nil {
				t.Fatal("the schema is not compiled")
			}
			if err := checkArguments(c, []byte(`{"x":[1,2],"y":2}`)); err != nil && c.steps > maxCheckSteps {
				t.Errorf("a check that did not end refuses: %v", err)
			}
			// What began before the last step may count one more for each schema that refers to others.
			if c.steps > maxCheckSteps+4*len(parameters) {
				t.Errorf("%d steps", c.steps)
			}
		})
	}
}

func merged(a, b node) node {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// dynamic returns a schema whose dynamic references double.
func dynamic() node {
	defs := node{}
	for i := range 60 {
		next := fmt.Sprint("#d", i+1)
		defs[fmt.Sprint("a", i)] = node{"$dynamicAnchor": fmt.Sprint("d", i), "allOf": []any{node{"$dynamicRef": next}, node{"$dynamicRef": next}}}
	}
	defs["a60"] = node{"$dynamicAnchor": "d60", "minProperties": 1}
	return node{"type": "object", "$defs": defs, "allOf": []any{node{"$dynamicRef": "#d0"}}}
}

// TestOrdinarySchemasAreChecked checks that counting steps changes no result, formats of older drafts included.
func TestOrdinarySchemasAreChecked(t *testing.T) {
	for _, test := range []struct {
		schema, arguments string
		fits              bool
	}{
		{`{"type":"object","properties":{"n":{"$ref":"#"}},"additionalProperties":false}`, `{"n":{"n":{}}}`, true},
		{`{"type":"object","properties":{"n":{"$ref":"#"}},"additionalProperties":false}`, `{"n":{"m":{}}}`, false},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"d":{"type":"string","format":"date"}}}`, `{"d":"2026-03-04"}`, true},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"d":{"type":"string","format":"date"}}}`, `{"d":"yesterday"}`, false},
		{`{"type":"object","not":{"required":["x"]}}`, `{"x":1}`, false},
		{`{"type":"object","properties":{"list":{"type":"array","items":{"type":"integer"}}}}`, `{"list":[1,2,"3"]}`, false},
	} {
		c := compile([]byte(test.schema))
		if c == nil {
			t.Fatalf("%s is not compiled", test.schema)
		}
		for range 2 {
			if err := checkArguments(c, []byte(test.arguments)); (err == nil) != test.fits {
				t.Errorf("%s by %s: %v", test.arguments, test.schema, err)
			}
		}
	}
}
