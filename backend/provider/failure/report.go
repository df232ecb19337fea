package failure

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
)

// longestMessage is how much of a server's message is shown, in characters.
const longestMessage = 500

// report is what a server reports about an error.
type report struct {
	message string
	kinds   string // its codes and types, joined
	status  int    // the HTTP status within the body; 0 if it has none
	request string
	wait    time.Duration
	plain   bool // not JSON: the answer of a proxy, or of a server that is not a model server
}

// contains reports whether the text contains one of the words.
func (t report) contains(words []string) bool {
	text := strings.ToLower(t.kinds + " " + t.message)
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// errorBody is the union of the error formats of OpenAI and compatible servers, Anthropic, Google, Ollama and FastAPI.
type errorBody struct {
	Error    json.RawMessage `json:"error"` // an object or a text
	Response *struct {
		Error json.RawMessage `json:"error"` // of OpenAI's response.failed
	} `json:"response"`
	Message   words           `json:"message"`
	Detail    words           `json:"detail"`
	Type      words           `json:"type"`
	Code      words           `json:"code"` // a number or a name
	Status    words           `json:"status"`
	RequestID words           `json:"request_id"`
	Details   []errorDetail   `json:"details"`
	Metadata  json.RawMessage `json:"metadata"`
}

// errorDetail is one of Google's details.
type errorDetail struct {
	Reason     words `json:"reason"`
	RetryDelay words `json:"retryDelay"` // such as 31s
}

// words is any JSON value as text: the content of a string, the source of any other value.
type words string

func (w *words) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = strings.Trim(string(data), " \t\r\n")
	}
	if text != "null" {
		*w = words(text)
	}
	return nil
}

// read parses the body of an error.
func read(body []byte) report {
	var t report
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("[")) { // Google sends a list if a stream was requested
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) > 0 {
			body = list[0]
		}
	}
	for range 4 { // objects can be nested; the innermost has the message
		var f errorBody
		if len(body) == 0 {
			return t
		}
		if body[0] != '{' || json.Unmarshal(body, &f) != nil {
			t.text(body)
			return t
		}
		t.take(f)
		body = f.Error
		if f.Response != nil {
			body = f.Response.Error
		}
		if string(body) == "null" {
			return t
		}
	}
	return t
}

// text reads a body that is not an object: a JSON string, or the page of a proxy.
func (t *report) text(body []byte) {
	var text string
	if json.Unmarshal(body, &text) == nil {
		t.message = text
		return
	}
	t.plain = t.message == ""
	t.message = markup.ReplaceAllString(string(body[:min(len(body), 1<<14)]), " ")
}

var markup = lazyregexp.New(`(?is)<(style|script|head)\b.*?</(style|script|head)>|<[^>]*>`)

func (t *report) take(f errorBody) {
	for _, message := range []words{f.Message, f.Detail} {
		if message != "" {
			t.message = string(message)
			break
		}
	}
	for _, kind := range []words{f.Type, f.Code, f.Status} {
		if status, err := strconv.Atoi(string(kind)); err == nil && status >= 400 && status < 600 {
			t.status = status
			continue
		}
		t.kinds += " " + string(kind)
	}
	for _, detail := range f.Details {
		t.kinds += " " + string(detail.Reason)
		if wait, err := time.ParseDuration(string(detail.RetryDelay)); err == nil && wait > 0 {
			t.wait = wait
		}
	}
	if f.RequestID != "" {
		t.request = string(f.RequestID)
	}
	t.through(f.Metadata)
}

// through adds what OpenRouter reports about the provider behind it.
func (t *report) through(metadata json.RawMessage) {
	var behind struct {
		Raw      words `json:"raw"`
		Provider words `json:"provider_name"`
	}
	if len(metadata) == 0 || json.Unmarshal(metadata, &behind) != nil || behind.Raw == "" {
		return
	}
	inner := read([]byte(behind.Raw))
	t.kinds += " " + inner.kinds
	if inner.message != "" {
		t.message += " (" + strings.TrimSpace(string(behind.Provider)+" "+inner.message) + ")"
	}
}

var secrets = lazyregexp.New(`(?i)\b(bearer\s+|sk-|key-|AIza)[\w.*+/=-]{4,}`)

// clean returns a text as one bounded line, without the key that some servers repeat.
func (c Call) clean(text string) string {
	hidden := []string{c.Endpoint.Key}
	for _, value := range c.Endpoint.Headers {
		hidden = append(hidden, value)
	}
	for _, secret := range hidden {
		if len(secret) >= 8 { // a shorter secret could be an ordinary word
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return core.Preview(secrets.ReplaceAllString(text, "…"), longestMessage)
}
