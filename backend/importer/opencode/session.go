package opencode

import (
	"context"
	"iter"
	"maps"
	"slices"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// facts are what the messages contain about their session.
type facts struct {
	task  string
	model string
	agent string
	files map[string]bool
}

func (f *facts) take(m *core.Message) {
	if f.task == "" && m.IsPrompt() {
		f.task = jsonl.Task(m.Text())
	}
	if m.Role == core.RoleAssistant && m.Model != "" {
		f.model, f.agent = m.Model, m.Agent
	}
}

// change records a file that a tool has changed.
func (f *facts) change(file string) {
	if file == "" {
		return
	}
	if f.files == nil {
		f.files = map[string]bool{}
	}
	f.files[file] = true
}

func (f *facts) changed() []string {
	return append([]string{}, slices.Sorted(maps.Keys(f.files))...)
}

// session is a session on its way into the library.
type session struct {
	info
	file  core.SourceFile
	store store
	// inherited are the ids that the first messages have in the session this one is a copy of.
	inherited []string

	facts   facts
	head    string
	records []core.Record
}

// incoming returns the session for the library; false if it has no messages.
func (s *session) incoming(ctx context.Context) (core.Incoming, bool, error) {
	found := false
	for m, err := range s.messages(ctx) {
		if err != nil {
			return core.Incoming{}, false, err
		}
		found = true
		s.facts.take(&m.Message)
	}
	if !found {
		return core.Incoming{}, false, nil
	}
	return core.Incoming{
		Header:   core.Header{Session: s.session(s.file.Path, &s.facts), ParentSourceID: s.parent},
		Messages: s.messages(ctx),
		Head:     func() string { return s.head },
		Records: func(yield func(core.Record) bool) {
			for _, r := range s.records {
				if !yield(r) {
					return
				}
			}
		},
	}, true, nil
}

// messages yields the messages, each a child of the previous one: OpenCode deletes what a new prompt replaces, and the
// library keeps it as a branch.
func (s *session) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		s.head, s.records = "", nil
		last, ends, reverted := "", map[string]string{}, false // ends is the last message made of each of OpenCode's
		n := 0
		for r, err := range s.store.each(ctx, s.id) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(core.IncomingMessage{}, err)
				return
			}
			if r.again {
				last = ends[r.id]
				continue
			}
			if _, twice := ends[r.id]; twice {
				s.file.Problem(0, "message "+r.id+" occurs twice; the first one is read")
				continue
			}
			if r.id == s.revert {
				reverted = true
				s.head = last
			}
			b := builder{facts: &s.facts}
			if !isMarker(r.kind) {
				b.uid = s.uid(n, &r)
				n++
			}
			if !b.build(&r) {
				s.records = append(s.records, core.Record{AfterUID: last, Type: r.role(), Known: isMarker(r.kind), Body: r.body()})
				ends[r.id] = last
				continue
			}
			for _, m := range b.messages {
				m.ParentUID = last
				last = m.UID
				if !yield(core.IncomingMessage{Message: m}, nil) {
					return
				}
			}
			ends[r.id] = last
			if !reverted || r.id == s.revert && s.within {
				s.head = last
			}
		}
	}
}

// uid returns the id of the n-th message: its own, or that of the message it is a copy of. OpenCode's ids are not UUIDs;
// these are derived from them, so that a copy is found by its first message.
func (s *session) uid(n int, r *raw) string {
	if n < len(s.inherited) {
		return s.inherited[n]
	}
	return uidOf(r)
}

func uidOf(r *raw) string {
	return core.DerivedID(r.timeMs(), string(core.SourceOpenCode), r.id)
}
