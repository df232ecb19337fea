package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/openai/fake"
	"coppice/backend/provider/providertest"
)

// protocols returns a model of each protocol for an endpoint.
var protocols = map[string]func(endpoint.Endpoint) providertest.Model{
	"chat":      func(e endpoint.Endpoint) providertest.Model { return openai.NewChat(e) },
	"responses": func(e endpoint.Endpoint) providertest.Model { return openai.NewResponses(e) },
}

// each runs a test for each protocol.
func each(t *testing.T, test func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model)) {
	t.Helper()
	for name, connect := range protocols {
		t.Run(name, func(t *testing.T) { test(t, connect) })
	}
}

// wire is a transport that answers by itself.
type wire func(*http.Request) (*http.Response, error)

func (f wire) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// direct calls a handler without a network.
func direct(h http.Handler) *http.Client {
	return &http.Client{Transport: wire(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result(), nil
	})}
}

// speaking returns a client whose server answers with this stream.
func speaking(stream string) *http.Client {
	return direct(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, stream)
	}))
}

// at returns an endpoint that looks like OpenAI's own.
func at(client *http.Client) endpoint.Endpoint {
	return endpoint.Endpoint{Provider: "openai", BaseURL: "http://127.0.0.1:9/v1", Key: "sk-test-0123456789", Client: client}
}

// serving starts a server and returns its endpoint. The client retries without waiting.
func serving(t *testing.T, h http.Handler) endpoint.Endpoint {
	t.Helper()
	url, client := providertest.Serve(t, h)
	e := at(client)
	e.BaseURL = url + "/v1"
	return e
}

func ask(text string) core.Request {
	return core.Request{Model: "o4-mini", Messages: []core.Message{providertest.User(text)}}
}

// collect reads a stream to its end and checks what core.StreamEvent guarantees.
func collect(t *testing.T, stream iter.Seq2[core.StreamEvent, error]) (core.Message, *core.Error) {
	t.Helper()
	var message *core.Message
	var failed *core.Error
	live := map[int]*livePart{}
	for e, err := range stream {
		if message != nil {
			t.Fatalf("%+v after the end", e)
		}
		switch e.Type {
		case core.StreamDone, core.StreamAborted:
			message = e.Message
			if (err != nil) != (e.Type == core.StreamAborted) || message == nil {
				t.Fatalf("%s with the message %v and the error %v", e.Type, message, err)
			}
			if err != nil {
				var ok bool
				if failed, ok = errors.AsType[*core.Error](err); !ok {
					t.Fatalf("the error is a %T", err)
				}
			}
		default:
			if err != nil {
				t.Fatalf("%s with the error %v", e.Type, err)
			}
			p := live[e.Index]
			if p == nil {
				p = &livePart{kind: core.PartType(e.Type), id: e.ID, name: e.Name}
				live[e.Index] = p
			} else if e.ID != "" || e.Name != "" || p.kind != core.PartType(e.Type) {
				t.Fatalf("%+v goes on with %+v", e, p)
			}
			p.text.WriteString(e.Text)
		}
	}
	if message == nil {
		t.Fatal("the stream had no last event")
	}
	if message.Role != core.RoleAssistant || message.Origin == nil || message.Parts == nil {
		t.Fatalf("the message is %+v", message)
	}
	if failed == nil {
		compare(t, live, message.Parts)
		return *message, nil
	}
	for _, p := range message.Parts {
		if p.Type != core.PartText && p.Type != core.PartReasoning || p.Native != nil {
			t.Fatalf("a message that broke off has %+v", p)
		}
	}
	if message.FinishReason != core.FinishError && message.FinishReason != core.FinishAborted || message.Error == "" {
		t.Fatalf("a message that broke off finished with %q, %q", message.FinishReason, message.Error)
	}
	return *message, failed
}

// livePart is what arrived of a part, piece by piece.
type livePart struct {
	kind     core.PartType
	id, name string
	text     strings.Builder
}

// compare checks that the pieces add up to the message.
func compare(t *testing.T, live map[int]*livePart, parts []core.Part) {
	t.Helper()
	for i, p := range parts {
		want := p.Text
		if p.Arguments != nil {
			want = string(p.Arguments)
		}
		said := live[i]
		if said == nil {
			if want != "" {
				t.Errorf("nothing came of the %s %q", p.Type, want)
			}
			continue
		}
		got := said.text.String()
		if got == "" && want == "{}" {
			got = want
		}
		if said.kind != p.Type || said.id != p.ID || said.name != p.Name || got != want {
			t.Errorf("part %d: %s %s %s %q came, %s %s %s %q is in the message", i, said.kind, said.id, said.name, got, p.Type, p.ID, p.Name, want)
		}
	}
}

