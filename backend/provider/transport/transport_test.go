package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coppice/backend/provider/transport"
)

// answer is what the server does with one attempt.
type answer struct {
	status int // 0: it drops the connection
	header map[string]string
}

// serve answers each attempt with the next of the answers, and repeats the last one.
func serve(t *testing.T, answers ...answer) (url string, bodies *[]string) {
	t.Helper()
	bodies = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*bodies = append(*bodies, string(body))
		a := answers[min(len(*bodies), len(answers))-1]
		if a.status == 0 {
			panic(http.ErrAbortHandler)
		}
		for name, value := range a.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, "answer "+strconv.Itoa(len(*bodies)))
	}))
	t.Cleanup(server.Close)
	return server.URL, bodies
}

// sleeper records the waits instead of waiting.
type sleeper []time.Duration

func (s *sleeper) sleep(_ context.Context, wait time.Duration) error {
	*s = append(*s, wait)
	return nil
}

func TestRetry(t *testing.T) {
	ok := answer{status: 200}
	tests := []struct {
		name    string
		answers []answer
		tries   int
		status  int
	}{
		{"success", []answer{ok}, 1, 200},
		{"rate limit", []answer{{status: 429}, ok}, 2, 200},
		{"timeout, conflict, overloaded", []answer{{status: 408}, {status: 409}, {status: 529}, ok}, 4, 200},
		{"dropped connection", []answer{{}, {}, ok}, 3, 200},
		{"four tries in all", []answer{{status: 503}}, 4, 503},
		{"bad request", []answer{{status: 400}, ok}, 1, 400},
		{"bad key", []answer{{status: 401}, ok}, 1, 401},
		{"server knows better", []answer{{429, map[string]string{"X-Should-Retry": "false"}}, ok}, 1, 429},
		{"server knows better still", []answer{{400, map[string]string{"X-Should-Retry": "true"}}, ok}, 2, 200},
		{"two seconds are waited for", []answer{{429, map[string]string{"Retry-After": "2"}}, ok}, 2, 200},
		{"more is not", []answer{{429, map[string]string{"Retry-After": "3"}}, ok}, 1, 429},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			url, bodies := serve(t, test.answers...)
			var slept sleeper
			client := &http.Client{Transport: &transport.Retry{Sleep: slept.sleep}}
			response, err := client.Post(url, "text/plain", strings.NewReader("the body"))
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if response.StatusCode != test.status || len(*bodies) != test.tries || len(slept) != test.tries-1 {
				t.Fatalf("status %d after %d tries and %d waits, want %d after %d", response.StatusCode, len(*bodies), len(slept), test.status, test.tries)
			}
			for _, body := range *bodies {
				if body != "the body" {
					t.Errorf("sent %q", body)
				}
			}
			if got, _ := io.ReadAll(response.Body); string(got) != "answer "+strconv.Itoa(test.tries) {
				t.Errorf("the answer is %q", got)
			}
		})
	}
}

func TestRetryWaits(t *testing.T) {
	url, _ := serve(t,
		answer{status: 500}, answer{status: 500}, answer{status: 500}, answer{status: 500}, answer{status: 500}, answer{status: 500},
		answer{429, map[string]string{"Retry-After": "2"}},
		answer{429, map[string]string{"Retry-After-Ms": "1500", "Retry-After": "7"}},
		answer{429, map[string]string{"Retry-After": "soon"}},
		answer{status: 200})
	var slept sleeper
	client := &http.Client{Transport: &transport.Retry{Sleep: slept.sleep, Tries: 20}}
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	most := []time.Duration{500, 1000, 2000, 4000, 8000, 8000, 2000, 1500, 8000}
	if len(slept) != len(most) {
		t.Fatalf("waited %v", slept)
	}
	for i, wait := range slept {
		limit, told := most[i]*time.Millisecond, i == 6 || i == 7
		if wait > limit || wait < limit*3/4 || told && wait != limit {
			t.Errorf("wait %d is %v, want at most %v and a quarter less at least", i, wait, limit)
		}
	}
}

func TestRetryReadsABodyOnce(t *testing.T) {
	url, bodies := serve(t, answer{status: 500}, answer{status: 200})
	var slept sleeper
	client := &http.Client{Transport: &transport.Retry{Sleep: slept.sleep}}
	response, err := client.Post(url, "text/plain", io.MultiReader(strings.NewReader("no "), strings.NewReader("GetBody")))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if len(*bodies) != 2 || (*bodies)[1] != "no GetBody" {
		t.Errorf("sent %q", *bodies)
	}
}

func TestRetryEndsWithItsContext(t *testing.T) {
	url, bodies := serve(t, answer{429, map[string]string{"Retry-After": "2"}})
	ctx, cancel := context.WithCancel(t.Context())
	next := cancelling{cancel}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &transport.Retry{Next: next}} // waits by the clock, unless it is woken
	response, err := client.Do(request)
	if err == nil {
		response.Body.Close()
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if len(*bodies) != 1 {
		t.Errorf("%d tries", len(*bodies))
	}
}

// cancelling cancels when an answer has come.
type cancelling struct{ cancel context.CancelFunc }

func (c cancelling) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	go c.cancel()
	return response, err
}

func TestRetryDistrustsOnce(t *testing.T) {
	var calls atomic.Int32
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	counting := roundTripper(func(r *http.Request) (*http.Response, error) {
		calls.Add(1)
		return http.DefaultTransport.RoundTrip(r)
	})
	var slept sleeper
	client := &http.Client{Transport: &transport.Retry{Next: counting, Sleep: slept.sleep}}
	response, err := client.Get(server.URL)
	if err == nil {
		response.Body.Close()
		t.Fatal("an unknown certificate was trusted")
	}
	if calls.Load() != 1 {
		t.Errorf("tried %d times", calls.Load())
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	tests := []struct {
		name, ms, after string
		want            time.Duration
	}{
		{"nothing", "", "", 0},
		{"seconds", "", "3", 3 * time.Second},
		{"a fraction", "", "0.25", 250 * time.Millisecond},
		{"milliseconds first", "20", "3", 20 * time.Millisecond},
		{"bad milliseconds", "x", "3", 3 * time.Second},
		{"date", "", "Sat, 21 Nov 2026 08:02:00 GMT", 2 * time.Minute},
		{"past date", "", "Sat, 21 Nov 2026 07:00:00 GMT", 0},
		{"negative", "", "-4", 0},
		{"no number", "", "NaN", 0},
		{"for ever", "", "Inf", 365 * 24 * time.Hour},
		{"words", "", "tomorrow", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			header := http.Header{}
			header.Set("Retry-After-Ms", test.ms)
			header.Set("Retry-After", test.after)
			if got := transport.RetryAfter(header, now); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestNewClientStreamsUncompressed(t *testing.T) {
	asked := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- r.Header.Get("Accept-Encoding")
	}))
	t.Cleanup(server.Close)
	client := transport.NewClient(0)
	response, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if encoding := <-asked; encoding != "" || client.Timeout != 0 {
		t.Errorf("asked for %q with a timeout of %v", encoding, client.Timeout)
	}
}
