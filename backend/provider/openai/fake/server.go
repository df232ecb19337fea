// Package fake implements a server with OpenAI's protocols, for tests: it plays a script, rejects what the real server
// rejects, counts what it bills, and fails as real servers do.
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
	"coppice/backend/provider/providertest"
)

// Server is an http.Handler for /chat/completions, /responses and /models, under any prefix. It may be used by several
// goroutines; its exported fields are set before.
type Server struct {
	// Answers are the script: each valid request gets the next one.
	providertest.Script[Answer]
	// Key is the required key; empty: none.
	Key string
	// Models is the body of /models; empty: one model, fake-1.
	Models string

	mu     sync.Mutex
	billed core.Usage
	left   int
}

// New returns a server with answers.
func New(answers ...Answer) *Server {
	s := &Server{}
	s.Then(answers...)
	return s
}

// Billed returns the tokens of the answers that were sent completely.
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

// answer gives the next answer to a valid request.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, check func([]byte) string, events func(Answer, call) []string) {
	request, ok := providertest.NewRequest(r)
	if !ok {
		return // the client left
	}
	s.Note(request)
	if flaw := check(request.Body); flaw != "" {
		refuse(w, http.StatusBadRequest, flaw, "")
		return
	}
	a, ok := s.Next(request)
	switch {
	case !ok:
		refuse(w, http.StatusBadRequest, "the script has no answer left", "")
		return
	case a.Fault.Status != 0:
		maps.Copy(w.Header(), a.Fault.Header)
		w.WriteHeader(a.Fault.Status)
		_, _ = io.WriteString(w, a.Fault.Body)
		return
	}
	c := readCall(request.Body)
	usage := a.usage(request.Body)
	c.usage = usage
	list := events(a, c)
	if a.Raw != "" {
		list = strings.SplitAfter(a.Raw, "\n\n")
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	s.write(w, r, a.Fault, list, usage)
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
			s.bill(usage) // before the last event, so that a client that has read it finds it billed
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