// bare returns a message as JSON, without what differs from call to call.
func bare(t *testing.T, m core.Message, usage bool) string {
	t.Helper()
	if !usage {
		m.Usage, m.CostNanoUSD = nil, nil
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

var paris, berlin = fake.Call{ID: "call_A", Name: "weather", Arguments: `{"city":"Paris ✈"}`}, fake.Call{ID: "call_B", Name: "weather", Arguments: `{"city":"Berlin"}`}

// answers are the answers that the tests damage.
var answers = map[string]fake.Answer{
	"text":          {Text: "Grüße aus Köln.", DeltaRunes: 6},
	"parallel":      {Text: "Both.", Calls: []fake.Call{paris, berlin}, DeltaRunes: 10},
	"reasoning":     {Reasoning: "Think of it.", Text: "Yes.", Calls: []fake.Call{{ID: "c", Name: "now"}}, DeltaRunes: 8},
	"no arguments":  {Calls: []fake.Call{{ID: "c", Name: "now"}, {ID: "d", Name: "now", Arguments: "{}"}}},
	"bad arguments": {Calls: []fake.Call{{ID: "c", Name: "now", Arguments: `{"city":`}}},
}

// A stream that is cut after any of its bytes yields the complete message, or an error and no call.
func TestCutAnywhere(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		for name, answer := range answers {
			t.Run(name, func(t *testing.T) {
				stream := streamOf(t, connect, answer)
				n, end := len(stream), io.EOF
				cut := connect(at(&http.Client{Transport: wire(func(*http.Request) (*http.Response, error) {
					body := io.MultiReader(strings.NewReader(stream[:n]), broken{end})
					return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(body)}, nil
				})}))
				message, err := collect(t, cut.Stream(t.Context(), ask("?")))
				if err != nil {
					t.Fatal(err)
				}
				whole, survived := bare(t, message, false), 0
				for n = range len(stream) {
					end = []error{io.EOF, io.ErrUnexpectedEOF}[n%2]
					m, err := collect(t, cut.Stream(t.Context(), ask("?")))
					switch {
					case err == nil:
						survived++
						if got := bare(t, m, false); got != whole {
							t.Fatalf("cut at %d of %d:\n%s\nwant\n%s", n, len(stream), got, whole)
						}
					case err.Code != core.TruncatedStream:
						t.Fatalf("cut at %d: %s: %v", n, err.Code, err)
					}
				}
				if survived > len(stream)/2 {
					t.Errorf("%d of %d cuts went unseen", survived, len(stream))
				}
			})
		}
	})
}

// streamOf returns the stream that the fake server sends.
func streamOf(t *testing.T, connect func(endpoint.Endpoint) providertest.Model, a fake.Answer) string {
	t.Helper()
	var stream string
	server := fake.New(a)
	recording := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := httptest.NewRecorder()
		server.ServeHTTP(recorder, r)
		stream = recorder.Body.String()
	})
	for range connect(at(direct(recording))).Stream(t.Context(), ask("?")) {
		break
	}
	return stream
}

// broken ends with an error.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// The same with a real connection, at a few positions.
func TestCutConnection(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		for _, cut := range []fake.Cut{{At: 0}, {At: 0, Clean: true}, {At: 700}, {At: 700, Clean: true}} {
			server := fake.New(fake.Answer{Text: strings.Repeat("word ", 50), Calls: []fake.Call{paris}, Fault: fake.Fault{Cut: &cut}})
			_, err := collect(t, connect(serving(t, server)).Stream(t.Context(), ask("?")))
			if err == nil || err.Code != core.TruncatedStream {
				t.Errorf("%+v: %v", cut, err)
			}
			if server.Billed().InputTokens != 0 || len(server.Requests()) != 1 {
				t.Errorf("%+v: %d requests, billed %+v", cut, len(server.Requests()), server.Billed())
			}
		}
	})
}

