package agentzero

import (
	"encoding/json"
	"iter"

	"coppice/backend/core"
)

const (
	maxDynamicTools = 100 // of a session
	maxToolName     = 100 // runes
)

// DynamicTools returns the tools that a session had made for itself, from its records in their order. The files of AgentZero name them only: their
// definitions are WebAssembly modules beside the session, which Coppice does not execute.
func DynamicTools(records iter.Seq2[core.Record, error]) ([]core.InactiveTool, error) {
	var names []json.RawMessage
	for record, err := range records {
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
	for _, raw := range names[:min(len(names), maxDynamicTools)] {
		var name string
		if json.Unmarshal(raw, &name) == nil && name != "" {
			name = core.Cut(name, maxToolName)
			tools = append(tools, core.InactiveTool{Name: name, Reason: "its definition is a WebAssembly module in .agentzero/skills/" + name + ", which Coppice does not execute"})
		}
	}
	return tools, nil
}
