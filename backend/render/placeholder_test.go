package render

import (
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
)

// TestPlaceholderTokensAreNotCounted checks the answer of Claude Code with one output token for a long text.
func TestPlaceholderTokensAreNotCounted(t *testing.T) {
	answer := core.Message{
		Role: core.RoleAssistant, Origin: &core.Origin{Protocol: "anthropic"}, Usage: &core.Usage{InputTokens: 40, OutputTokens: 1},
		Parts: []core.Part{{Type: core.PartText, Text: strings.Repeat("long ", 100)}},
	}
	if facts := messageFacts(&answer); !slices.Contains(facts, "40 tok in") {
		t.Errorf("the facts of an answer with a placeholder are %q", facts)
	}
	answer.FinishReason = core.FinishStop
	if facts := messageFacts(&answer); !slices.Contains(facts, "41 tok") {
		t.Errorf("the facts of a complete answer are %q", facts)
	}
}