func TestUsageIsWhatIsBilled(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		server := fake.New(
			fake.Answer{Reasoning: "Let me think.", Text: "Hello."},
			fake.Answer{Text: "Again.", Usage: core.Usage{InputTokens: 1000, OutputTokens: 200, CacheReadTokens: 800, CacheWriteTokens: 100, ReasoningTokens: 150}},
			fake.Answer{Fault: fake.Fault{Status: 503}}, fake.Answer{Fault: fake.Fault{Status: 429}}, fake.Answer{Calls: []fake.Call{paris, berlin}},
		)
		m := connect(serving(t, server))
		var sum core.Usage
		for range 3 {
			message, err := collect(t, m.Stream(t.Context(), ask("Hello?")))
			if err != nil {
				t.Fatal(err)
			}
			u := message.Usage
			if u == nil || !json.Valid(u.Native) {
				t.Fatalf("usage %+v", u)
			}
			sum.InputTokens += u.InputTokens
			sum.OutputTokens += u.OutputTokens
			sum.CacheReadTokens += u.CacheReadTokens
			sum.CacheWriteTokens += u.CacheWriteTokens
			sum.ReasoningTokens += u.ReasoningTokens
		}
		if billed := server.Billed(); sum.InputTokens == 0 || bare(t, core.Message{Usage: &sum}, true) != bare(t, core.Message{Usage: &billed}, true) {
			t.Errorf("told %+v, billed %+v", sum, billed)
		}
		if n := len(server.Requests()); n != 5 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestOrigin(t *testing.T) {
	for name, protocol := range map[string]endpoint.Protocol{"chat": endpoint.OpenAIChat, "responses": endpoint.OpenAIResponses} {
		m, err := collect(t, protocols[name](serving(t, fake.New(fake.Answer{Text: "Hi"}))).Stream(t.Context(), ask("?")))
		if err != nil {
			t.Fatal(err)
		}
		id := map[string]string{"chat": "chatcmpl-fake", "responses": "resp_fake"}[name]
		want := core.Origin{
			Protocol: string(protocol), Provider: "openai", RequestModel: "o4-mini", ResponseModel: "o4-mini-2026-01-01",
			ResponseID: id, RequestID: "req_fake",
		}
		if got, want := bare(t, core.Message{Origin: m.Origin}, true), bare(t, core.Message{Origin: &want}, true); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestFinishReasons(t *testing.T) {
	tests := []struct {
		name   string
		answer fake.Answer
		want   string
	}{
		{"stop", fake.Answer{Text: "Hi"}, core.FinishStop},
		{"calls", fake.Answer{Calls: []fake.Call{paris}}, core.FinishToolCall},
		{"length", fake.Answer{Text: "Hi", Finish: "length"}, core.FinishLength},
		{"length in a call", fake.Answer{Calls: []fake.Call{paris, {ID: "c", Name: "now"}}, Finish: "length"}, core.FinishLength},
		{"filter", fake.Answer{Text: "Hi", Finish: "content_filter"}, core.FinishContentFilter},
		{"refusal", fake.Answer{Refusal: "I cannot help with that."}, core.FinishContentFilter},
		{"reasoning alone", fake.Answer{Reasoning: "Hm."}, core.FinishStop},
	}
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				m, err := collect(t, connect(at(direct(fake.New(test.answer)))).Stream(t.Context(), ask("?")))
				if err != nil {
					t.Fatal(err)
				}
				if m.FinishReason != test.want || m.FinishRaw == "" {
					t.Errorf("finished with %q (%q), want %q", m.FinishReason, m.FinishRaw, test.want)
				}
				if test.answer.Refusal != "" && m.Text() != test.answer.Refusal {
					t.Errorf("it says %q", m.Text())
				}
				if test.name == "length in a call" && (m.Parts[0].Arguments == nil || m.Parts[1].Arguments != nil) {
					t.Errorf("the calls are %+v", m.Parts)
				}
			})
		}
	})
}

// An error within a stream that began with status 200 is an error, in whatever form it arrives.
func TestErrorInStream(t *testing.T) {
	tests := []struct {
		name, data string
		code       core.Code
	}{
		{"server", "", core.Unavailable},
		{"overloaded", `{"error":{"message":"Overloaded","type":"overloaded_error"}}`, core.Overloaded},
		{"limit", `{"type":"error","code":"rate_limit_exceeded","message":"slow down"}`, core.RateLimit},
		{"too long", `{"error":{"message":"Context size has been exceeded."}}`, core.ContextOverflow},
		{"OpenRouter", `{"id":"gen-1","error":{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`, core.Unavailable},
	}
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				a := fake.Answer{Text: strings.Repeat("word ", 50), Fault: fake.Fault{ErrorAfter: 5, Error: test.data}}
				server := fake.New(a)
				m, err := collect(t, connect(serving(t, server)).Stream(t.Context(), ask("?")))
				if err == nil || err.Code != test.code || m.Text() == "" {
					t.Errorf("%v, after %q", err, m.Text())
				}
				if n := len(server.Requests()); n != 1 {
					t.Errorf("%d requests: an answer that had begun was asked for again", n)
				}
			})
		}
	})
}

