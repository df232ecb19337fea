package failure_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
)

const key = "sk-proj-0123456789abcdef"

func call(provider string) failure.Call {
	return failure.Call{
		Endpoint: endpoint.Endpoint{Provider: provider, BaseURL: "https://example.com/v1", Key: key},
		Model:    "some-model",
	}
}

// The bodies are from the servers' documentation and from their public issues.
func TestAnswer(t *testing.T) {
	tests := []struct {
		name    string
		status  int
		body    string
		code    core.Code
		message string // a part of the message
	}{
		{"OpenAI key", 401, `{"error":{"message":"Incorrect API key provided: sk-proj-0123456789abcdef.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, core.Auth, "openai rejected the key: Incorrect API key provided: …"},
		{"OpenAI masked key", 401, `{"error":{"message":"Incorrect API key provided: sk-proj-*****cdef. You can find"}}`, core.Auth, "provided: … You"},
		{"forbidden", 403, `{"error":{"message":"Country not supported","code":"unsupported_country_region_territory"}}`, core.Auth, "Country not supported"},
		{"Google key", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}]`, core.Auth, "API key not valid"},
		{"rate limit", 429, `{"error":{"message":"Rate limit reached for gpt-5","type":"requests","code":"rate_limit_exceeded"}}`, core.RateLimit, "rate limit of openai reached: Rate limit reached"},
		{"OpenAI quota", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, core.Auth, "no credit left"},
		{"Google quota", 429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}`, core.RateLimit, "current quota"},
		{"Anthropic credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, core.Auth, "no credit left"},
		{"OpenRouter credit", 402, `{"error":{"message":"This request requires more credits, or fewer max_tokens.","code":402}}`, core.Auth, "no credit left"},
		{"DeepSeek credit", 402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`, core.Auth, "Insufficient Balance"},
		{"Anthropic overloaded", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_011"}`, core.Overloaded, "openai is overloaded: Overloaded (request req_011)"},
		{"Google overloaded", 503, `{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}`, core.Overloaded, "try again later"},
		{"llama.cpp loading", 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, core.Unavailable, "failed with status 503: Loading model"},

		{"OpenAI too long", 400, `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, core.ContextOverflow, "too long for some-model"},
		{"responses too long", 400, `{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","code":"context_length_exceeded"}}`, core.ContextOverflow, ""},
		{"Anthropic too long", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, core.ContextOverflow, ""},
		{"Anthropic too long with the answer", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 195000 + 20000 > 200000"}}`, core.ContextOverflow, ""},
		{"Anthropic too large", 413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, core.ContextOverflow, ""},
		{"Google too long", 400, `{"error":{"code":400,"message":"The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}`, core.ContextOverflow, ""},
		{"llama.cpp too long", 400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`, core.ContextOverflow, ""},
		{"llama.cpp too long, older", 500, `{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"server_error"}}`, core.ContextOverflow, ""},
		{"vLLM too long", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.","type":"BadRequestError","param":null,"code":400}`, core.ContextOverflow, ""},
		{"vLLM too long, newer", 400, `{"error":{"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096.","type":"BadRequestError","code":400}}`, core.ContextOverflow, ""},
		{"LM Studio too long", 400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}`, core.ContextOverflow, ""},
		{"LM Studio too long, newer", 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length."}`, core.ContextOverflow, ""},
		{"LM Studio size", 400, `{"error":{"message":"Context size has been exceeded."}}`, core.ContextOverflow, ""},
		{"Ollama too long", 500, `{"error":"the input length exceeds the context length"}`, core.ContextOverflow, ""},
		{"Ollama cloud too long", 400, `{"error":"prompt too long; exceeded max context length by 4 tokens"}`, core.ContextOverflow, ""},
		{"OpenRouter too long", 400, `{"error":{"message":"This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens.","code":400}}`, core.ContextOverflow, ""},
		{"OpenRouter's provider too long", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long: 300000 tokens\"}}","provider_name":"Anthropic"}}}`, core.ContextOverflow, "Provider returned error (Anthropic prompt is too long: 300000 tokens)"},
		{"xAI too long", 400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`, core.ContextOverflow, ""},

		{"OpenAI model", 404, `{"error":{"message":"The model 'x' does not exist or you do not have access to it.","type":"invalid_request_error","code":"model_not_found"}}`, core.NotFound, "openai has no some-model"},
		{"Ollama model", 404, `{"error":"model 'some-model' not found"}`, core.NotFound, "has no some-model"},
		{"OpenRouter model", 400, `{"error":{"message":"foo/bar is not a valid model ID","code":400}}`, core.NotFound, "has no some-model"},
		{"wrong address", 404, "404 page not found", core.NotFound, "no model server at https://example.com/v1"},
		{"bad request", 400, `{"error":{"message":"Invalid schema for function 'x'","type":"invalid_request_error"}}`, core.Invalid, "openai rejected the request: Invalid schema"},
		{"FastAPI", 422, `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`, core.Invalid, "field required"},
		{"conflict", 409, `{}`, core.Unavailable, "status 409"},
		{"proxy", 502, "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><h1>Bad  Gateway</h1></body></html>", core.Unavailable, "failed with status 502: Bad Gateway"},
		{"nothing", 500, "", core.Unavailable, "openai failed with status 500"},
		{"null", 500, "null", core.Unavailable, "openai failed with status 500"},
		{"null error", 500, `{"error":null}`, core.Unavailable, "openai failed with status 500"},
		{"odd types", 400, `{"error":{"message":["a"],"type":7,"code":{"x":1}}}`, core.Invalid, `["a"]`},
		{"broken JSON", 500, `{"error":{"mess`, core.Unavailable, "status 500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := call("openai").Answer(test.status, nil, []byte(test.body))
			if err.Code != test.code || !strings.Contains(err.Error(), test.message) {
				t.Errorf("%s: %q, want %s: …%s…", err.Code, err.Error(), test.code, test.message)
			}
			if text := err.Error() + err.Hint; strings.Contains(text, key) || strings.ContainsAny(text, "\r\n") {
				t.Errorf("the key, or more than a line: %q", text)
			}
			if helped := test.code == core.Auth || test.code == core.NotFound; helped != (err.Hint != "" || err.Remedy.Kind != "") {
				t.Errorf("the hint is %q", err.Hint)
			}
		})
	}
}

