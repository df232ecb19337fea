package app

import (
	"context"

	"coppice/backend/engine"
	"coppice/backend/tools/mcp"
)

// tools are all tools that a run of this workspace can be given, and the words for what confines them. release ends them;
// it is never nil.
func (o *outfit) tools(ctx context.Context) (all []engine.Tool, level string, release func(), err error) {
	release = func() {}
	servers, err := o.mcpServers()
	if err != nil {
		return nil, "", release, err
	}
	pool, err := mcp.Open(ctx, servers, mcp.Options{Version: version})
	if err != nil {
		return nil, "", release, err
	}
	for _, tool := range pool.Tools() {
		all = append(all, tool)
	}
	return all, o.level(), func() { go pool.Close() }, nil
}

// level says what confines commands, in words.
func (o *outfit) level() string { return "none" }
