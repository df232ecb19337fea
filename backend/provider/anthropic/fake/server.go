// Package fake implements a server with Anthropic's messages protocol, for tests: it plays a script, and rejects what
// the real server rejects.
package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"coppice/backend/provider/fault"
	"coppice/backend/provider/providertest"
)

// Server is an http.Handler that answers each call with the next reply of its script. An invalid call uses no reply.
type Server struct {
	providertest.Script[Reply]
	// Models is the list of models.
	Models []Model

	mu     sync.Mutex
	billed Usage
	signed map[string]string // the model that each signature was created for
}

// Usage is the token count of a reply by Anthropic's rule: cache reads and writes are not part of the input.
type Usage struct {
	Input      int64 `json:"input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	Output     int64 `json:"output_tokens"`
}

// Model is an entry of the list of models.
type Model struct {
	ID, Name              string
	MaxInput, MaxOutput   int64
	NoImages, NoReasoning bool
}

// New returns a server with a script.
func New(replies ...Reply) *Server {
	s := &Server{signed: map[string]string{}}
	s.Then(replies...)
	return s
}

// Billed returns the sum of the usage of all replies that were sent completely.
func (s *Server) Billed() Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.billed
}

// ServeHTTP answers the calls of messages and of models.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, ok := providertest.NewRequest(r)
	if !ok {
		return // the client left
	}
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/v1/messages":
		s.call(w, r, request)
	case r.Method == http.MethodGet && r.URL.Path == "/v1/models":
		s.list(w)
	default:
		refuse(w, http.StatusNotFound, "not_found_error", "no such path "+r.URL.Path)
	}
}

func (s *Server) call(w http.ResponseWriter, r *http.Request, request providertest.Request) {
	s.Note(request)
	s.mu.Lock()
	call, flaw := s.check(request.Body)
	s.mu.Unlock()
	if flaw != "" {
		refuse(w, http.StatusBadRequest, "invalid_request_error", flaw)
		return
	}
	reply, ok := s.Next(request)
	switch {
	case !ok:
		refuse(w, http.StatusTeapot, "api_error", "the script is at its end")
	case reply.Fault.Kind == fault.Status:
		fault.Refuse(w, reply.refusal())
	default:
		s.play(w, r, call.Model, reply)
	}
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
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "has_more": false}) // the client may have left
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	body := fmt.Sprintf(`{"type":"error","error":{"type":%s,"message":%s},"request_id":"req_fake"}`, quoted(kind), quoted(message))
	fault.Refuse(w, fault.Fault{Status: status, Body: body})
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // a text has a JSON form
	return string(data)
}
