package launch

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"coppice/backend/config"
	"coppice/backend/engine"
	"coppice/backend/tools"
	"coppice/backend/tools/mcp"
)

// toolbox holds the tools of a run.
type toolbox struct {
	box  *tools.Box
	pool *mcp.Pool
}

// toolbox opens the tools for a run in this workspace. The caller must close them.
func (o *RunEnv) toolbox(ctx context.Context) (*toolbox, error) {
	box, err := tools.New(o.toolOptions())
	if err != nil {
		return nil, err
	}
	pool, err := o.servers(ctx)
	if err != nil {
		return nil, errors.Join(err, box.Close())
	}
	return &toolbox{box, pool}, nil
}

// all returns the current tools. MCP servers may change theirs during a run.
func (t *toolbox) all() []engine.Tool {
	var all []engine.Tool
	for _, tool := range t.box.Tools() {
		all = append(all, tool)
	}
	for _, tool := range t.pool.Tools() {
		all = append(all, tool)
	}
	return all
}

// servers returns the names of the MCP servers that are in use.
func (t *toolbox) servers() []string {
	var names []string
	for _, s := range t.pool.States() {
		if s.Error == "" {
			names = append(names, s.Server)
		}
	}
	return names
}

// notices describes the MCP servers, and their tools, that cannot be used.
func (t *toolbox) notices() []string {
	var notices []string
	for _, s := range t.pool.States() {
		if s.Error != "" {
			notices = append(notices, "the MCP server "+s.Server+" cannot be used: "+s.Error)
		}
		for _, problem := range s.Problems {
			notices = append(notices, "the MCP server "+s.Server+": "+problem)
		}
	}
	return notices
}

func (t *toolbox) close() {
	go t.pool.Close() // a server may take long to stop
	if err := t.box.Close(); err != nil {
		slog.Warn("closing the tools", slog.Any("error", err))
	}
}

// servers connects to the configured MCP servers.
func (o *RunEnv) servers(ctx context.Context) (*mcp.Pool, error) {
	servers, err := o.MCPServers()
	if err != nil {
		return nil, err
	}
	return mcp.Open(ctx, servers, mcp.Options{Version: o.version})
}

func (o *RunEnv) toolOptions() tools.Options {
	return tools.Options{
		Workspace: o.Workspace, Library: o.DB.FilePath(), Environ: os.Environ(), Network: o.Tools.Network, Unconfined: o.Tools.Sandbox == config.SandboxOff,
		Cache:          filepath.Join(xdg.CacheHome, "coppice", "commands"),
		CommandTimeout: time.Duration(o.Tools.Timeout), Progress: o.output, FindOutput: o.DB.Output, Skills: o.Skills,
	}
}

// level returns a description of what confines commands.
func (o *RunEnv) level() string { return tools.LevelOf(o.toolOptions()).String() }
