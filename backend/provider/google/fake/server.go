// Package fake implements a server with the protocol of Google's Gemini API, for tests: it plays a script, and rejects
// what the real server rejects.
package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
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

// Usage is the token count of a reply: cached tokens are part of the prompt, and thoughts are not part of the
// candidates.
type Usage struct{ Prompt, Cached, Candidates, Thoughts int64 }

// Model is an entry of the list of models.
type Model struct {
	ID, Name      string
	Input, Output int64
	Actions       []string
	Thinking      bool
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

// ServeHTTP answers the calls of models, and lists the models in pages of two.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, ok := providertest.NewRequest(r)
	if !ok {
		return // the client left
	}
	model, streams := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/v1beta/models/"), ":streamGenerateContent")
	switch {
	case r.Method == http.MethodPost && streams && r.URL.Query().Get("alt") == "sse":
		s.call(w, r, model, request)
	case r.Method == http.MethodGet && r.URL.Path == "/v1beta/models":
		s.list(w, r.URL.Query().Get("pageToken"))
	default:
		refuse(w, http.StatusNotFound, "NOT_FOUND", "no such path "+r.URL.Path)
	}
}

func (s *Server) call(w http.ResponseWriter, r *http.Request, model string, request providertest.Request) {
	n := s.Note(request)
	s.mu.Lock()
	flaw := s.check(model, request.Body)
	s.mu.Unlock()
	if flaw != "" {
		refuse(w, http.StatusBadRequest, "INVALID_ARGUMENT", flaw)
		return
	}
	reply, ok := s.Next(request)
	switch {
	case !ok:
		refuse(w, http.StatusTeapot, "UNKNOWN", "the script is at its end")
	case reply.Fault.Kind == fault.Status:
		fault.Refuse(w, reply.refusal())
	default:
		s.play(w, r, model, n, reply)
	}
}

func (s *Server) play(w http.ResponseWriter, r *http.Request, model string, n int, reply Reply) {
	f := reply.Fault
	if f.Kind == fault.Event && f.Body == "" {
		f.Body = event(`{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}`)
	}
	s.mu.Lock()
	for _, p := range reply.Parts {
		if p.Signature != "" {
			s.signed[p.Signature] = model
		}
	}
	s.mu.Unlock()
	fault.Play(w, r, "text/event-stream", reply.Events(model, n), f, func() { s.bill(reply.usage()) })
}

func (s *Server) bill(u Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.billed.Prompt += u.Prompt
	s.billed.Cached += u.Cached
	s.billed.Candidates += u.Candidates
	s.billed.Thoughts += u.Thoughts
}

func (s *Server) list(w http.ResponseWriter, token string) {
	const page = 2
	begin := 0
	_, _ = fmt.Sscan(token, &begin) // no token: from the first
	models := []map[string]any{}
	for _, m := range s.Models[min(begin, len(s.Models)):min(begin+page, len(s.Models))] {
		models = append(models, map[string]any{
			"name": "models/" + m.ID, "displayName": m.Name, "inputTokenLimit": m.Input, "outputTokenLimit": m.Output,
			"supportedGenerationMethods": m.Actions, "thinking": m.Thinking,
		})
	}
	answer := map[string]any{"models": models}
	if begin+page < len(s.Models) {
		answer["nextPageToken"] = fmt.Sprint(begin + page)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the client may have left
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	body := fmt.Sprintf(`{"error":{"code":%d,"message":%s,"status":%s}}`, status, quoted(message), quoted(kind))
	fault.Refuse(w, fault.Fault{Status: status, Body: body})
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // a text has a JSON form
	return string(data)
}
