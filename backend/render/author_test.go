package render

import (
	"strings"
	"testing"

	"coppice/backend/core"
)

// An answer is headed by its agent; a prompt is headed by the user alone, whichever agent answers it.
func TestAuthorsOfMessages(t *testing.T) {
	for _, c := range []struct {
		m    core.Message
		want string
	}{
		{core.Message{Role: core.RoleUser, Kind: core.KindMessage, Agent: "writer"}, "You"},
		{core.Message{Role: core.RoleUser, Kind: core.KindCommand, Agent: "writer"}, "Command"},
		{core.Message{Role: core.RoleAssistant, Kind: core.KindMessage, Agent: "writer", Model: "demo/one"}, "Assistant · writer · demo/one"},
		{core.Message{Role: core.RoleTool, Kind: core.KindMessage, Agent: "writer"}, "Tool · writer"},
		{core.Message{Role: core.RoleUser, Kind: core.KindMeta, Name: core.JoinName, Agent: "writer"}, "Joined answers"},
		{core.Message{Role: core.RoleUser, Kind: core.KindMeta, Agent: "writer"}, "Context"},
		{core.Message{Role: core.RoleUser, Kind: core.KindCompaction, Agent: "writer"}, "Summary · writer"},
	} {
		if got := strings.Join(append([]string{speaker(&c.m)}, messageFacts(&c.m)...), " · "); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.m.Role, c.m.Kind, got, c.want)
		}
		if got, want := isContext(&c.m), c.want == "Context" || c.want == "Command"; got != want {
			t.Errorf("%s: is context: %v", c.want, got)
		}
	}
}
