package claudecode

import (
	"context"
	"iter"
	"path/filepath"
	"strings"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/twopass"
)

// sourceID returns the id of a session in Claude Code: the name of its file, if that is an id.
func (s *skeleton) sourceID() string {
	stem := strings.TrimSuffix(filepath.Base(s.file.Path), filepath.Ext(s.file.Path))
	if core.IsUUID(stem) || s.facts.sessionID == "" {
		return stem
	}
	return s.facts.sessionID
}

// session returns what the file records of its session.
func (s *skeleton) session() core.Session {
	main, source := s.threads[0], s.sourceID()
	title, origin := s.title()
	return core.Session{
		ID: sessionID(s.facts.createdAtMs, source), Source: core.SourceClaudeCode, SourceID: source, SourcePath: s.file.Path, Status: core.StatusIdle,
		Title: title, TitleOrigin: origin, Task: main.facts.task, Model: main.facts.model, WorkspacePath: s.facts.cwd,
		FilesModified: main.facts.changed(), CreatedAtMs: s.facts.createdAtMs, Meta: s.facts.json(),
	}
}

func sessionID(createdAtMs int64, sourceID string) string {
	return core.DerivedID(createdAtMs, string(core.SourceClaudeCode), sourceID)
}

// title returns the name that the user gave, else the one Claude Code gave, else the first prompt. A summary may be of
// another conversation in the same folder.
func (s *skeleton) title() (string, core.TitleOrigin) {
	if s.facts.customTitle != "" {
		return s.facts.customTitle, core.TitleTool
	}
	if s.facts.aiTitle != "" {
		return s.facts.aiTitle, core.TitleTool
	}
	for i := len(s.facts.summaries) - 1; i >= 0; i-- {
		if _, here := s.at[s.facts.summaries[i].leaf]; here {
			return s.facts.summaries[i].text, core.TitleTool
		}
	}
	return s.threads[0].facts.title(), core.TitleDerived
}

// incoming returns a thread for the library.
func (s *skeleton) incoming(ctx context.Context, n int32, session core.Session) core.Incoming {
	t := s.threads[n]
	built := arrange(t.positions)
	in := core.Incoming{
		Header:   core.Header{Session: session},
		Messages: s.messages(ctx, t, built),
		Ahead:    true,
		Head:     func() string { return t.nodes[built.continuesAt(t.head)].uid },
		Records:  func(func(core.Record) bool) {},
	}
	if n == 0 {
		in.Records, in.Spawned = s.kept(), s.started(session.SourceID)
	}
	return in
}

// messages yields the messages of a thread in the order of the file.
func (s *skeleton) messages(ctx context.Context, t *thread, built *tree) iter.Seq2[core.IncomingMessage, error] {
	b := builder{skeleton: s, thread: t}
	return twopass.Messages(ctx, t.newest()+1, func(p int32) (core.IncomingMessage, error) {
		m, err := b.incoming(p)
		m.ParentUID = t.nodes[built.parents[p]].uid
		return m, err
	})
}

// incoming builds a message, or only names it if all of it was imported before.
func (b *builder) incoming(p int32) (core.IncomingMessage, error) {
	node := b.thread.nodes[p]
	last := b.skeleton.entries[node.last].Offset
	if max(last, b.skeleton.keptFiles[node.uid].offset) < b.skeleton.file.FromBytes {
		return core.IncomingMessage{Message: core.Message{UID: node.uid}, Known: true}, nil
	}
	m, err := b.message(p)
	b.skeleton.file.Progress(last)
	return core.IncomingMessage{Message: m}, err
}

// kept returns the records beside the messages.
func (s *skeleton) kept() iter.Seq[core.Record] {
	b := builder{skeleton: s, thread: s.threads[0]}
	position := func(n int32) (twopass.Position, bool) { return s.records[n].Position, true }
	return twopass.Records(&s.file, int32(len(s.records)), position, func(n int32) (core.Record, error) { //nolint:gosec // bounded by the lines of a file
		e := &s.records[n]
		r, err := b.record(&e.entry)
		return core.Record{AfterUID: s.threads[0].nodes[e.after].uid, Type: e.kind, Known: e.known, Body: jsonl.Raw(r.all)}, err
	})
}
