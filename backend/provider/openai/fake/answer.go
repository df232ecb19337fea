package fake

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"coppice/backend/core"
)

// Answer is what the server says to one request. What is not set is left out.
type Answer struct {
	Reasoning string
	Text      string
	Refusal   string
	Calls     []Call
	// Finish is the finish_reason of chat completions; empty: tool_calls where there are calls, else stop. With length and
	// content_filter a response is incomplete.
	Finish string
	// Usage is what is billed; zero: a token for four bytes of what came and of what is said.
	Usage core.Usage
	// Cost is OpenRouter's usage.cost, a number as JSON has it.
	Cost string
	// DeltaRunes is how many characters go in one delta; 0: twelve.
	DeltaRunes int
	// Raw is the whole stream as it stands, instead of all that.
	Raw   string
	Fault Fault
}

// Call is a tool call.
type Call struct {
	ID        string
	Name      string
	Arguments string         // its JSON
	Extra     map[string]any // fields that the protocol does not know, for chat completions
}

// Fault is what goes wrong with an answer.
type Fault struct {
	// Status answers with an error, of this header and body, before any byte of the stream.
	Status int
	Header http.Header
	Body   string
	// Cut ends the stream before its end.
	Cut *Cut
	// ErrorAfter is after how many events an error takes the place of the rest; Error is its data, a JSON object.
	ErrorAfter int
	Error      string
	// HangAfter is after how many events nothing more comes, until the client leaves.
	HangAfter int
	// Pause comes before each event.
	Pause time.Duration
}

// Cut says where a stream is cut.
type Cut struct {
	At    int  // bytes that are still sent
	Clean bool // the end looks like a proper one; else the connection breaks
}

// event returns the event of an error in the stream.
func (f Fault) event() string {
	data := f.Error
	if data == "" {
		data = `{"error":{"message":"The server had an error while processing your request","type":"server_error","param":null,"code":null}}`
	}
	return "event: error\ndata: " + data + "\n\n"
}

// call is what an answer needs to know of its request.
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
	_ = json.Unmarshal(body, &c) // it has been checked
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

// deltas cuts a text into what goes in one delta each.
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

// sealed returns reasoning as only the server can read it.
func sealed(text string) string {
	return "gAAAA" + base64.RawURLEncoding.EncodeToString([]byte(text))
}

func encode(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // a test that scripts what is no JSON
	}
	return string(raw)
}

// object is a JSON object.
type object = map[string]any
