package app

import (
	"maps"
	"regexp"
	"slices"
	"time"

	"coppice/backend/tools/mcp"
)

// variableUse is where a value takes from the environment.
var variableUse = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// mcpServers returns the MCP servers that are not disabled, sorted by name. Values of env and headers, arguments and urls may
// name variables of the environment as ${NAME}; one that is not set is an Invalid error.
func (s *settings) mcpServers() ([]mcp.Server, error) {
	var servers []mcp.Server
	for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
		m := s.MCP[name]
		if m.Disabled {
			continue
		}
		server, err := m.server(name)
		if err != nil {
			return nil, err
		}
		server.Dir = s.Workspace
		servers = append(servers, server)
	}
	return servers, nil
}

func (m mcpConfig) server(name string) (mcp.Server, error) {
	where := "mcp." + name
	env, err := expandAll(m.Env, where+".env")
	if err != nil {
		return mcp.Server{}, err
	}
	headers, err := expandAll(m.Headers, where+".headers")
	if err != nil {
		return mcp.Server{}, err
	}
	address, err := expand(m.URL, where+".url")
	if err != nil {
		return mcp.Server{}, err
	}
	args := make([]string, len(m.Args))
	for i, arg := range m.Args {
		if args[i], err = expand(arg, where+".args"); err != nil {
			return mcp.Server{}, err
		}
	}
	return mcp.Server{
		Name: name, Command: homePath(m.Command), Args: args, Env: env, URL: address, Headers: headers,
		Timeout: time.Duration(m.Timeout),
	}, nil
}
