package window

import (
	"cmp"
	"context"
	"slices"
	"time"

	"coppice/app/internal/guard"
	"coppice/app/internal/version"
	"coppice/app/window/internal/change"
	"coppice/backend/config"
	"coppice/backend/lists"
	"coppice/backend/tools/mcp"
)

// AgentBindings list and change the user's agents, MCP servers and trusted workspaces. An MCP server is saved by the body
// of a request, see acceptServer.
type AgentBindings struct{ *program }

// ListAgents returns the agents that can be chosen, built-in ones first.
func (b *AgentBindings) ListAgents() (agents []AgentView, err error) {
	err = guard.Run(func() error {
		set, err := config.ReadUser()
		if err != nil {
			return err
		}
		own, err := config.UserAgents()
		if err != nil {
			return err
		}
		for _, a := range set.AllAgents() {
			view := AgentView{Name: a.Name, Description: a.Description, Model: a.Model, Mode: string(a.Mode), Tools: lists.NonNil(a.Tools), Source: a.Source}
			view.Edit = config.AgentEdit{Name: a.Name, Extends: a.Name, Tools: []string{}}
			if at := slices.IndexFunc(own, func(e config.AgentEdit) bool { return e.Name == a.Name }); at >= 0 {
				view.Own, view.Edit = true, own[at]
			}
			if effective, err := set.Resolve(a.Name); err == nil {
				view.Mode = string(effective.Mode)
			}
			agents = append(agents, view)
		}
		return nil
	})
	return lists.NonNil(agents), err
}

// SaveAgent changes an agent of the user, or creates it.
func (b *AgentBindings) SaveAgent(edit config.AgentEdit) error {
	return b.configure(func() error { return config.SaveAgent(edit) })
}

// RemoveAgent removes an agent of the user.
func (b *AgentBindings) RemoveAgent(name string) error {
	return b.configure(func() error { return config.RemoveAgent(name) })
}

// ListServers returns the MCP servers of the user's configuration. Values that may be secrets are hidden.
func (b *AgentBindings) ListServers() (servers []config.ServerEdit, err error) {
	err = guard.Run(func() error {
		set, err := config.ReadUser()
		if err == nil {
			servers = set.Servers()
		}
		return err
	})
	return lists.NonNil(servers), err
}

// RemoveServer removes an MCP server from the user's configuration.
func (b *AgentBindings) RemoveServer(name string) error {
	return b.configure(func() error { return config.RemoveServer(name) })
}

// TestServer starts an MCP server of the user's configuration, lists its tools and ends it.
func (b *AgentBindings) TestServer(name string) (result TestResult, err error) {
	err = guard.Run(func() error {
		set, err := config.ReadUser()
		if err != nil {
			return err
		}
		server, err := set.Server(name)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(b.library.lasting(), testPatience)
		defer cancel()
		start := time.Now()
		pool, err := mcp.Open(ctx, []mcp.Server{server}, mcp.Options{Version: version.Number})
		if err != nil {
			return err
		}
		go pool.Close() // it may take long to stop
		state := pool.States()[0]
		result = TestResult{OK: state.Error == "", Message: state.Error, Names: []string{}, TookMs: time.Since(start).Milliseconds()}
		for _, tool := range pool.Tools() {
			spec := tool.Spec()
			result.Names = append(result.Names, cmp.Or(spec.Name, name))
		}
		result.Names = append(result.Names, state.Problems...)
		return nil
	})
	return result, err
}

// ListTrusted returns the workspaces about which the user has answered whether they are trusted.
func (b *AgentBindings) ListTrusted() (folders []config.TrustedFolder, err error) {
	err = guard.Run(func() error {
		folders, err = b.trust.List()
		return err
	})
	return lists.NonNil(folders), err
}

// ForgetTrust removes the answer for a workspace, so that the question is asked again.
func (b *AgentBindings) ForgetTrust(path string) error {
	return guard.Run(func() error {
		if err := b.trust.Remember(path, "", ""); err != nil {
			return err
		}
		b.changes.Library(change.Settings)
		return nil
	})
}
