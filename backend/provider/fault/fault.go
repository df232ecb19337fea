// Package fault makes the fake servers of the providers fail as real servers do, for tests.
package fault

import (
	"net/http"
	"strings"
	"time"
)

// Kind is a kind of failure.
type Kind int

// The kinds of failure.
const (
	None   Kind = iota // no failure
	Status             // an answer with Status and Body instead of the stream
	End                // the answer ends after At bytes as if it were complete, as proxies do
	Drop               // the connection breaks after At bytes
	Event              // Body replaces the first piece that begins at or after At bytes, and ends the stream
	Hang               // nothing follows after At bytes, and the connection stays open until the client leaves
)

// Fault is the failure of one answer.
type Fault struct {
	Kind       Kind
	At         int // bytes of the answer's body that are still sent
	Status     int
	RetryAfter string        // the header; empty: none
	Body       string        // of Status, or of Event; empty: the fake's own
	Pause      time.Duration // before every piece, with any kind
}

// Play writes the pieces of a stream, flushes each, and fails as f requires. It calls whole before the last piece of a
// complete stream, so that a client that has read this piece sees the effect. A Status is written by Refuse.
func Play(w http.ResponseWriter, r *http.Request, contentType string, pieces []string, f Fault, whole func()) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	sent := 0
	for i, piece := range pieces {
		if !pause(r, f.Pause) {
			return
		}
		switch {
		case f.Kind == Event && sent >= f.At:
			write(w, f.Body)
			return
		case f.Kind != None && f.Kind != Event && sent+len(piece) > f.At:
			write(w, piece[:f.At-sent])
			fail(r, f)
			return
		}
		if i == len(pieces)-1 {
			whole()
		}
		write(w, piece)
		sent += len(piece)
	}
}

// Refuse answers with the status of the fault.
func Refuse(w http.ResponseWriter, f Fault) {
	w.Header().Set("Content-Type", "application/json")
	if !strings.HasPrefix(f.Body, "{") && !strings.HasPrefix(f.Body, "[") {
		w.Header().Set("Content-Type", "text/html")
	}
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	w.WriteHeader(f.Status)
	write(w, f.Body)
}

// pause waits; it returns false if the client left meanwhile.
func pause(r *http.Request, wait time.Duration) bool {
	if wait == 0 {
		return r.Context().Err() == nil
	}
	select {
	case <-r.Context().Done():
		return false
	case <-time.After(wait):
		return true
	}
}

func fail(r *http.Request, f Fault) {
	switch f.Kind {
	case Drop:
		panic(http.ErrAbortHandler)
	case Hang:
		<-r.Context().Done()
	default: // the answer just ends
	}
}

func write(w http.ResponseWriter, text string) {
	_, _ = w.Write([]byte(text)) // if the client left, its context ends
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
}
