// Package mcp lets a model use the tools of other programs: a client of the Model Context Protocol for servers
// that run as child processes and for servers reached over HTTP.
//
// No server is trusted. What it says of its tools is text for the model and a hint for people, never a reason not to
// ask; a permission holds for one definition of a tool, so that a tool that changes is asked for again; a child
// is given an allow-list of environment variables and never a key of ours; all that it sends is bounded.
package mcp

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"sync"
	"time"

	"coppice/backend/core"
)

// Server says how a server is reached: by a Command to run, or at a URL.
type Server struct {
	Name    string // letters and digits, with single _ or - between them, 32 at most
	Command string
	Args    []string
	Env     map[string]string // beside the allow-list
	Dir     string            // where the command runs; empty: here
	URL     string            // of a streamable HTTP endpoint
	Headers map[string]string // sent to the URL's host and to no other
	Timeout time.Duration     // of one call; 0: a minute
}

// Options are the same for all servers. The zero value is ready to use.
type Options struct {
	Version        string        // ours, told to the servers
	ConnectTimeout time.Duration // how long a server may take to be ready; 0: 30 seconds
	Environ        []string      // where the allowed variables are taken from; nil: this process
	HTTPClient     *http.Client  // nil: one without a timeout of its own
	FirstDelay     time.Duration // before the first restart, the next ones wait four times longer, a minute at most; 0: a second
	listenTimeout  time.Duration // how long a server may take to say whether it offers a stream of its own; 0: 5 seconds
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

var nameForm = regexp.MustCompile(`^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$`)

// CheckName returns an Invalid error for what cannot be the name of a server. With names of this form
// SERVER__TOOL has one reading.
func CheckName(name string) error {
	if len(name) > 32 || !nameForm.MatchString(name) {
		return core.E(core.Invalid, "%q cannot be the name of an MCP server", name).
			WithHint("letters and digits, with single _ or - between them, 32 at most")
	}
	return nil
}

// Open connects to servers, all at the same time, and returns when each is ready or has failed for the first time.
// A server that fails is told by States and tried again in the background; it stops no other. The error is Invalid, of a Server that
// makes no sense, or ctx's. ctx bounds Open alone; Close ends the servers.
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
			return core.E(core.Invalid, "there are two MCP servers %q", s.Name)
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

// Tools returns the tools that the servers have at this moment, in the servers' order. The tools of a server that
// is down stay, and answer with an error.
func (p *Pool) Tools() []*Tool {
	var tools []*Tool
	for _, s := range p.servers {
		for _, d := range s.definitions() {
			tools = append(tools, &Tool{server: s, definition: d})
		}
	}
	return tools
}

// States tells how the servers are, in their order.
func (p *Pool) States() []State {
	states := make([]State, len(p.servers))
	for i, s := range p.servers {
		states[i] = s.describe()
	}
	return states
}

// Close ends the servers, with all the processes they started. It takes up to two seconds where one of
// them does not end when it is asked to: no place for it where a person waits.
func (p *Pool) Close() {
	var wait sync.WaitGroup
	for _, s := range p.servers {
		wait.Go(s.close)
	}
	wait.Wait()
}
