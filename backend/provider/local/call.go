package local

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
)

// maxBytes limits an answer, because the process at the port need not be a model server.
const maxBytes = 8 << 20

// newClient returns a client that connects to this machine only, whatever a name resolves to, a proxy is set to or a
// server redirects to.
func newClient() *http.Client {
	dialer := &net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !at.Addr().Unmap().IsLoopback() {
			return fmt.Errorf("%s is not on this machine", address)
		}
		return nil
	}}
	return &http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// caller calls one server.
type caller struct {
	client   *http.Client
	endpoint Endpoint
	answer   time.Duration
}

// first gets JSON with the short timeout, which shows whether the server runs at all.
func (c *caller) first(ctx context.Context, path string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, c.answer)
	defer cancel()
	return c.get(ctx, path, into)
}

// get gets JSON. It returns an Auth error if the server requires a key, and Unavailable for any other failure.
func (c *caller) get(ctx context.Context, path string, into any) error {
	return c.do(ctx, http.MethodGet, path, nil, into)
}

func (c *caller) post(ctx context.Context, path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return core.Wrap(core.Internal, err, "call %s", c.endpoint.URL)
	}
	return c.do(ctx, http.MethodPost, path, data, into)
}

func (c *caller) do(ctx context.Context, method, path string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.endpoint.URL+path, bytes.NewReader(body))
	if err != nil {
		return core.Wrap(core.Unavailable, err, "call %s", c.endpoint.URL)
	}
	if c.endpoint.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.endpoint.Key)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.client.Do(request)
	if err != nil {
		return core.Wrap(core.Unavailable, err, "call %s", c.endpoint.Provider)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized, http.StatusForbidden:
		return core.E(core.Auth, "%s at %s requires a key", c.endpoint.Provider, c.endpoint.URL).
			WithHint("Set %s", failure.KeyVariable(c.endpoint.Provider))
	default:
		return core.E(core.Unavailable, "%s%s responded with %s", c.endpoint.URL, path, response.Status)
	}
	err = json.NewDecoder(io.LimitReader(response.Body, maxBytes)).Decode(into)
	return core.Wrap(core.Unavailable, err, "read the answer of %s%s", c.endpoint.URL, path)
}
