package importer_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"coppice/backend/core"
)

// memory is a library that holds everything in maps.
type memory struct {
	mu       sync.Mutex
	sessions []*stored
	cursors  map[string]core.Cursor
	gone     map[string]bool
	merges   int
	fail     error              // returned by Commit instead of working
	during   func(messages int) // called for each message that is added
}

// stored is a session of memory.
type stored struct {
	core.Session
	aliases []string
	order   []string
	byUID   map[string]core.Message
	records []core.Record
}

func (l *memory) FilePath() string { return "" }

func newMemory() *memory { return &memory{cursors: map[string]core.Cursor{}, gone: map[string]bool{}} }

func (l *memory) Cursors(_ context.Context, paths []string) (map[string]core.Cursor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := map[string]core.Cursor{}
	for _, path := range paths {
		if c, known := l.cursors[path]; known {
			found[path] = c
		}
	}
	return found, nil
}

func (l *memory) Sources(_ context.Context, path string) (map[string]bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sources := map[string]bool{}
	for known := range l.cursors {
		if known == path || strings.HasPrefix(known, path+"/") {
			sources[known] = l.gone[known]
		}
	}
	return sources, nil
}

func (l *memory) MarkSources(_ context.Context, paths []string, gone bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, path := range paths {
		l.gone[path] = gone
	}
	return nil
}

func (l *memory) PutCursor(_ context.Context, c core.Cursor) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cursors[c.Path] = c
	return nil
}

func (l *memory) Session(_ context.Context, ref string) (core.Session, error) {
	for _, s := range l.sessions {
		if s.ID == ref || slices.Contains(s.aliases, ref) {
			return s.Session, nil
		}
	}
	return core.Session{}, core.E(core.NotFound, "no session %s", ref)
}

func (l *memory) Messages(_ context.Context, id string) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for _, s := range l.sessions {
			for _, uid := range s.order {
				if s.ID == id && !yield(s.byUID[uid], nil) {
					return
				}
			}
		}
	}
}

func (l *memory) Begin() core.Batch {
	return &memoryBatch{library: l, finished: make(chan struct{})}
}

// memoryBatch holds what was added until it is committed.
type memoryBatch struct {
	library  *memory
	messages []core.IncomingMessage
	records  []core.Record
	headUID  string
	err      error
	finished chan struct{}
}

func (b *memoryBatch) Add(m core.IncomingMessage) error {
	b.messages = append(b.messages, m)
	if b.library.during != nil {
		b.library.during(len(b.messages))
	}
	return nil
}

func (b *memoryBatch) AddRecord(r core.Record) error {
	b.records = append(b.records, r)
	return nil
}

func (b *memoryBatch) AddRunItem(core.RunItem) error { return nil }

func (b *memoryBatch) AddBlob(core.Blob) error { return nil }

func (b *memoryBatch) Finish(headUID string, err error) {
	b.headUID, b.err = headUID, err
	close(b.finished)
}

func (b *memoryBatch) Close() {}

// Commit waits for the whole session, so that a failed one leaves nothing behind.
func (b *memoryBatch) Commit(ctx context.Context, in *core.Header) (core.Merged, error) {
	l := b.library
	l.merges++
	if l.fail != nil {
		return core.Merged{}, l.fail
	}
	<-b.finished
	messages := b.messages
	if b.err != nil {
		return core.Merged{}, b.err
	}
	if err := ctx.Err(); err != nil {
		return core.Merged{}, err
	}
	s := l.find(in.Session, messages)
	merged := core.Merged{Created: s == nil}
	if s == nil {
		s = &stored{Session: in.Session, byUID: map[string]core.Message{}}
		l.sessions = append(l.sessions, s)
	}
	for _, m := range messages {
		have, known := s.byUID[m.UID]
		switch {
		case m.Known && !known:
			return merged, core.E(core.Internal, "%s was never imported", m.UID)
		case m.Known:
			if have.ParentUID != m.ParentUID {
				merged.Moved++
			}
			have.ParentUID = m.ParentUID
			s.byUID[m.UID] = have
		case !known:
			merged.Added++
			s.order = append(s.order, m.UID)
			s.byUID[m.UID] = m.Message
		case fmt.Sprintf("%+v", have) != fmt.Sprintf("%+v", m.Message):
			merged.Updated++
			s.byUID[m.UID] = m.Message
		}
	}
	id := s.ID
	s.Session = in.Session
	s.ID = id
	s.HeadUID = b.headUID
	if !slices.Contains(s.aliases, in.Session.SourceID) {
		s.aliases = append(s.aliases, in.Session.SourceID)
	}
	for _, r := range b.records {
		same := func(have core.Record) bool { return have.Line == r.Line && string(have.Body) == string(r.Body) }
		if !slices.ContainsFunc(s.records, same) {
			s.records = append(s.records, r)
		}
	}
	merged.SessionID = s.ID
	if in.Cursor != nil {
		return merged, l.PutCursor(ctx, *in.Cursor)
	}
	return merged, nil
}

func (l *memory) find(session core.Session, messages []core.IncomingMessage) *stored {
	for _, s := range l.sessions {
		if s.ID == session.ID || slices.Contains(s.aliases, session.SourceID) {
			return s
		}
	}
	for _, s := range l.sessions {
		if _, known := s.byUID[messages[0].UID]; known && s.Source == session.Source {
			return s
		}
	}
	return nil
}

// dump writes everything that a library holds.
func (l *memory) dump() string {
	var b strings.Builder
	for _, s := range l.sessions {
		fmt.Fprintf(&b, "session %+v\n", s.Session)
		for i, uid := range s.order {
			m := s.byUID[uid]
			fmt.Fprintf(&b, "%d %s under %s: %s %s %d parts, %s, %s\n", i, uid, m.ParentUID, m.Role, m.Kind, len(m.Parts), text(m), m.Meta)
			if m.Usage != nil {
				fmt.Fprintf(&b, "  %d %d\n", m.Usage.InputTokens, m.Usage.OutputTokens)
			}
		}
		for _, r := range s.records {
			fmt.Fprintf(&b, "record %d after %s: %s\n", r.Line, r.AfterUID, r.Type)
		}
	}
	return b.String()
}

func text(m core.Message) string {
	var all []string
	for _, p := range m.Parts {
		all = append(all, p.Text, string(p.Arguments), p.ID)
		for _, r := range p.Result {
			all = append(all, r.Text)
		}
	}
	return core.Hash([]byte(strings.Join(all, "\n")))
}

// only returns the one session of a library.
func (l *memory) only(t *testing.T) *stored {
	t.Helper()
	if len(l.sessions) != 1 {
		t.Fatalf("%d sessions", len(l.sessions))
	}
	return l.sessions[0]
}
