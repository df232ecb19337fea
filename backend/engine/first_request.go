package engine

import (
	"context"

	"coppice/backend/compact"
	"coppice/backend/core"
)

// Sending is the first request that a run of a task would send to its model.
type Sending struct {
	Request core.Request
	Mode    core.Mode // what its tools may do
	Path    int       // messages of the path that the task continues
	Hidden  int       // of them, those that the newest summary replaces
	// FirstTurn and LastTurn are those of the messages that are not hidden, Turns counts them; -1 without such messages.
	FirstTurn, LastTurn, Turns int64
	Images                     int64 // of the path and the prompt

	// Estimates by the length of the texts.
	SystemTokens, ToolTokens, PathTokens, PromptTokens int64
	// Tokens is the sum: Counted by the provider of the last answer except for the messages since, otherwise estimated.
	Tokens  int64
	Counted bool
}

// Sending returns what a run of the task would send first if it began now. It calls no model and writes nothing: calls
// without a result are shown with the result that states this. The error is NotFound for what the task names.
func (e *Engine) Sending(ctx context.Context, task *Task) (Sending, error) {
	var path []core.Message
	if task.SessionID != "" && !task.Root {
		var err error
		if path, err = e.Store.Conversation(ctx, task.SessionID, task.From); err == nil {
			path, err = e.withResults(ctx, task.SessionID, path)
		}
		if err != nil {
			return Sending{}, err
		}
	}
	s := Sending{Mode: task.Mode, Path: len(path), Hidden: compact.Covered(path), FirstTurn: -1, LastTurn: -1}
	if task.Aside {
		s.Mode = core.ModePlan
	}
	if task.Summary && len(path) > 0 {
		s.Hidden = len(path)
		path = append(path, compaction(path))
	}
	s.countTurns(path[min(s.Hidden, len(path)):])
	r := run{Engine: e, task: task}
	if task.Team != nil {
		task.Enter(task.Team.current())
	}
	r.offer()
	r.context = replayable(r.seen(path))
	s.PathTokens = compact.SizeOf(r.context).Tokens
	queued, err := e.queued(ctx, task)
	if err != nil {
		return Sending{}, err
	}
	for _, m := range queued {
		r.context = replayable(append(r.context, m))
	}
	if first, ok := firstMessage(task, r.context); ok {
		before := compact.SizeOf(r.context).Tokens
		r.context = replayable(append(r.context, first))
		s.PromptTokens = compact.SizeOf(r.context).Tokens - before
	}
	state := r.state()
	s.Request = assemble(r.context, &state)
	s.Request.CacheKey = task.SessionID
	s.weigh()
	return s, nil
}

func (s *Sending) countTurns(path []core.Message) {
	for i := range path {
		if m := &path[i]; m.UID != "" && m.Turn != s.LastTurn { // a path never returns to a turn
			if s.Turns == 0 {
				s.FirstTurn = m.Turn
			}
			s.LastTurn = m.Turn
			s.Turns++
		}
	}
}

// requestTokens estimates the size of a request.
func requestTokens(q *core.Request) int64 {
	return compact.FixedSize(q.System, q.Tools).Tokens + compact.SizeOf(q.Messages).Tokens
}

// weigh estimates the size of the request.
func (s *Sending) weigh() {
	q := &s.Request
	s.SystemTokens, s.ToolTokens = compact.FixedSize(q.System, nil).Tokens, compact.ToolTokens(q.Tools)
	for i := range q.Messages {
		m := &q.Messages[i]
		s.Counted = s.Counted || m.Usage != nil && m.Usage.InputTokens > 0
		for j := range m.Parts {
			s.Images += imagesOf(&m.Parts[j])
		}
	}
	s.Tokens = contextTokens(q.Messages)
	if !s.Counted { // a provider counts these too
		s.Tokens += s.SystemTokens + s.ToolTokens
	}
}

func imagesOf(p *core.Part) (n int64) {
	if p.Media.IsImage() {
		n++
	}
	for i := range p.Result {
		if p.Result[i].Media.IsImage() {
			n++
		}
	}
	return n
}
