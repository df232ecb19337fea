package transport_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/transport"
)

// hand is a timer that a test fires.
type hand struct {
	over   func()
	resets int
}

func (h *hand) Reset(time.Duration) bool { h.resets++; return true }
func (h *hand) Stop() bool               { return true }

// pieces is a body whose reads return one piece each.
type pieces []string

func (p *pieces) Read(b []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*p)[0])
	*p = (*p)[1:]
	return n, nil
}

func answer200(kind string, body io.Reader) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(body), Request: r}, nil
	})
}

// TestGuardCountsContent restarts the timer for content, not for comments, wherever the pieces end.
func TestGuardCountsContent(t *testing.T) {
	for name, c := range map[string]struct {
		kind   string
		pieces pieces
		resets int // one is for the head
	}{
		"comments":           {"text/event-stream", pieces{": a\n\n", ":", "data: x", "\n", "\r\n:b"}, 1},
		"pings":              {"text/event-stream; charset=utf-8", pieces{"event: ping\n\n", ": a\n", "data: {}\n"}, 3},
		"a colon in a line":  {"text/event-stream", pieces{"data", ":", " x", "\n"}, 4},
		"lines of JSON":      {"application/x-ndjson", pieces{":{}\n", "\n", "{}"}, 3},
		"content, then more": {"text/event-stream", pieces{": a\nda", "ta"}, 3},
	} {
		h := &hand{}
		guard := &transport.Guard{Next: answer200(c.kind, &c.pieces), After: func(_ time.Duration, over func()) transport.Timer { h.over = over; return h }}
		response := get(t, guard)
		if _, err := io.ReadAll(response.Body); err != nil || h.resets != c.resets {
			t.Errorf("%s: %d resets, want %d: %v", name, h.resets, c.resets, err)
		}
		response.Body.Close()
	}
}

func get(t *testing.T, guard *transport.Guard) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://server.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := guard.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func TestGuardBoundsAnswers(t *testing.T) {
	response := get(t, &transport.Guard{Next: answer200("text/plain", strings.NewReader(strings.Repeat("x", 100))), Most: 60})
	defer response.Body.Close()
	if data, err := io.ReadAll(response.Body); len(data) != 60 || core.CodeOf(err) != core.Invalid {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

func TestSameServer(t *testing.T) {
	for to, ok := range map[string]bool{
		"https://vendor.test/v2": true, "https://vendor.test:443/": true, "http://vendor.test/": false, "https://vendor.test:444/": false,
		"https://vendor.test.evil.test/": false, "https://user@other.test/": false,
	} {
		from, err := http.NewRequest(http.MethodPost, "https://vendor.test/v1", nil)
		if err != nil {
			t.Fatal(err)
		}
		next, err := http.NewRequest(http.MethodPost, to, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := transport.SameServer(next, []*http.Request{from}); (err == nil) != ok {
			t.Errorf("%s: %v", to, err)
		}
	}
}
