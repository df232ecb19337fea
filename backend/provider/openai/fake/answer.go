package fake

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"coppice/backend/core"
)

// Answer is the server's answer to one request. Fields that are not set are left out.
type Answer struct {
	Reasoning string
	Text      string
	Refusal   string
	Calls     []Call
	// Finish is the finish_reason of chat completions; empty: tool_calls if it has calls, else stop. With length and
	// content_filter a response is incomplete.
	Finish string
	// Usage is what is billed; zero: one token for four bytes of the request and of the answer.
	Usage core.Usage
	// Cost is OpenRouter's usage.cost, a JSON number.
	Cost string
	// DeltaRunes is the number of characters in one delta; 0: twelve.
	DeltaRunes int
	// Raw is the whole stream, instead of all other fields.
	Raw   string
	Fault Fault
}

// Call is a tool call.
type Call struct {
	ID        string
	Name      string
	Arguments string         // as JSON
	Extra     map[string]any // fields that are not part of the protocol, for chat completions
}

// Fault is a failure of an answer.
type Fault struct {
	// Status answers with an error, with this header and body, before any byte of the stream.
	Status int
	Header http.Header
	Body   string
	// Cut ends the stream before its end.
	Cut *Cut
	// ErrorAfter is the number of events after which an error replaces the rest; Error is its data, a JSON object.
	ErrorAfter int
	Error      string
	// HangAfter is the number of events after which nothing follows until the client leaves.
	HangAfter int
	// Pause precedes each event.
	Pause time.Duration
}

// Cut is the position where a stream is cut.
type Cut struct {
	At    int  // bytes that are still sent
	Clean bool // ends the answer normally; else the connection breaks
}

// event returns the event of an error in the stream.
func (f Fault) event() string {
	data := f.Error
	if data == "" {
		data = `{"error":{"message":"The server had an error while processing your request","type":"server_error","param":null,"code":null}}`
	}
	return "event: error\ndata: " + data + "\n\n"
}

// call holds the fields of a request that an answer needs.
type call struct {
	Model         string `json:"model"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Include []string `json:"include"`
	usage   core.Usage
}

func readCall(body []byte) call {
	var c call
	_ = json.Unmarshal(body, &c) // the body was checked before
	return c
}

// usage returns what is billed.
func (a Answer) usage(body []byte) core.Usage {
	if a.Usage.InputTokens+a.Usage.OutputTokens > 0 {
		return a.Usage
	}
	said := len(a.Text) + len(a.Refusal)
	for _, c := range a.Calls {
		said += len(c.Name) + len(c.Arguments)
	}
	u := core.Usage{InputTokens: tokens(len(body)), ReasoningTokens: tokens(len(a.Reasoning))}
	u.OutputTokens = tokens(said) + u.ReasoningTokens
	return u
}

func tokens(bytes int) int64 { return int64(bytes+3) / 4 }

// deltas splits a text into the texts of the deltas.
func (a Answer) deltas(text string) []string {
	size := a.DeltaRunes
	if size == 0 {
		size = 12
	}
	var list []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(size, len(runes))
		list = append(list, string(runes[:n]))
		runes = runes[n:]
	}
	return list
}

// sealed returns reasoning in a form that only the server can read.
func sealed(text string) string {
	return "gAAAA" + base64.RawURLEncoding.EncodeToString([]byte(text))
}

func encode(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // the script of a test is not valid JSON
	}
	return string(raw)
}

// object is a JSON object.
type object = map[string]any
