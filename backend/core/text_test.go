package core_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func TestPreview(t *testing.T) {
	tests := []struct {
		text  string
		limit int
		want  string
	}{
		{"", 10, ""},
		{" \n\t ", 10, ""},
		{"  two\n\n words\t", 20, "two words"},
		{"exactly", 7, "exactly"},
		{"exactly\n", 7, "exactly"},
		{"one more", 7, "one mo…"},
		{"cut at gap", 5, "cut…"},
		{"早上好世界", 3, "早上…"},
		{"a\xffb", 5, "a\uFFFDb"},
		{"bell\a\x00rings", 20, "bell rings"},
		{"any", 0, ""},
		{"any", 1, "…"},
	}
	for _, test := range tests {
		if got := core.Preview(test.text, test.limit); got != test.want {
			t.Errorf("Preview(%q, %d) = %q, want %q", test.text, test.limit, got, test.want)
		}
	}
}

func TestPreviewIsShortAndOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, limit := rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "limit")
		line := core.Preview(text, limit)
		if !utf8.ValidString(line) || utf8.RuneCountInString(line) > limit || strings.ContainsAny(line, "\n\r\t") {
			t.Fatalf("%q", line)
		}
		if core.Preview(line, limit) != line {
			t.Fatalf("the preview of %q is not itself", line)
		}
	})
}

func TestMessagePreview(t *testing.T) {
	call := core.Part{Type: core.PartToolCall, Name: "read_file", Arguments: json.RawMessage(`{"path":"a.go"}`)}
	tests := []struct {
		name  string
		parts []core.Part
		want  string
	}{
		{"nothing", nil, ""},
		{"text before reasoning", []core.Part{{Type: core.PartReasoning, Text: "hm"}, {Type: core.PartText, Text: "Hello"}}, "Hello"},
		{"a call alone", []core.Part{call}, `read_file {"path":"a.go"}`},
		{"a result", []core.Part{{Type: core.PartToolResult, Result: []core.Part{{Type: core.PartText, Text: "done"}}}}, "done"},
		{"media", []core.Part{{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Name: "chart.png"}}}, "[chart.png image/png]"},
	}
	for _, test := range tests {
		m := core.Message{Parts: test.parts}
		if got := m.Preview(80); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