func TestAnswerHintsAtTheKey(t *testing.T) {
	c := call("openrouter")
	c.Endpoint.Key = ""
	err := c.Answer(401, nil, []byte(`{"error":{"message":"No auth credentials found","code":401}}`))
	if !strings.HasPrefix(err.Error(), "openrouter requires a key: No auth") || err.Hint != "Set OPENROUTER_API_KEY" || err.Remedy.Kind != core.SetKey {
		t.Errorf("%q, %q", err, err.Hint)
	}
}

func TestKeyVariable(t *testing.T) {
	for provider, want := range map[string]string{"openai": "OPENAI_API_KEY", "google": "GEMINI_API_KEY", "my-proxy 2": "MY_PROXY_2_API_KEY"} {
		if got := failure.KeyVariable(provider); got != want {
			t.Errorf("%s: %s, want %s", provider, got, want)
		}
	}
}

func TestAnswerCarriesTheWait(t *testing.T) {
	header := http.Header{"Retry-After": {"300"}, "X-Request-Id": {"req_1"}}
	err := call("openai").Answer(429, header, []byte(`{"error":{"message":"slow down"}}`))
	if err.RetryAfterMs != 300_000 || err.Error() != "rate limit of openai reached: slow down; the server asks to retry after 5m0s (request req_1)" {
		t.Errorf("%d ms, %q", err.RetryAfterMs, err)
	}
	err = call("google").Answer(429, nil, []byte(`{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"reason":"RATE_LIMIT_EXCEEDED"},{"@type":"RetryInfo","retryDelay":"31s"}]}}`))
	if err.RetryAfterMs != 31_000 || strings.Contains(err.Error(), "retry after") {
		t.Errorf("%d ms, %q", err.RetryAfterMs, err)
	}
}

func TestAnswerIsBounded(t *testing.T) {
	for _, body := range []string{
		`{"error":{"message":"` + strings.Repeat("long ", 100_000) + `"}}`,
		"<p>" + strings.Repeat("long ", 100_000),
		strings.Repeat(`{"error":`, 10_000) + "1" + strings.Repeat("}", 10_000),
	} {
		if err := call("openai").Answer(400, nil, []byte(body)); len(err.Error()) > 700 {
			t.Errorf("%d bytes", len(err.Error()))
		}
	}
}