func TestErrorsBeforeTheStream(t *testing.T) {
	tests := []struct {
		name  string
		fault fake.Fault
		code  core.Code
		tries int
	}{
		{"key", fake.Fault{Status: 401, Body: `{"error":{"message":"Incorrect API key provided: sk-test-0123456789"}}`}, core.Auth, 1},
		{"too long", fake.Fault{Status: 400, Body: `{"error":{"message":"too long","code":"context_length_exceeded"}}`}, core.ContextOverflow, 1},
		{"model", fake.Fault{Status: 404, Body: `{"error":{"message":"The model 'x' does not exist","code":"model_not_found"}}`}, core.NotFound, 1},
		{"down", fake.Fault{Status: 502, Body: "<html>Bad Gateway</html>"}, core.Unavailable, 4},
		{"a long wait", fake.Fault{Status: 429, Header: http.Header{"Retry-After": {"120"}}, Body: `{"error":{"message":"slow"}}`}, core.RateLimit, 1},
		{"not JSON in JSON", fake.Fault{Status: 400, Body: `{"error":"plain words"}`}, core.Invalid, 1},
	}
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				server := fake.New()
				for range 5 {
					server.Then(fake.Answer{Fault: test.fault})
				}
				_, err := collect(t, connect(serving(t, server)).Stream(t.Context(), ask("?")))
				if err == nil || err.Code != test.code || strings.Contains(err.Error(), "sk-test") {
					t.Errorf("%v, want %s", err, test.code)
				}
				if n := len(server.Requests()); n != test.tries {
					t.Errorf("%d tries, want %d", n, test.tries)
				}
				if test.name == "a long wait" && (err.RetryAfterMs != 120_000 || !strings.Contains(err.Error(), "retry after 2m0s")) {
					t.Errorf("%d ms: %v", err.RetryAfterMs, err)
				}
			})
		}
	})
}

// An answer that is not a stream is an error that describes it, whatever its status.
func TestAnswerThatIsNoStream(t *testing.T) {
	tests := []struct {
		name, body string
		code       core.Code
	}{
		{"an error in a success", `{"error":{"message":"Overloaded","type":"overloaded_error"}}`, core.Overloaded},
		{"a page", "\n<!doctype html><title>Some app</title>", core.NotFound},
		{"nothing", "", core.TruncatedStream},
		{"no JSON", "data: {half\n\n", core.TruncatedStream},
		{"an end alone", "data: [DONE]\n\n", core.TruncatedStream},
	}
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		for _, test := range tests {
			_, err := collect(t, connect(at(speaking(test.body))).Stream(t.Context(), ask("?")))
			if err == nil || err.Code != test.code {
				t.Errorf("%s: %v, want %s", test.name, err, test.code)
			}
		}
	})
}

func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(nil)
	address := server.URL
	server.Close()
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		e := at(&http.Client{})
		e.Provider, e.BaseURL = "lmstudio", address+"/v1"
		_, err := collect(t, connect(e).Stream(t.Context(), ask("?")))
		if err == nil || err.Code != core.Unavailable || !strings.Contains(err.Hint, address) {
			t.Errorf("%v, %v", err, core.HintOf(err))
		}
	})
}

// eventually waits until another goroutine has caused a condition.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

func TestCancelEndsTheCall(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		server := fake.New(fake.Answer{Text: strings.Repeat("word ", 50), Fault: fake.Fault{HangAfter: 5}})
		ctx, cancel := context.WithCancel(t.Context())
		stream := connect(serving(t, server)).Stream(ctx, ask("?"))
		m, err := collect(t, func(yield func(core.StreamEvent, error) bool) {
			for e, err := range stream {
				cancel() // with the first piece
				if !yield(e, err) {
					return
				}
			}
		})
		if err == nil || err.Code != core.Canceled || m.FinishReason != core.FinishAborted || m.Text() == "" {
			t.Errorf("%v after %q, finished with %q", err, m.Text(), m.FinishReason)
		}
		eventually(t, "the connection stays open", func() bool { return server.Left() == 1 })
	})
}

