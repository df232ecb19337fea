package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"coppice/backend/jsontext"
	"coppice/backend/tools/mcp"
)

// MCPFile is the file of a workspace with the MCP servers that several tools share.
const MCPFile = ".mcp.json"

// sharedServer is a server in an MCPFile.
type sharedServer struct {
	Type     string            `json:"type"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Timeout  float64           `json:"timeout"` // in milliseconds
	Disabled bool              `json:"disabled"`
}

// readMCPFile adds the servers of the workspace's MCPFile that no file of Coppice's configuration defines. What is wrong in it is reported
// and stops no run: the file is written for other tools.
func (s *Settings) readMCPFile(lookup func(name string) (string, bool)) {
	data, err := readWorkspaceFile(s.Workspace, MCPFile)
	if err == nil && len(data) == 0 {
		return
	}
	ignore := func(what, format string, args ...any) {
		s.Ignored = append(s.Ignored, MCPFile+": "+what+" is ignored: "+fmt.Sprintf(format, args...))
	}
	var file struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	if err != nil {
		ignore("the file", "%v", err)
		return
	}
	if len(data) > maxFileBytes {
		ignore("the file", "it has more than %d bytes", maxFileBytes)
		return
	}
	if problem := jsontext.Check(data); problem != "" {
		ignore("the file", "it %s", problem)
		return
	}
	if err := json.Unmarshal(data, &file); err != nil {
		ignore("the file", "%v", err)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		if _, defined := s.MCP[name]; defined {
			continue
		}
		var shared sharedServer
		if err := json.Unmarshal(file.Servers[name], &shared); err != nil {
			ignore("the server "+name, "%v", err)
			continue
		}
		server, problem := shared.server(name)
		if problem == "" && !server.Disabled {
			if _, err := server.expanded(name, s.Workspace, lookup); err != nil {
				problem = err.Error()
			}
		}
		if problem != "" {
			ignore("the server "+name, "%s", problem)
			continue
		}
		s.addServer(name, server)
	}
}

// addServer adds a server of the MCPFile, with the origin of its values.
func (s *Settings) addServer(name string, server MCPServer) {
	if s.MCP == nil {
		s.MCP = map[string]MCPServer{}
	}
	s.MCP[name] = server
	path := "mcp." + name
	keys := []string{path, path + ".command", path + ".args", path + ".url", path + ".timeout", path + ".disabled"}
	for key := range server.Env {
		keys = append(keys, path+".env."+key)
	}
	for key := range server.Headers {
		keys = append(keys, path+".headers."+key)
	}
	for _, key := range keys {
		s.origins[key] = origin{File: MCPFile}
	}
}

// server returns the server as the configuration of Coppice defines one, or why it cannot be used. Paths relative to the workspace name it:
// the server does not start there.
func (f *sharedServer) server(name string) (server MCPServer, problem string) {
	if err := mcp.CheckName(name); err != nil {
		return server, err.Error()
	}
	switch {
	case f.Type == "sse":
		return server, "servers of the type sse are not supported; use http"
	case !slices.Contains([]string{"", "stdio", "http", "streamable-http"}, f.Type):
		return server, fmt.Sprintf("unknown type %q", f.Type)
	case (f.Command == "") == (f.URL == ""):
		return server, "it needs a command or a url, one of them"
	}
	for key := range f.Env {
		if !VariableForm.MatchString(key) {
			return server, fmt.Sprintf("invalid name of a variable %q", key)
		}
	}
	server = MCPServer{Command: inWorkspace(f.Command), URL: f.URL, Disabled: f.Disabled, Timeout: Duration(f.Timeout * float64(time.Millisecond))}
	if f.URL != "" {
		server.Headers = f.Headers
		return server, ""
	}
	server.Env = f.Env
	for _, arg := range f.Args {
		server.Args = append(server.Args, inWorkspace(arg))
	}
	return server, ""
}

// inWorkspace names the workspace in a path that is relative to it.
func inWorkspace(path string) string {
	if path == "." {
		return "${" + workspaceVariable + "}"
	}
	if rest, ok := strings.CutPrefix(path, "./"); ok {
		return "${" + workspaceVariable + "}/" + rest
	}
	return path
}
