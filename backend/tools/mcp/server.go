package mcp

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"time"

	"coppice/backend/core"
)

// A server that ends is restarted after 1 second, then after 4, 16, 60 and 60; then it is left alone. After a server
// has run for a minute, the delays start over.
const (
	maxRestarts = 5
	delayFactor = 4
	maxDelay    = time.Minute
	stableAfter = time.Minute
)

// server keeps one server connected.
type server struct {
	config  Server
	options Options
	cancel  context.CancelFunc
	tried   chan struct{} // closed when the first attempt has succeeded or failed
	ended   chan struct{} // closed when nothing runs any more
	changed chan struct{} // the server reports that its tools have changed

	mu       sync.Mutex
	link     *link // nil: not connected
	status   Status
	reason   string // why link is nil
	tools    []definition
	problems []string
	trying   bool // no attempt has ended yet
}

// engage starts to keep a server connected.
func engage(config Server, options Options) *server {
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{
		config: config, options: options, cancel: cancel, status: StatusStarting, trying: true,
		tried: make(chan struct{}), ended: make(chan struct{}), changed: make(chan struct{}, 1),
	}
	go s.supervise(ctx)
	return s
}

func (s *server) supervise(ctx context.Context) {
	defer close(s.ended)
	restarts, delay := 0, s.options.FirstDelay
	for {
		began := time.Now()
		err := s.serve(ctx)
		if ctx.Err() != nil {
			s.down(StatusClosed, "it is closed")
			return
		}
		if time.Since(began) >= stableAfter {
			restarts, delay = 0, s.options.FirstDelay
		}
		if restarts == maxRestarts || isHopeless(err) {
			s.down(StatusFailed, err.Error())
			return
		}
		s.down(StatusRestarting, err.Error())
		restarts++
		select {
		case <-time.After(delay):
		case <-ctx.Done():
		}
		delay = min(delay*delayFactor, maxDelay)
	}
}

// isHopeless reports whether another attempt would fail in the same way.
func isHopeless(err error) bool {
	return errors.Is(err, exec.ErrNotFound) || core.CodeOf(err) == core.NotFound || core.CodeOf(err) == core.Auth
}

// serve connects and waits until the connection is lost; it returns the cause.
func (s *server) serve(ctx context.Context) error {
	link, err := dial(ctx, s.config, s.options, s.toolsChanged)
	if err != nil {
		return err
	}
	defer link.close()
	if err := s.list(ctx, link); err != nil {
		return link.explain(err)
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-link.lost:
			return link.explain(core.E(core.Unavailable, "the connection to the MCP server %s is lost", s.config.Name))
		case <-s.changed:
			// If the server does not list its new tools, the old ones remain: the server rejects calls of those it has
			// removed.
			_ = s.list(ctx, link)
		}
	}
}

func (s *server) toolsChanged() {
	select {
	case s.changed <- struct{}{}:
	default: // already signalled
	}
}

// list requests the server's tools and puts them to use.
func (s *server) list(ctx context.Context, link *link) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.ConnectTimeout)
	defer cancel()
	told, err := link.tools(ctx)
	if err != nil {
		return core.Wrap(core.Unavailable, err, "list the tools of the MCP server %s", s.config.Name)
	}
	tools, problems := define(s.config, told)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link, s.status, s.reason = link, StatusReady, ""
	s.tools, s.problems = tools, problems
	s.settle()
	return nil
}

// down records that there is no connection, and why.
func (s *server) down(status Status, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link, s.status, s.reason = nil, status, reason
	s.settle()
}

// settle ends the wait of Open; the caller holds the lock.
func (s *server) settle() {
	if s.trying {
		s.trying = false
		close(s.tried)
	}
}

func (s *server) definitions() []definition {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools
}

func (s *server) describe() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return State{
		Server: s.config.Name, Status: s.status, Error: s.reason, ToolCount: int64(len(s.tools)),
		Problems: append([]string{}, s.problems...),
	}
}

// connected returns the link to call a tool through. The error is for the model.
func (s *server) connected(d definition) (*link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == nil {
		return nil, fmt.Errorf("the MCP server %s is not running: %s", s.config.Name, s.reason)
	}
	i := slices.IndexFunc(s.tools, func(other definition) bool { return other.tool == d.tool })
	if i < 0 {
		return nil, fmt.Errorf("the MCP server %s has no tool %s any more", s.config.Name, d.tool)
	}
	if s.tools[i].target != d.target {
		return nil, fmt.Errorf("the MCP server %s has changed its tool %s since this call was permitted; it was not run", s.config.Name, d.tool)
	}
	return s.link, nil
}

func (s *server) close() {
	s.cancel()
	<-s.ended
}
