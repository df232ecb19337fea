// Package wire sends the calls of all protocols, and reads their answers: server-sent events, lines of JSON, or one
// JSON value. Package transport adds retries, idle timeouts and the limit of a whole answer.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/transport"
)

const (
	maxErrorBytes = 1 << 20  // of the body of an error
	maxValueBytes = 64 << 20 // of an answer that is one JSON value
)

// Server sends the calls of one endpoint. It reads nothing from the environment. It may be used by several goroutines.
type Server struct {
	endpoint endpoint.Endpoint
	base     string
	header   map[string]string
	client   *http.Client
}

// NewServer returns the server of an endpoint. Each request has the protocol's own header, overridden by the headers of
// the endpoint.
func NewServer(e endpoint.Endpoint, base string, header map[string]string) *Server {
	client := e.Client
	if client == nil {
		client = transport.NewClient(0)
	}
	return &Server{endpoint: e, base: base, header: header, client: client}
}

// Request is one call.
type Request struct {
	Method string
	Path   string // below the base address, escaped
	Query  url.Values
	Header map[string]string // overrides that of the protocol
	Body   any               // encoded as JSON; nil: no body
}

// send sends a request and returns the response as soon as it begins. The caller closes its body. A response with a
// status of 300 or more is an error.
func (s *Server) send(ctx context.Context, call failure.Call, r Request) (*http.Response, error) {
	request, err := s.build(ctx, r)
	if err != nil {
		return nil, &core.Error{Code: core.Invalid, Message: "build the request to " + s.endpoint.Provider, Err: err}
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, call.Network(ctx, err)
	}
	if response.StatusCode < http.StatusMultipleChoices {
		return response, nil
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxErrorBytes))
	if err = errors.Join(err, response.Body.Close()); err != nil && len(text) == 0 {
		return nil, call.Network(ctx, err)
	}
	return nil, call.Answer(response.StatusCode, response.Header, text)
}

func (s *Server) build(ctx context.Context, r Request) (*http.Request, error) {
	address, err := s.address(r)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	if r.Body != nil {
		data, err := jsontext.Encode(r.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, address, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "coppice")
	if r.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, header := range []map[string]string{s.header, r.Header, s.endpoint.Headers} {
		for name, value := range header {
			request.Header.Set(name, value)
		}
	}
	return request, nil
}

// address returns the address of a request. It keeps the query of the base address.
func (s *Server) address(r Request) (string, error) {
	base, err := url.Parse(s.base)
	if err != nil || base.Host == "" {
		return "", errors.New("its address is not a URL with a host") // the text of err may hold a password
	}
	joined := base.JoinPath(r.Path)
	query := joined.Query()
	for name, values := range r.Query {
		query[name] = values
	}
	joined.RawQuery = query.Encode()
	return joined.String(), nil
}

// Open sends a request whose answer is a stream.
func (s *Server) Open(ctx context.Context, call failure.Call, r Request, format Format) (*Reader, error) {
	response, err := s.send(ctx, call, r) //nolint:bodyclose // the reader closes it
	if err != nil {
		return nil, err
	}
	return newReader(response.Header, response.Body, format), nil
}

// Read sends a request and returns the whole answer.
func (s *Server) Read(ctx context.Context, call failure.Call, r Request) ([]byte, error) {
	response, err := s.send(ctx, call, r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(response.Body, maxValueBytes))
	if err != nil {
		return nil, call.Cut(ctx, err)
	}
	return data, nil
}

// Decode sends a request and decodes its answer, which is one JSON value.
func (s *Server) Decode(ctx context.Context, call failure.Call, r Request, into any) error {
	data, err := s.Read(ctx, call, r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return call.Cut(ctx, fmt.Errorf("decode %s: %w", r.Path, err))
	}
	return nil
}
