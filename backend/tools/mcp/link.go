package mcp

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"coppice/backend/core"
)

// handshakes are the protocol versions to try, in order; the empty one is the newest. The older handshake goes first
// because nearly every server knows it, and some end if their first message is another one.
var handshakes = [...]string{"2025-11-25", ""}

// Bounds on what a server may declare.
const (
	maxTools        = 1000
	maxMessageBytes = 32 << 20
)

// closeTimeout is how long a server may take to respond to the end of the connection.
const closeTimeout = 2 * time.Second

// link is one connection to a server.
type link struct {
	session *sdk.ClientSession
	process *process      // nil: over HTTP
	lost    chan struct{} // closed when the connection has ended
}

// dial connects to a server. changed is called, from any goroutine, when the server reports that its tools have
// changed.
func dial(ctx context.Context, config Server, options Options, changed func()) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, options.ConnectTimeout)
	defer cancel()
	var err error
	for _, version := range handshakes {
		var l *link
		if l, err = shakeHands(ctx, config, options, version, changed); err == nil {
			return l, nil
		}
		if _, refused := errors.AsType[*jsonrpc.Error](err); !refused {
			break
		}
	}
	return nil, err
}

func shakeHands(ctx context.Context, config Server, options Options, version string, changed func()) (*link, error) {
	l := &link{lost: make(chan struct{})}
	transport, err := l.transport(config, options)
	if err != nil {
		return nil, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "coppice", Version: options.Version}, &sdk.ClientOptions{
		Capabilities:           &sdk.ClientCapabilities{}, // neither roots nor sampling: a server gets only the arguments of its calls
		MultiRoundTrip:         &sdk.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed() },
	})
	l.session, err = client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		err = l.explain(core.Wrap(codeOf(err), err, "connect to the MCP server %s", config.Name))
		l.close()
		return nil, err
	}
	go func() {
		_ = l.session.Wait() // the process, or the call that failed, reports the cause
		close(l.lost)
	}()
	return l, nil
}

func (l *link) transport(config Server, options Options) (sdk.Transport, error) {
	if config.URL != "" {
		return &sdk.StreamableClientTransport{Endpoint: config.URL, HTTPClient: httpClient(config, options), MaxRetries: 2}, nil
	}
	process, err := start(config, options.Environ)
	if err != nil {
		return nil, err
	}
	l.process = process
	return &sdk.IOTransport{Reader: process, Writer: process.stdin, MaxLineLength: maxMessageBytes}, nil
}

// codeOf returns the code for the error that ended a connection. The SDK reports an HTTP status in its text only.
func codeOf(err error) core.Code {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return core.Timeout
	case strings.HasSuffix(err.Error(), http.StatusText(http.StatusUnauthorized)),
		strings.HasSuffix(err.Error(), http.StatusText(http.StatusForbidden)):
		return core.Auth
	default:
		return core.Unavailable
	}
}

// tools requests all tools, page by page.
func (l *link) tools(ctx context.Context) ([]*sdk.Tool, error) {
	var tools []*sdk.Tool
	for tool, err := range l.session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if tools = append(tools, tool); len(tools) > maxTools {
			return nil, core.E(core.Invalid, "it has more than %d tools", maxTools)
		}
	}
	return tools, nil
}

// explain adds the last output of the process to an error that its end has caused.
func (l *link) explain(err error) error {
	if l.process == nil {
		return err
	}
	last := l.process.lastWords()
	if last == "" {
		return err
	}
	return core.Wrap(core.CodeOf(err), errors.New(last), "%s", err.Error())
}

// close ends the connection, and the process if there is one. It ignores errors.
func (l *link) close() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if l.session != nil {
			_ = l.session.Close()
		}
	}()
	if l.process != nil {
		l.process.stop()
	}
	select {
	case <-closed:
	case <-time.After(closeTimeout): // a server over HTTP that does not respond to the end of the session
	}
}
