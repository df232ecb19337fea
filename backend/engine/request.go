package engine

import (
	"context"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/team"
)

// state returns the run state of the next step.
func (r *run) state() core.RunState {
	state := core.RunState{
		Agent: r.task.Agent, Model: r.task.ModelRef, ContextTokens: r.task.Info.ContextTokens, BaseURL: r.task.BaseURL, Effort: r.task.Effort,
		Mode: r.task.Mode, Limits: r.task.Budget, WorkspacePath: r.task.WorkspacePath, System: r.task.System, Tools: r.specs, Servers: r.task.Servers, Inactive: r.task.Inactive,
		Approvals: r.approvals, Context: r.task.Context, Form: r.form, Team: r.teamRun(),
	}
	if r.task.Output != nil {
		state.OutputSchema = r.task.Output.Schema
	}
	return state
}

// teamRun returns what the run state holds of the team; nil: one agent works alone.
func (r *run) teamRun() *core.TeamRun {
	if r.task.Team == nil {
		return nil
	}
	return new(r.task.Team.TeamRun)
}

// record writes that a request is about to be sent, unless it is the one that was recorded last: a repeated one is recorded once.
func (r *run) record(ctx context.Context, q *core.Request, state core.RunState, last *string) error {
	hash, err := r.hasher.Hash(q)
	if err != nil || hash == *last {
		return err
	}
	*last = hash
	return r.Store.BeginRequest(ctx, core.SentRequest{RunID: r.row.ID, ParentUID: r.head, State: state, RequestHash: hash, SentAtMs: r.Now()})
}

// contextOf returns the messages that a model is sent for a path. It is a pure function of the path and the state; what a run
// builds up from step to step equals it.
func contextOf(path []core.Message, s *core.RunState) []core.Message {
	if s.Team != nil {
		path = team.Seen(path, s.Team)
	}
	form := s.Form
	if form.Context == core.ContextSummary {
		if at := slices.IndexFunc(path, func(m core.Message) bool { return m.UID == form.SummaryUpToUID }); at >= 0 {
			path = append([]core.Message{compaction(path[:at])}, path[at:]...)
		}
	}
	context := replayable(path)
	if n := len(path); form.Closing && n > 0 {
		context = joined(slices.Clip(context), path[n-1])
	}
	return context
}

// assemble returns the request for a context, without its CacheKey.
func assemble(context []core.Message, s *core.RunState) core.Request {
	_, model, _ := strings.Cut(s.Model, "/")
	q := core.Request{
		Model: model, System: s.System, Messages: context, Tools: s.Tools, ToolChoice: core.ToolChoiceAuto, Effort: s.Effort, ContextTokens: s.ContextTokens,
	}
	if s.Form.Context == core.ContextNeutral {
		q.Messages = neutral(q.Messages)
	}
	if !s.Form.NoSchema && !s.Form.Closing {
		q.OutputSchema = s.OutputSchema
	}
	if !s.Form.Closing && !s.Form.Answer {
		return q
	}
	q.ToolChoice = core.ToolChoiceNone
	if !slices.ContainsFunc(q.Messages, func(m core.Message) bool { return m.Role == core.RoleTool }) {
		q.Tools = nil // providers require the definitions of tools only if the conversation has calls
	}
	return q
}

// Rebuild returns a request that was sent, from the path to its parent and its run state. The error is Corrupt if the result
// differs from what was sent, for instance because a content of the path was removed, and Conflict if an export has replaced secrets in it.
func (e *Engine) Rebuild(ctx context.Context, sessionID string, sent *core.SentRequest) (core.Request, error) {
	read := e.Store.ContextPath
	if sent.State.Form.Context == core.ContextSummary || sent.State.Team != nil {
		read = e.Store.Conversation // a summary of all of it, or what the strategy of the team selects
	}
	path, err := read(ctx, sessionID, sent.ParentUID)
	if err != nil {
		return core.Request{}, err
	}
	return rebuild(path, sessionID, sent)
}

func rebuild(path []core.Message, sessionID string, sent *core.SentRequest) (core.Request, error) {
	q := assemble(contextOf(path, &sent.State), &sent.State)
	q.CacheKey = sessionID
	hash, err := q.Hash()
	switch {
	case err != nil || hash == sent.RequestHash:
	case sent.Redacted:
		err = core.E(core.Conflict, "rebuild the request after message %s: secrets in it were replaced before the session was imported", sent.ParentUID)
	default:
		err = core.E(core.Corrupt, "rebuild the request after message %s: the result has the hash %s, what was sent had %s", sent.ParentUID, hash, sent.RequestHash)
	}
	return q, err
}
