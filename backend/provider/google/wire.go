package google

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
)

const (
	longestError = 1 << 20
	longestEvent = 64 << 20
)

// tap holds what the wire carried of one call.
type tap struct {
	data   []byte      // of the latest event, a JSON object
	status int         // of an answer that is an error, with its header and body; else 0
	header http.Header //
	body   []byte
	err    error // why the stream broke
}

type tapKey struct{}

// on returns a context whose calls fill the tap.
func (t *tap) on(ctx context.Context) context.Context { return context.WithValue(ctx, tapKey{}, t) }

// failed turns an error of the SDK into ours.
func (t *tap) failed(ctx context.Context, call failure.Call, err error) *core.Error {
	var own *core.Error
	switch {
	case errors.As(err, &own): // of the transport, such as a redirect that is not followed
		return call.Network(ctx, own)
	case t.status > 0:
		return call.Answer(t.status, t.header, t.body)
	case t.header == nil:
		return call.Network(ctx, err)
	case t.err != nil && !errors.Is(t.err, io.EOF):
		return call.Cut(ctx, t.err)
	default:
		return call.Cut(ctx, err)
	}
}

// wire is the round tripper between the SDK and the network.
type wire struct {
	next    http.RoundTripper // nil: http.DefaultTransport
	keyless bool
}

// RoundTrip sends a call and taps what comes back.
func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	if w.keyless {
		request = request.Clone(request.Context())
		request.Header.Del("X-Goog-Api-Key")
	}
	next := w.next
	if next == nil {
		next = http.DefaultTransport
	}
	response, err := next.RoundTrip(request)
	t, ok := request.Context().Value(tapKey{}).(*tap)
	if err != nil || !ok {
		return response, err
	}
	t.header = response.Header
	if response.StatusCode >= 300 {
		return t.refused(response)
	}
	if request.Method == http.MethodPost {
		response.Body = &events{tap: t, body: response.Body, lines: bufio.NewReader(response.Body)}
	}
	return response, nil
}

// refused keeps an error's answer, of which the SDK would drop the header and parts of the body.
func (t *tap) refused(response *http.Response) (*http.Response, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, longestError))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	t.status, t.body = response.StatusCode, body
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// events is the body of a stream. It keeps the events in the tap and tells the SDK only that one has come, one at a time: the SDK
// would panic at what it does not expect, take comments for errors, and write a connection that breaks to the log.
type events struct {
	tap   *tap
	body  io.Closer
	lines *bufio.Reader
	rest  []byte // of the event that is being read
}

func (e *events) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.tap.err != nil {
			return 0, io.EOF
		}
		e.next()
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func (e *events) Close() error { return e.body.Close() }

// next reads an event; at the end of the stream it sets the tap's error.
func (e *events) next() {
	var data []byte
	for {
		line, err := e.line()
		if e.tap.err = err; err != nil {
			break
		}
		if len(line) == 0 && data != nil {
			break
		}
		switch field, value, _ := bytes.Cut(line, []byte(":")); string(field) {
		case "data":
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
		case "", "event", "id", "retry":
		default: // no event, but perhaps an error
			data = append(data, line...)
		}
	}
	if data != nil {
		e.tap.data = data
		e.rest = []byte("data: {}\n\n")
	}
}

// line reads a line without its end. What is left at the end of the stream is a line too, before io.EOF.
func (e *events) line() ([]byte, error) {
	var line []byte
	for {
		piece, err := e.lines.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case len(line) > longestEvent:
			return nil, errors.New("an event of the answer is too long")
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		default:
			return nil, err
		}
	}
}