func TestCancelBeforeTheAnswer(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		ctx, cancel := context.WithCancel(t.Context())
		e := serving(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			cancel()
			<-r.Context().Done()
		}))
		if _, err := collect(t, connect(e).Stream(ctx, ask("?"))); err == nil || err.Code != core.Canceled {
			t.Errorf("%v", err)
		}
	})
}

func TestDeadline(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		server := fake.New(fake.Answer{Text: strings.Repeat("word ", 50), Fault: fake.Fault{HangAfter: 5}})
		if _, err := collect(t, connect(serving(t, server)).Stream(ctx, ask("?"))); err == nil || err.Code != core.Timeout {
			t.Errorf("%v", err)
		}
	})
}

func TestBreakEndsTheCall(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		server := fake.New(fake.Answer{Text: strings.Repeat("word ", 50), Fault: fake.Fault{HangAfter: 5}})
		for range connect(serving(t, server)).Stream(t.Context(), ask("?")) {
			break
		}
		eventually(t, "the connection stays open", func() bool { return server.Left() == 1 })
	})
}

// The connection of a complete answer is reused for the next one.
func TestConnectionIsUsedAgain(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		server := fake.New(fake.Answer{Text: "One."}, fake.Answer{Text: "Two."}, fake.Answer{Text: "Three."})
		clients := map[string]bool{}
		e := serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			clients[r.RemoteAddr] = true
			server.ServeHTTP(w, r)
		}))
		m := connect(e)
		for range 3 {
			if _, err := collect(t, m.Stream(t.Context(), ask("?"))); err != nil {
				t.Fatal(err)
			}
		}
		if len(clients) != 1 {
			t.Errorf("%d connections", len(clients))
		}
	})
}

// The environment's key is not sent to a server that was configured without one.
func TestEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	t.Setenv("OPENAI_ORG_ID", "org")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Of-The-Environment: 1")
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		server := fake.New(fake.Answer{Text: "Hi"})
		e := serving(t, server)
		e.Key, e.Headers = "", map[string]string{"X-Own": "yes"}
		if _, err := collect(t, connect(e).Stream(t.Context(), ask("?"))); err != nil {
			t.Fatal(err)
		}
		header := server.Requests()[0].Header
		for _, name := range []string{"Authorization", "Openai-Organization", "X-Of-The-Environment"} {
			if header.Get(name) != "" {
				t.Errorf("sent %s: %s", name, header.Get(name))
			}
		}
		if header.Get("X-Own") != "yes" || header.Get("Accept") != "text/event-stream" {
			t.Errorf("sent %v", header)
		}
	})
}

func TestKeyIsSent(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		server := fake.New(fake.Answer{Text: "Hi"})
		server.Key = "sk-test-0123456789"
		e := serving(t, server)
		if _, err := collect(t, connect(e).Stream(t.Context(), ask("?"))); err != nil {
			t.Error(err)
		}
		e.Key = "sk-another-012345"
		if _, err := collect(t, connect(e).Stream(t.Context(), ask("?"))); err == nil || err.Code != core.Auth {
			t.Error(err)
		}
	})
}

// The time for a stream of many megabytes is linear: if it were quadratic, this would take minutes.
func TestLongStream(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		text := strings.Repeat("0123456789abcde\n", 1<<18) // 4 MB
		a := fake.Answer{Text: text, Calls: []fake.Call{{ID: "c", Name: "write", Arguments: `{"text":"` + strings.Repeat("x", 1<<20) + `"}`}}, DeltaRunes: 1 << 9}
		m, err := collect(t, connect(at(direct(fake.New(a)))).Stream(t.Context(), ask("?")))
		if err != nil || m.Text() != text || len(m.Parts) != 2 || m.Parts[1].Arguments == nil {
			t.Errorf("%v, %d bytes", err, len(m.Text()))
		}
	})
}

// One event may be larger than any buffer.
func TestLongEvent(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		text := strings.Repeat("x", 3<<20)
		m, err := collect(t, connect(at(direct(fake.New(fake.Answer{Text: text, DeltaRunes: 1 << 30})))).Stream(t.Context(), ask("?")))
		if err != nil || m.Text() != text {
			t.Errorf("%v, %d bytes", err, len(m.Text()))
		}
	})
}
