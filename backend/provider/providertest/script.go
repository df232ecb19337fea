// Package providertest holds what the tests of the providers share: the script of a fake server, and how a stream is
// read and judged.
package providertest

import (
	"io"
	"net/http"
	"sync"
)

// Request is a call of a model as it came, be it sound or not.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte
}

// NewRequest reads a call; false where its client left.
func NewRequest(r *http.Request) (Request, bool) {
	body, err := io.ReadAll(r.Body)
	return Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}, err == nil
}

// Script is what a fake server says, a reply a call, and what it was asked. It may be used by several goroutines.
type Script[Reply any] struct {
	// Answer gives the replies in place of those that were added, where it is set; it must not be changed once a call has come.
	Answer func(Request) Reply

	mu       sync.Mutex
	replies  []Reply
	requests []Request
}

// Then adds replies to the script.
func (s *Script[Reply]) Then(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

// Requests returns the calls of models so far, those that failed included.
func (s *Script[Reply]) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Note keeps a call and returns its number, from 1 on.
func (s *Script[Reply]) Note(r Request) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	return len(s.requests)
}

// Next takes the reply to a call; false where the script is at its end.
func (s *Script[Reply]) Next(r Request) (Reply, bool) {
	if s.Answer != nil {
		return s.Answer(r), true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.replies) == 0 {
		var none Reply
		return none, false
	}
	reply := s.replies[0]
	s.replies = s.replies[1:]
	return reply, true
}
