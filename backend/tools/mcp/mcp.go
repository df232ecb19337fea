// Package mcp lets a model use the tools of other programs: a client of the Model Context Protocol for servers that run
// as child processes and for servers reached over HTTP.
//
// No server is trusted. Its claims about its tools are text for the model and a hint for users, never a reason not to
// ask; a permission is for one definition of a tool, so that a changed tool needs a new permission; a child gets an
// allow-list of environment variables and never a key of ours; everything it sends is bounded.
package mcp

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
)

// Server configures the connection to a server: a Command to run, or a URL.
type Server struct {
	Name    string // letters and digits, with single _ or - between them, 32 at most
	Command string
	Args    []string
	Env     map[string]string // in addition to the allow-list
	Dir     string            // where the command runs; empty: the current folder
	URL     string            // of a streamable HTTP endpoint
	Headers map[string]string // sent to the URL's host and to no other
	Timeout time.Duration     // of one call; 0: a minute
}

// Options are the same for all servers. The zero value is ready to use.
type Options struct {
	Version        string        // ours, sent to the servers
	ConnectTimeout time.Duration // how long a server may take to be ready; 0: 30 seconds
	Environ        []string      // the source of the allowed variables; nil: this process
	HTTPClient     *http.Client  // nil: one without a timeout of its own
	FirstDelay     time.Duration // before the first restart; each later delay is four times longer, at most a minute; 0: a second
	listenTimeout  time.Duration // how long a server may take to respond whether it offers a stream of its own; 0: 5 seconds
}

const (
	callTimeout    = time.Minute
	connectTimeout = 30 * time.Second
	firstDelay     = time.Second
	listenTimeout  = 5 * time.Second
)

// Pool is the servers of a run. It may be used concurrently.
type Pool struct {
	servers []*server
}

var nameForm = lazyregexp.New(`^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$`)

// CheckName returns an Invalid error if the name cannot be that of a server. With names of this form SERVER__TOOL is
// unambiguous.
func CheckName(name string) error {
	if len(name) > 32 || !nameForm.MatchString(name) {
		return core.E(core.Invalid, "%q cannot be the name of an MCP server", name).
			WithHint("letters and digits, with single _ or - between them, 32 at most")
	}
	return nil
}

// Open connects to servers, all at the same time, and returns when each is ready or has failed for the first time.
// States reports a server that fails; it is retried in the background and does not stop the others. The error is
// Invalid, for a Server that is not valid, or that of ctx. ctx bounds Open alone; Close ends the servers.
func Open(ctx context.Context, servers []Server, options Options) (*Pool, error) {
	if err := check(servers); err != nil {
		return nil, err
	}
	options.ConnectTimeout = cmp.Or(options.ConnectTimeout, connectTimeout)
	options.FirstDelay = cmp.Or(options.FirstDelay, firstDelay)
	options.listenTimeout = cmp.Or(options.listenTimeout, listenTimeout)
	if options.Environ == nil {
		options.Environ = os.Environ()
	}
	pool := &Pool{}
	for _, config := range servers {
		config.Timeout = cmp.Or(config.Timeout, callTimeout)
		pool.servers = append(pool.servers, engage(config, options))
	}
	for _, s := range pool.servers {
		select {
		case <-s.tried:
		case <-ctx.Done():
			pool.Close()
			return nil, core.Wrap(core.CodeOf(ctx.Err()), ctx.Err(), "connect to the MCP servers")
		}
	}
	return pool, nil
}

func check(servers []Server) error {
	seen := map[string]bool{}
	for _, s := range servers {
		if err := CheckName(s.Name); err != nil {
			return err
		}
		if seen[s.Name] {
			return core.E(core.Invalid, "duplicate MCP server %q", s.Name)
		}
		seen[s.Name] = true
		if (s.Command == "") == (s.URL == "") {
			return core.E(core.Invalid, "the MCP server %q needs either a command or a URL", s.Name)
		}
		if s.URL != "" {
			if u, err := url.Parse(s.URL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
				return core.E(core.Invalid, "the URL of the MCP server %q is not an http or https address", s.Name)
			}
		}
	}
	return nil
}

// Tools returns the tools that the servers have now, in the order of the servers. The tools of a server that is down
// remain, and calling them returns an error.
func (p *Pool) Tools() []*Tool {
	var tools []*Tool
	for _, s := range p.servers {
		for _, d := range s.definitions() {
			tools = append(tools, &Tool{server: s, definition: d})
		}
	}
	return tools
}

// States returns the states of the servers, in their order.
func (p *Pool) States() []State {
	states := make([]State, len(p.servers))
	for i, s := range p.servers {
		states[i] = s.describe()
	}
	return states
}

// Close ends the servers, with all the processes they started. It takes up to two seconds if one of them does not end
// on request, so do not call it while a user waits.
func (p *Pool) Close() {
	var wait sync.WaitGroup
	for _, s := range p.servers {
		wait.Go(s.close)
	}
	wait.Wait()
}
