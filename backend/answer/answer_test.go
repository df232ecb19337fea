package answer

import (
	"strings"
	"testing"

	"coppice/backend/core"
)

const risk = `{ "type": "object", "required": ["risk"], "additionalProperties": false,
	"properties": { "risk": { "enum": ["low", "high"] }, "lines": { "type": "array", "items": { "type": "integer" } } } }`

func TestValue(t *testing.T) {
	t.Parallel()
	schema, err := Parse([]byte(risk))
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(schema.JSON), " \n\t") {
		t.Errorf("%s", schema.JSON)
	}
	for text, want := range map[string]string{
		`{"risk": "low"}`: `{"risk":"low"}`,
		"\n {\"risk\":\"high\",\"lines\":[1, 2]}\n": `{"risk":"high","lines":[1,2]}`,
		"```json\n{\"risk\": \"low\"}\n```":         `{"risk":"low"}`,
		"```\n{\"risk\": \"low\"}\n```\n":           `{"risk":"low"}`,
		"":                                          "it is empty",
		"The risk is low.":                          "it is not one JSON value",
		"Here it is:\n```json\n{\"risk\":\"low\"}\n```": "it is not one JSON value",
		`{"risk":"low"} {"risk":"low"}`:                 "it is not one JSON value",
		`{"risk":"none"}`:                               "'/risk': value must be one of 'low', 'high'",
		`{}`:                                            "missing property 'risk'",
		`{"risk":"low","why":"x"}`:                      "'why' not allowed",
		`{"risk":"low","lines":["a"]}`:                  "'/lines/0': got string, want integer",
		"```json\n{\"risk\":\"low\"}":                   "it is not one JSON value",
	} {
		got, err := schema.Value(text)
		switch {
		case strings.HasPrefix(want, "{"):
			if err != nil || string(got) != want {
				t.Errorf("%q: %s, %v", text, got, err)
			}
		case err == nil || core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), want):
			t.Errorf("%q: %s, error %v, want %q", text, got, err, want)
		case strings.Contains(err.Error(), schemaURL):
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                                  "not a JSON object",
		`true`:                              "not a JSON object",
		`{"type": "object"`:                 "not a JSON object",
		`{"type": "thing"}`:                 "not valid",
		`{"$ref": "https://example.org/a"}`: "refers to https://example.org/a",
		`{"$ref": "file:///etc/passwd"}`:    "refers to file:///etc/passwd",
		`{"a":"` + strings.Repeat("a", 70000) + `"}`: "more than",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		}
	}
}
