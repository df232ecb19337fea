package launch

import (
	"cmp"
	"sync"

	"coppice/backend/core"
	"coppice/backend/engine"
)

// SideBySide is a request that several models answer side by side. The first run leads: it stores the prompt, moves the head and
// has the requested mode. The others answer the same message, each in a branch of its own, and only read.
type SideBySide struct {
	request RunRequest
	models  []string

	once      sync.Once
	ready     chan struct{} // closed when the two fields below are known
	sessionID string
	fromUID   string // the message that all models answer
}

// NewSideBySide returns the runs of a request in a session with several models. The zero value of session means a new one.
func NewSideBySide(request RunRequest, session core.Session, models []string) (*SideBySide, error) {
	if len(models) == 0 {
		return nil, core.E(core.Invalid, "no model was chosen")
	}
	return &SideBySide{request: request, models: models, ready: make(chan struct{}), fromUID: cmp.Or(request.FromUID, session.HeadUID)}, nil
}

// Lead returns the request of the first run.
func (s *SideBySide) Lead() RunRequest {
	lead := s.request
	lead.Model = s.models[0]
	return lead
}

// Observe takes the events of the first run. The other runs can start when it has stored the prompt; without a prompt, when it
// has started.
func (s *SideBySide) Observe(e engine.Event) {
	says := s.request.Says()
	switch {
	case says && e.Type == engine.EventMessage && e.Message.IsPrompt():
		s.once.Do(func() { s.open(e.SessionID, e.Message.UID) })
	case !says && e.Type == engine.EventStarted:
		s.once.Do(func() { s.open(e.SessionID, s.fromUID) })
	}
}

func (s *SideBySide) open(sessionID, fromUID string) {
	s.sessionID, s.fromUID = sessionID, fromUID
	close(s.ready)
}

// Others waits until the other runs can start, and returns their requests in the order of the models. It returns none if the
// first run ends before; its end closes ended.
func (s *SideBySide) Others(ended <-chan struct{}) []RunRequest {
	select {
	case <-s.ready:
	case <-ended:
		select { // the prompt may have been stored just before the end
		case <-s.ready:
		default:
			return nil
		}
	}
	var others []RunRequest
	for _, model := range s.models[1:] {
		other := s.request.beside(s.sessionID, s.fromUID)
		other.Model = model
		others = append(others, other)
	}
	return others
}

// beside returns a request without a prompt for a run that answers the message fromUID beside the run of r.
func (r RunRequest) beside(sessionID, fromUID string) RunRequest {
	r.SessionID, r.FromUID, r.Root, r.Aside, r.Review = sessionID, fromUID, false, true, false
	r.Text, r.Images, r.Cites = "", nil, nil
	return r
}
