package mcp

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"coppice/backend/core"
)

// httpClient returns the client for one server.
func httpClient(config Server, options Options) *http.Client {
	client := http.Client{}
	if options.HTTPClient != nil {
		client = *options.HTTPClient
	}
	base := client.Transport
	if base == nil {
		base = http.DefaultTransport
	}
	endpoint, _ := url.Parse(config.URL) // checked by Open
	client.Transport = &transport{base: base, endpoint: endpoint, headers: config.Headers, listenTimeout: options.listenTimeout}
	return &client
}

// transport sends the requests to one server.
type transport struct {
	base     http.RoundTripper
	endpoint *url.URL
	headers  map[string]string

	listenTimeout time.Duration
}

// RoundTrip adds the headers, which may be keys, if the request goes to the server itself and not to a redirect target;
// it bounds answers that are read as a whole.
func (c *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	if request.URL.Scheme == c.endpoint.Scheme && request.URL.Host == c.endpoint.Host {
		for name, value := range c.headers {
			request.Header.Set(name, value)
		}
	}
	if request.Method == http.MethodGet {
		return c.listen(request)
	}
	response, err := c.base.RoundTrip(request)
	if err == nil && !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		response.Body = &bounded{ReadCloser: response.Body, left: maxMessageBytes}
	}
	return response, err
}

// listen opens the stream of messages that the server sends on its own. The SDK waits for it without limit, so a server
// that does not respond counts as one that does not offer the stream.
func (c *transport) listen(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(request.Context())
	timer := time.AfterFunc(c.listenTimeout, cancel)
	response, err := c.base.RoundTrip(request.WithContext(ctx))
	if !timer.Stop() && request.Context().Err() == nil {
		if err == nil {
			_ = response.Body.Close()
		}
		return &http.Response{
			StatusCode: http.StatusMethodNotAllowed, Status: "405 Method Not Allowed", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: http.NoBody, Request: request,
		}, nil
	}
	if err != nil {
		cancel()
		return nil, err
	}
	response.Body = &released{ReadCloser: response.Body, release: cancel}
	return response, nil
}

// released cancels a request's context when its answer is closed.
type released struct {
	io.ReadCloser
	release context.CancelFunc
}

// Close closes the answer.
func (r *released) Close() error {
	defer r.release()
	return r.ReadCloser.Close()
}

// bounded is an answer of at most a given number of bytes.
type bounded struct {
	io.ReadCloser
	left int64
}

// Read fails if there is more.
func (b *bounded) Read(data []byte) (int, error) {
	if b.left <= 0 {
		return 0, core.E(core.Invalid, "the answer is longer than %d bytes", maxMessageBytes)
	}
	n, err := b.ReadCloser.Read(data[:min(int64(len(data)), b.left)])
	b.left -= int64(n)
	return n, err
}