func TestEvent(t *testing.T) {
	tests := []struct {
		name, body string
		code       core.Code
	}{
		{"Anthropic", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, core.Overloaded},
		{"Anthropic rate limit", `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed"}}`, core.RateLimit},
		{"OpenRouter", `{"error":{"code":502,"message":"Provider disconnected"},"choices":[]}`, core.Unavailable},
		{"a status", `{"error":{"code":429,"message":"slow"}}`, core.RateLimit},
		{"responses", `{"type":"error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model","sequence_number":2}`, core.ContextOverflow},
		{"responses failed", `{"type":"response.failed","response":{"id":"resp_1","status":"failed","error":{"code":"server_error","message":"The model had an error"}}}`, core.Unavailable},
		{"responses failed by limit", `{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}`, core.RateLimit},
		{"LM Studio", `{"error":{"message":"Context size has been exceeded."}}`, core.ContextOverflow},
		{"Ollama", `{"error":"an error was encountered while running the model: CUDA error"}`, core.Unavailable},
		{"rejected", `{"error":{"message":"bad image","type":"invalid_request_error"}}`, core.Invalid},
		{"text", `out of memory`, core.Unavailable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := call("openai").Event([]byte(test.body), "req_9"); err.Code != test.code || !strings.Contains(err.Error(), "(request req_9)") {
				t.Errorf("%s: %q, want %s", err.Code, err, test.code)
			}
		})
	}
}

func TestNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String()
	listener.Close()
	c := call("lmstudio")
	c.Endpoint.BaseURL = url
	response, err := http.Get(url + "/chat?key=" + key)
	if err == nil {
		response.Body.Close()
		t.Fatal("somebody listens")
	}
	e := c.Network(t.Context(), err)
	if e.Code != core.Unavailable || !strings.HasPrefix(e.Error(), "lmstudio is not running: ") || !strings.Contains(e.Hint, url) || strings.Contains(e.Error(), key) {
		t.Errorf("%s: %q, %q", e.Code, e, e.Hint)
	}
	e = c.Network(t.Context(), &net.DNSError{Err: "no such host", Name: "example.invalid", IsNotFound: true})
	if e.Code != core.Unavailable || !strings.Contains(e.Error(), "cannot resolve the address of lmstudio: lookup example.invalid") {
		t.Errorf("%s: %q", e.Code, e)
	}
	e = c.Network(t.Context(), io.ErrUnexpectedEOF)
	if e.Code != core.Unavailable || e.Error() != "lmstudio does not respond: unexpected EOF" {
		t.Errorf("%s: %q", e.Code, e)
	}
}

func TestStopped(t *testing.T) {
	reason := errors.New("the user left")
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	late, cancelLate := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancelLate()
	c := call("openai")
	for _, err := range []*core.Error{c.Network(canceled, io.EOF), c.Cut(canceled, nil)} {
		if err.Code != core.Canceled || !errors.Is(err, reason) {
			t.Errorf("%s: %v", err.Code, err)
		}
	}
	if err := c.Cut(late, io.EOF); err.Code != core.Timeout {
		t.Errorf("%s: %v", err.Code, err)
	}
	if err := c.Cut(t.Context(), nil); err.Code != core.TruncatedStream || err.Error() != "the answer of openai ended early" {
		t.Errorf("%s: %v", err.Code, err)
	}
}

// Every body becomes one bounded line without the key.
func FuzzAnswer(f *testing.F) {
	f.Add(400, []byte(`{"error":{"message":"x","metadata":{"raw":"{}"}}}`))
	f.Add(500, []byte(`<html>`+key))
	f.Add(0, []byte(`[{"error":{"details":[{"retryDelay":"1e9s"}]}}]`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		err := call("openai").Answer(status, nil, body)
		text := err.Error() + err.Hint
		if len(text) > 5000 || strings.ContainsAny(text, "\r\n") || strings.Contains(text, key) || err.Code == "" {
			t.Errorf("%s: %q", err.Code, text)
		}
		if err.RetryAfterMs < 0 {
			t.Errorf("wait %d", err.RetryAfterMs)
		}
	})
}
