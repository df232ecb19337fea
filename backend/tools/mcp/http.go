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
	endpoint, _ := url.Parse(config.URL) // Open has checked it
	client.Transport = &courier{base: base, endpoint: endpoint, headers: config.Headers, listenTimeout: options.listenTimeout}
	return &client
}

// courier sends the requests to one server.
type courier struct {
	base     http.RoundTripper
	endpoint *url.URL
	headers  map[string]string

	listenTimeout time.Duration
}

// RoundTrip adds the headers, which may be keys, where the request goes to the server itself and not to where it
// redirects; it bounds answers that are read whole.
func (c *courier) RoundTrip(request *http.Request) (*http.Response, error) {
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

// listen opens the stream of what the server says unasked. The SDK waits for it without end, so a server that
// leaves it unanswered counts as one that does not offer it.
func (c *courier) listen(request *http.Request) (*http.Response, error) {
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

// released lets go of a request's context when its answer is closed.
type released struct {
	io.ReadCloser
	release context.CancelFunc
}

// Close closes the answer.
func (r *released) Close() error {
	defer r.release()
	return r.ReadCloser.Close()
}

// bounded is an answer of no more than so many bytes.
type bounded struct {
	io.ReadCloser
	left int64
}

// Read fails where there is more.
func (b *bounded) Read(data []byte) (int, error) {
	if b.left <= 0 {
		return 0, core.E(core.Invalid, "the answer is longer than %d bytes", maxMessageBytes)
	}
	n, err := b.ReadCloser.Read(data[:min(int64(len(data)), b.left)])
	b.left -= int64(n)
	return n, err
}
