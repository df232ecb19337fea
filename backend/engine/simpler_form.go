package engine

import (
	"context"
	"slices"

	"coppice/backend/core"
)

// useSimplerForm selects the next simpler form of the conversation; false if none is left. A provider that refused a request
// may accept it without the blocks of another provider, or as a summary.
func (r *run) useSimplerForm(ctx context.Context) bool {
	if r.row.StepCount > 0 {
		return false // it accepted the conversation before
	}
	switch r.form.Context {
	case core.ContextVerbatim:
		if !slices.ContainsFunc(r.context, foreign) {
			return false
		}
		r.form.Context = core.ContextNeutral
		r.emit(Event{Type: EventNotice, Text: "the provider refused the conversation; retrying without the blocks that only their original provider understands"})
		return true
	case core.ContextNeutral:
		path, err := r.Store.Conversation(ctx, r.row.SessionID, r.head)
		if err != nil || len(path) == 0 || path[len(path)-1].Role != core.RoleUser {
			return false
		}
		r.form = core.RequestForm{Context: core.ContextSummary, SummaryUpToUID: r.head, Closing: r.form.Closing, Answer: r.form.Answer, NoSchema: r.form.NoSchema}
		state := r.state()
		r.context, r.resumed = contextOf(path, &state), core.ResumedSummary
		r.emit(Event{Type: EventNotice, Text: "the provider refused the conversation; retrying with a summary of it"})
		return true
	default:
		return false
	}
}

// foreign reports whether a message was made elsewhere or has blocks that only one provider understands.
func foreign(m core.Message) bool {
	return m.Role == core.RoleAssistant || slices.ContainsFunc(m.Parts, func(p core.Part) bool { return p.Native != nil })
}
