package launch

import (
	"context"
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

const (
	maxInactive     = 100 // tools of a session
	maxInactiveName = 100 // runes
)

// InactiveTools returns the tools that an imported session had made for itself, such as the dynamic tools of AgentZero. Its files name them
// only: their definitions are WebAssembly modules beside the session, which Coppice does not execute.
func InactiveTools(ctx context.Context, db *sqlite.DB, session core.Session) ([]core.InactiveTool, error) {
	if session.Source != core.SourceAgentZero {
		return nil, nil
	}
	var names []json.RawMessage
	for record, err := range db.Records(ctx, session.ID) {
		if err != nil {
			return nil, err
		}
		var checkpoint struct {
			Tools []json.RawMessage `json:"dynamic_tools"`
		}
		if record.Type == "checkpoint" && json.Unmarshal(record.Body, &checkpoint) == nil {
			names = checkpoint.Tools // those of the newest checkpoint
		}
	}
	var tools []core.InactiveTool
	for _, raw := range names[:min(len(names), maxInactive)] {
		var name string
		if json.Unmarshal(raw, &name) == nil && name != "" {
			name = core.Cut(name, maxInactiveName)
			tools = append(tools, core.InactiveTool{Name: name, Reason: "its definition is a WebAssembly module in .agentzero/skills/" + name + ", which Coppice does not execute"})
		}
	}
	return tools, nil
}
