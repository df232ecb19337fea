// Package fake is a server that speaks Anthropic's messages protocol, for tests: it plays a script, and rejects what the
// real one rejects.
package fake

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	"coppice/backend/provider/fault"
)

// Server is an http.Handler that answers each call with the next reply of its script. A call that it finds wrong takes none.
type Server struct {
	// Answer gives the replies in place of the script, where it is set; it must not be changed once a call has come.
	Answer func(Request) Reply
	// Models is what the list of models tells.
	Models []Model

	mu       sync.Mutex
	replies  []Reply
	requests []Request
	billed   Usage
	signed   map[string]string // the model that each signature was given for
}

// Request is a call as it came.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte
}

// Usage is what a reply counts, by Anthropic's rule: what the cache gave and took is not part of the input.
type Usage struct {
	Input      int64 `json:"input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	Output     int64 `json:"output_tokens"`
}

// Model is one line of the list of models.
type Model struct {
	ID, Name              string
	MaxInput, MaxOutput   int64
	NoImages, NoReasoning bool
}

// New returns a server with a script.
func New(replies ...Reply) *Server { return &Server{replies: replies, signed: map[string]string{}} }

// Then adds replies to the script.
func (s *Server) Then(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

// Requests returns the calls of models so far, those that failed included.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Billed returns the sum of the usage of all replies that were sent whole.
func (s *Server) Billed() Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.billed
}

// ServeHTTP answers the calls of messages and of models.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client left
	}
	request := Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/v1/messages":
		s.call(w, r, request)
	case r.Method == http.MethodGet && r.URL.Path == "/v1/models":
		s.list(w)
	default:
		refuse(w, http.StatusNotFound, "not_found_error", "no such path "+r.URL.Path)
	}
}

func (s *Server) call(w http.ResponseWriter, r *http.Request, request Request) {
	s.mu.Lock()
	s.requests = append(s.requests, request)
	call, flaw := s.check(request.Body)
	s.mu.Unlock()
	if flaw != "" {
		refuse(w, http.StatusBadRequest, "invalid_request_error", flaw)
		return
	}
	reply, ok := s.next(request)
	switch {
	case !ok:
		refuse(w, http.StatusTeapot, "api_error", "the script is at its end")
	case reply.Fault.Kind == fault.Status:
		fault.Refuse(w, reply.refusal())
	default:
		s.play(w, r, call.Model, reply)
	}
}

// next takes the next reply.
func (s *Server) next(request Request) (Reply, bool) {
	if s.Answer != nil {
		return s.Answer(request), true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.replies) == 0 {
		return Reply{}, false
	}
	reply := s.replies[0]
	s.replies = s.replies[1:]
	return reply, true
}

func (s *Server) play(w http.ResponseWriter, r *http.Request, model string, reply Reply) {
	w.Header().Set("Request-Id", "req_fake")
	f := reply.Fault
	if f.Kind == fault.Event && f.Body == "" {
		f.Body = frame("error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
	}
	s.mu.Lock()
	for _, b := range reply.Blocks {
		if b.Signature != "" {
			s.signed[b.Signature] = model
		}
	}
	s.mu.Unlock()
	fault.Play(w, r, "text/event-stream; charset=utf-8", reply.Frames(model), f, func() { s.bill(reply.usage()) })
}

func (s *Server) bill(u Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.billed.Input += u.Input
	s.billed.CacheWrite += u.CacheWrite
	s.billed.CacheRead += u.CacheRead
	s.billed.Output += u.Output
}

func (s *Server) list(w http.ResponseWriter) {
	type supported struct {
		Supported bool `json:"supported"`
	}
	data := []map[string]any{}
	for _, m := range s.Models {
		data = append(data, map[string]any{
			"type": "model", "id": m.ID, "display_name": m.Name, "max_input_tokens": m.MaxInput, "max_tokens": m.MaxOutput,
			"capabilities": map[string]any{"image_input": supported{!m.NoImages}, "thinking": supported{!m.NoReasoning}},
		})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "has_more": false}) // a client that left wants none
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	body := fmt.Sprintf(`{"type":"error","error":{"type":%s,"message":%s},"request_id":"req_fake"}`, quoted(kind), quoted(message))
	fault.Refuse(w, fault.Fault{Status: status, Body: body})
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // a text has a JSON form
	return string(data)
}
