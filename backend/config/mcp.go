package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/tools/mcp"
)

// workspaceVariable is the variable with the path of the workspace: MCP servers find it in their environment, and the
// configuration of a server may use it.
const workspaceVariable = "COPPICE_WORKSPACE"

// serversFolder is where MCP servers start. It is empty: npx, uvx and python -m take programs and settings from the folder
// they start in, and a workspace must not supply those.
func serversFolder() string { return filepath.Join(xdg.DataHome, "coppice", "servers") }

// variableUse is where a value takes from the environment: ${NAME}, or ${NAME:-TEXT} for a text if the variable is empty or not set.
var variableUse = lazyregexp.New(`\$\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\}`)

// MCPServers returns the MCP servers that are to start, sorted by name: none where the workspace is not trusted. Values of env and headers, arguments, urls and
// folders may use variables of the environment as ${NAME}; one that is not set is an Invalid error.
func (s *Settings) MCPServers() ([]mcp.Server, error) {
	var servers []mcp.Server
	if !s.Trusted {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		m := s.MCP[name]
		if m.Disabled {
			continue
		}
		server, err := m.expanded(name, s.Workspace, os.LookupEnv)
		if err == nil && m.Command != "" {
			err = makeServersFolder()
		}
		if err != nil {
			return nil, err
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// Server returns a server of the user's own configuration for a test of it. The workspace in its environment is the empty
// folder in which it starts.
func (s *Settings) Server(name string) (mcp.Server, error) {
	m, found := s.MCP[name]
	if !found {
		return mcp.Server{}, core.E(core.NotFound, "no MCP server %q", name)
	}
	if err := makeServersFolder(); err != nil {
		return mcp.Server{}, err
	}
	return m.expanded(name, serversFolder(), os.LookupEnv)
}

func makeServersFolder() error {
	return core.Wrap(core.Unavailable, os.MkdirAll(serversFolder(), 0o700), "make a folder for MCP servers")
}

// expanded returns the server with the values of the variables that it uses.
func (m MCPServer) expanded(name, workspace string, environ func(name string) (string, bool)) (mcp.Server, error) {
	where := "mcp." + name
	lookup := func(variable string) (string, bool) {
		if variable == workspaceVariable {
			return workspace, true
		}
		return environ(variable)
	}
	server := mcp.Server{Name: name, Timeout: time.Duration(m.Timeout), Args: make([]string, len(m.Args))}
	var err error
	if server.Command, err = expand(HomePath(m.Command), where+".command", lookup); err != nil {
		return mcp.Server{}, err
	}
	if server.Env, err = ExpandAll(m.Env, where+".env", lookup); err != nil {
		return mcp.Server{}, err
	}
	if server.Headers, err = ExpandAll(m.Headers, where+".headers", environ); err != nil {
		return mcp.Server{}, err
	}
	if server.URL, err = expand(m.URL, where+".url", environ); err != nil {
		return mcp.Server{}, err
	}
	for i, arg := range m.Args {
		if server.Args[i], err = expand(arg, where+".args", lookup); err != nil {
			return mcp.Server{}, err
		}
	}
	if m.Command == "" {
		return server, nil
	}
	server.Env[workspaceVariable] = workspace
	if server.Dir, err = expand(HomePath(m.Cwd), where+".cwd", lookup); err == nil && server.Dir == "" {
		server.Dir = serversFolder()
	}
	return server, err
}

// checkMCP finds mistakes in the MCP servers that no single value shows.
func (s *Settings) checkMCP() {
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		m, path := s.MCP[name], "mcp."+name
		switch {
		case (m.Command == "") == (m.URL == ""):
			s.mistake(path, "needs a command or a url, one of them")
		case m.URL != "" && (len(m.Args) > 0 || len(m.Env) > 0 || m.Cwd != ""):
			s.mistake(path, "args, env and cwd go with a command, not with a url")
		case m.Command != "" && len(m.Headers) > 0:
			s.mistake(path, "headers go with a url, not with a command")
		case m.Cwd != "" && !filepath.IsAbs(HomePath(m.Cwd)) && !strings.HasPrefix(m.Cwd, "${"+workspaceVariable+"}"):
			s.mistake(path+".cwd", fmt.Sprintf("invalid path %q: want an absolute path", m.Cwd))
		}
	}
}

// RelativeArguments returns a warning for each MCP server with an argument such as "." or "./docs", which is not relative to the workspace.
func (s *Settings) RelativeArguments() []string {
	var warnings []string
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		m := s.MCP[name]
		at := slices.IndexFunc(m.Args, func(arg string) bool {
			return arg == "." || arg == ".." || strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../")
		})
		if at >= 0 && m.Cwd == "" && !m.Disabled {
			warnings = append(warnings, fmt.Sprintf("mcp.%s.args: %q is not in the workspace, where MCP servers do not start: write ${%s}",
				name, m.Args[at], workspaceVariable))
		}
	}
	return warnings
}
