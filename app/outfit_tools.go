package app

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"coppice/backend/engine"
	"coppice/backend/tools"
	"coppice/backend/tools/mcp"
	"coppice/backend/tools/sandbox"
)

// tools are all tools that a run of this workspace can be given, and the words for what confines them. release ends them;
// it is never nil.
func (o *outfit) tools(ctx context.Context) (all []engine.Tool, level string, release func(), err error) {
	release = func() {}
	box, err := tools.New(tools.Options{Workspace: o.Workspace, Environ: os.Environ(), Network: o.Tools.Network, Progress: o.output})
	if err != nil {
		return nil, "", release, err
	}
	for _, tool := range box.Tools() {
		all = append(all, tool)
	}
	pool, err := o.servers(ctx)
	if err != nil {
		return nil, "", release, errors.Join(err, box.Close())
	}
	for _, tool := range pool.Tools() {
		all = append(all, tool)
	}
	release = func() {
		go pool.Close() // a server may take its time
		if err := box.Close(); err != nil {
			slog.Warn("closing the tools", slog.Any("error", err))
		}
	}
	return all, box.Level(), release, nil
}

// servers connects to the MCP servers that are set up.
func (o *outfit) servers(ctx context.Context) (*mcp.Pool, error) {
	servers, err := o.mcpServers()
	if err != nil {
		return nil, err
	}
	return mcp.Open(ctx, servers, mcp.Options{Version: version})
}

// level says what confines commands, in words.
func (o *outfit) level() string { return sandbox.Detect(o.Tools.Network).String() }
