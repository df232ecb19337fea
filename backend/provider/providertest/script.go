// Package providertest holds what the tests of the providers share: the script of a fake server, and functions that
// read and check a stream.
package providertest

import (
	"io"
	"net/http"
	"sync"
)

// Request is a received call of a model, valid or not.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte
}

// NewRequest reads a call; false if its client left.
func NewRequest(r *http.Request) (Request, bool) {
	body, err := io.ReadAll(r.Body)
	return Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}, err == nil
}

// Script holds the replies of a fake server, one per call, and the received requests. It may be used by several
// goroutines.
type Script[Reply any] struct {
	// Answer, if set, returns the replies instead of the added ones; it must not change after the first call.
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

// Requests returns the calls of models so far, failed ones included.
func (s *Script[Reply]) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Note stores a call and returns its number, counted from 1.
func (s *Script[Reply]) Note(r Request) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	return len(s.requests)
}

// Next returns the reply to a call; false if the script has ended.
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
