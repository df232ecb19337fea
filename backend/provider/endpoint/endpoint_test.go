package endpoint_test

import (
	"encoding/json"
	"testing"

	"coppice/backend/provider/endpoint"
)

func TestBody(t *testing.T) {
	request := struct {
		Schema json.RawMessage `json:"schema"`
		Model  string          `json:"model"`
	}{json.RawMessage(`{"z":1,"a":{"y":12345678901234567890,"b":"<"}}`), "m"}
	tests := []struct {
		name  string
		extra map[string]any
		want  string
	}{
		{"nothing", nil, `{"schema":{"z":1,"a":{"y":12345678901234567890,"b":"<"}},"model":"m"}`},
		{"a field more", map[string]any{"n": 1.5}, `{"model":"m","n":1.5,"schema":{"z":1,"a":{"y":12345678901234567890,"b":"<"}}}`},
		{"a field less", map[string]any{"schema": nil, "absent": nil}, `{"model":"m"}`},
		{"a field in an object", map[string]any{"schema": map[string]any{"z": nil}}, `{"model":"m","schema":{"a":{"y":12345678901234567890,"b":"<"},"z":null}}`},
		{"an object over a text", map[string]any{"model": map[string]any{"a.b": 1}, "schema": nil}, `{"model":{"a.b":1}}`},
		{"a text over an object", map[string]any{"schema": "none"}, `{"model":"m","schema":"none"}`},
	}
	for _, test := range tests {
		e := endpoint.Endpoint{Extra: test.extra}
		if got, err := e.Body(request); err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v", test.name, got, err)
		}
	}
}
