package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadMCPFile(t *testing.T) {
	t.Parallel()
	lookup := func(name string) (string, bool) {
		value, ok := map[string]string{"TOKEN": "abc", "EMPTY": ""}[name]
		return value, ok
	}
	for name, c := range map[string]struct {
		file    string
		servers string // as the settings have them
		ignored string
	}{
		"a command": {
			`{"mcpServers": {"files": {"type": "stdio", "command": "npx", "args": ["-y", "pkg", ".", "./docs"], "env": {"KEY": "${TOKEN}", "PORT": "${PORT:-80}"}, "timeout": 1500, "x": 1}}, "y": 2}`,
			`files: npx -y pkg ${COPPICE_WORKSPACE} ${COPPICE_WORKSPACE}/docs | KEY=abc PORT=80 npx -y pkg /w /w/docs 1.5s`, "",
		},
		"an address":      {`{"mcpServers": {"a": {"type": "http", "url": "https://${HOST:-x.org}/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}}}`, `a: https://${HOST:-x.org}/mcp | https://x.org/mcp Authorization=Bearer abc 0s`, ""},
		"off":             {`{"mcpServers": {"a": {"command": "x", "disabled": true, "env": {"A": "${NONE}"}}}}`, `a: x (disabled)`, ""},
		"empty variable":  {`{"mcpServers": {"a": {"command": "${EMPTY:-run}"}}}`, `a: ${EMPTY:-run} | run 0s`, ""},
		"defined already": {`{"mcpServers": {"mine": {"command": "evil"}}}`, "", ""},
		"no variable":     {`{"mcpServers": {"a": {"command": "x", "args": ["${NONE}"]}}}`, "", ".mcp.json: the server a is ignored: mcp.a.args: the environment has no NONE"},
		"mistakes": {
			`{"mcpServers": {"a b": {"command": "x"}, "b": {}, "c": {"type": "sse", "url": "https://x"}, "d": {"command": 1}, "e": {"command": "x", "env": {"A=B": "1"}}, "f": {"type": "ws", "url": "x"}}}`, "",
			`.mcp.json: the server a b is ignored: |.mcp.json: the server b is ignored: it needs a command or a url, one of them|.mcp.json: the server c is ignored: servers of the type sse are not supported; use http|.mcp.json: the server d is ignored: json: |.mcp.json: the server e is ignored: invalid name of a variable "A=B"|.mcp.json: the server f is ignored: unknown type "ws"`,
		},
		"no JSON": {`{`, "", ".mcp.json: the file is ignored: it "},
		"a list":  {`[]`, "", ".mcp.json: the file is ignored: json: "},
		"empty":   {``, "", ""},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, MCPFile), []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		s := &Settings{Config: Config{MCP: map[string]MCPServer{"mine": {Command: "good"}}}, Workspace: folder, origins: map[string]origin{}}
		s.readMCPFile(lookup)
		var got []string
		for _, name := range slices.Sorted(maps.Keys(s.MCP)) {
			if name == "mine" {
				continue
			}
			m := s.MCP[name]
			line := name + ": " + m.commandLine()
			if m.Disabled {
				got = append(got, line+" (disabled)")
				continue
			}
			server, err := m.expanded(name, "/w", lookup)
			if err != nil {
				t.Fatal(err)
			}
			delete(server.Env, workspaceVariable)
			var words []string
			for _, key := range slices.Sorted(maps.Keys(server.Env)) {
				words = append(words, key+"="+server.Env[key])
			}
			words = append(append(words, server.Command+server.URL), server.Args...)
			for key, value := range server.Headers {
				words = append(words, key+"="+value)
			}
			got = append(got, fmt.Sprintf("%s | %s %s", line, strings.Join(words, " "), server.Timeout))
			if s.origins["mcp."+name].File != MCPFile {
				t.Errorf("%s: no origin", name)
			}
		}
		if text := strings.Join(got, "|"); text != c.servers || s.MCP["mine"].Command != "good" {
			t.Errorf("%s: %q", name, text)
		}
		ignored := strings.Split(c.ignored, "|")
		if c.ignored == "" {
			ignored = nil
		}
		if len(ignored) != len(s.Ignored) || slices.ContainsFunc(s.Ignored, func(line string) bool {
			return !slices.ContainsFunc(ignored, func(begin string) bool { return strings.HasPrefix(line, begin) })
		}) {
			t.Errorf("%s: %q", name, s.Ignored)
		}
	}
}
