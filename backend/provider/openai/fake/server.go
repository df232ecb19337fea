// Package fake is a server that speaks OpenAI's protocols, for tests: it gives the answers of a script, refuses what
// the real one refuses, counts what it bills, and fails in the ways that real ones fail.
package fake

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"coppice/backend/core"
)

// Server is an http.Handler for /chat/completions, /responses and /models, under any prefix. It may be used by
// several goroutines; its exported fields are set before.
type Server struct {
	// Reply chooses the answer to a request, which is sound; nil: the answers that were added, in their order.
	Reply func(Request) Answer
	// Key is demanded; empty: none is.
	Key string
	// Models is the body of /models; empty: one model, fake-1.
	Models string

	mu       sync.Mutex
	answers  []Answer
	requests []Request
	billed   core.Usage
	left     int
}

// Request is a request that came, be it sound or not.
type Request struct {
	Path   string
	Header http.Header
	Body   json.RawMessage
}

// New returns a server with answers.
func New(answers ...Answer) *Server {
	return &Server{answers: answers}
}

// Add appends answers.
func (s *Server) Add(answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answers...)
}

// Requests returns the requests that came, those for models aside.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Billed returns the tokens of the answers that were written to their end.
func (s *Server) Billed() core.Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.billed
}

// Left returns how many clients left before the end of their answer.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Request-Id", "req_fake")
	if s.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.Key {
		refuse(w, http.StatusUnauthorized, "Incorrect API key provided.", "invalid_api_key")
		return
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/models"):
		s.list(w)
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		s.answer(w, r, checkChat, Answer.chat)
	case strings.HasSuffix(r.URL.Path, "/responses"):
		s.answer(w, r, checkResponses, Answer.responses)
	default:
		refuse(w, http.StatusNotFound, "Invalid URL ("+r.Method+" "+r.URL.Path+")", "")
	}
}

func (s *Server) list(w http.ResponseWriter) {
	models := s.Models
	if models == "" {
		models = `{"object":"list","data":[{"id":"fake-1","object":"model","created":1760000000,"owned_by":"fake"}]}`
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, models)
}

// refuse answers with an error as OpenAI writes it.
func refuse(w http.ResponseWriter, status int, message, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{
		"message": message, "type": "invalid_request_error", "param": nil, "code": code,
	}})
}

// answer gives the next answer to a sound request.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, check func([]byte) string, events func(Answer, call) []string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	request := Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	flaw := check(body)
	a, ok := s.next(request, flaw == "")
	switch {
	case flaw != "":
		refuse(w, http.StatusBadRequest, flaw, "")
		return
	case !ok:
		refuse(w, http.StatusBadRequest, "the script has no answer left", "")
		return
	case a.Fault.Status != 0:
		maps.Copy(w.Header(), a.Fault.Header)
		w.WriteHeader(a.Fault.Status)
		_, _ = io.WriteString(w, a.Fault.Body)
		return
	}
	c := readCall(body)
	usage := a.usage(body)
	c.usage = usage
	list := events(a, c)
	if a.Raw != "" {
		list = strings.SplitAfter(a.Raw, "\n\n")
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	s.write(w, r, a.Fault, list, usage)
}

// next notes a request, and takes the answer to it where it is sound.
func (s *Server) next(r Request, sound bool) (Answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if !sound {
		return Answer{}, false
	}
	if s.Reply != nil {
		return s.Reply(r), true
	}
	if len(s.answers) == 0 {
		return Answer{}, false
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	return a, true
}

// write writes the events one by one, with the faults among them.
func (s *Server) write(w http.ResponseWriter, r *http.Request, f Fault, events []string, usage core.Usage) {
	rest, cut := 0, f.Cut != nil
	if cut {
		rest = f.Cut.At
	}
	for i, event := range events {
		if f.Pause > 0 {
			wait(r, f.Pause)
		}
		if f.HangAfter > 0 && i == f.HangAfter {
			<-r.Context().Done()
		}
		if r.Context().Err() != nil {
			s.leave()
			return
		}
		if f.ErrorAfter > 0 && i == f.ErrorAfter {
			_, _ = io.WriteString(w, f.event())
			return
		}
		if cut && len(event) > rest {
			_, _ = io.WriteString(w, event[:rest])
			flush(w)
			if !f.Cut.Clean {
				panic(http.ErrAbortHandler)
			}
			return
		}
		rest -= len(event)
		if i == len(events)-1 {
			s.bill(usage) // who has read the last event finds it billed
		}
		if _, err := io.WriteString(w, event); err != nil {
			s.leave()
			return
		}
		flush(w)
	}
}

func wait(r *http.Request, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-r.Context().Done():
	case <-timer.C:
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left++
}

func (s *Server) bill(u core.Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.billed.InputTokens += u.InputTokens
	s.billed.OutputTokens += u.OutputTokens
	s.billed.CacheReadTokens += u.CacheReadTokens
	s.billed.CacheWriteTokens += u.CacheWriteTokens
	s.billed.ReasoningTokens += u.ReasoningTokens
}
