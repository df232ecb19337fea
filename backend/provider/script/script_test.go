package script_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/script"
)

func TestErrorsHavePositions(t *testing.T) {
	cases := []struct{ text, want string }{
		{``, `:1: the JSON ends too early`},
		{"{\n\"name\": 3}", `:2: name: a number where string is expected`},
		{"{\n\"turns\": [\n{\"alternative\": []}]}", `:3: unknown field "alternative"`},
		{"{\n\n,}", `:3: invalid character ','`},
		{`{}`, `: no turns`},
		{`{"turns": [{"alternatives": [[{}]]}]} x`, `:1: `},
		{`{"turns": [{}]}`, `: turns[0]: no alternatives`},
		{`{"turns": [{"alternatives": [[{}], []]}]}`, `: turns[0].alternatives[1]: no steps`},
		{`{"turns": [{"match": "(", "alternatives": [[{}]]}]}`, `: turns[0].match: error parsing regexp`},
		{`{"turns": [{"alternatives": [[{"toolCalls": [{}]}]]}]}`, `: turns[0].alternatives[0][0].toolCalls[0]: no name`},
		{`{"turns": [{"alternatives": [[{"toolCalls": [{"name": "a", "arguments": 3}]}]]}]}`, `: turns[0].alternatives[0][0].toolCalls[0].arguments: want an object`},
		{`{"turns": [{"alternatives": [[{}, {"error": {"code": "oops"}}]]}]}`, `: turns[0].alternatives[0][1].error.code: unknown code "oops"`},
		{`{"turns": [{"alternatives": [[{"error": {"code": "auth", "times": -2}}]]}]}`, `: turns[0].alternatives[0][0].error: retryAfterMs`},
		{`{"turns": [{"alternatives": [[{"finishReason": "done"}]]}]}`, `: turns[0].alternatives[0][0].finishReason: unknown reason "done"`},
		{`{"turns": [{"alternatives": [[{"delayMs": -1}]]}]}`, `: turns[0].alternatives[0][0].delayMs must not be negative`},
		{`{"turns": [{"alternatives": [[{"cutAfterBytes": -1}]]}]}`, `: turns[0].alternatives[0][0].cutAfterBytes must not be negative`},
		{`{"tokensPerSecond": -1}`, `: contextTokens and tokensPerSecond must not be negative`},
	}
	path := filepath.Join(t.TempDir(), "s.json")
	for _, c := range cases {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := script.Open(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+c.want) || core.CodeOf(err) != core.Invalid || core.HintOf(err) == "" {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := script.Open(path + "x"); core.CodeOf(err) != core.NotFound || core.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
	if _, err := script.Open(t.TempDir()); core.CodeOf(err) != core.Invalid {
		t.Errorf("got %v", err)
	}
}

// The example of the documentation is a valid script, and uses every field.
func TestDocumentedExampleIsAScript(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "script.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "```json\n")
	example, _, found := strings.Cut(after, "```")
	if !found {
		t.Fatal("no example")
	}
	load(t, example)
	for _, field := range []string{
		"name", "contextTokens", "tokensPerSecond", "turns", "match", "alternatives", "reasoning", "text", "toolCalls", "arguments", "usage",
		"costNanoUsd", "finishReason", "delayMs", "error", "code", "message", "retryAfterMs", "times", "cutAfterBytes",
		"inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens",
	} {
		if !strings.Contains(example, `"`+field+`"`) {
			t.Errorf("the example has no %s", field)
		}
	}
}
