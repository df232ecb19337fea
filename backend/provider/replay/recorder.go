package replay

import "coppice/backend/core"

// recorder finds the answers of a tree, and their positions.
type recorder struct {
	answers   map[string][]*answer
	prompts   []*prompt
	positions map[string]position // by the UID of the message before it
	ends      map[string]end      // of the answers
}

// end is the last message so far of an answer: some tools record one answer as several messages.
type end struct {
	answer *answer
	parts  int // how many parts it had with that message
}

func newRecorder() *recorder {
	return &recorder{answers: map[string][]*answer{}, positions: map[string]position{}, ends: map[string]end{}}
}

func (r *recorder) add(m *core.Message) {
	before := r.positions[m.ParentUID]
	here := before.after(m)
	if m.IsPrompt() {
		here.prompt = &prompt{words: wordSet(here.text)}
		r.prompts = append(r.prompts, here.prompt)
	}
	r.positions[m.UID] = here
	if m.Role == core.RoleAssistant && m.Kind == core.KindMessage && m.FinishReason != core.FinishError && m.FinishReason != core.FinishAborted {
		r.answer(m, here)
	}
}

func (r *recorder) answer(m *core.Message, here position) {
	parts := played(m.Parts)
	a, begun := r.begun(m.ParentUID)
	if !begun {
		a = &answer{parts: a.parts}
		r.answers[here.key] = append(r.answers[here.key], a)
		if p := here.prompt; p != nil {
			for len(p.steps) <= here.steps {
				p.steps = append(p.steps, nil)
			}
			p.steps[here.steps] = append(p.steps[here.steps], a)
		}
	}
	a.parts = append(a.parts, parts...)
	a.add(m)
	r.ends[m.UID] = end{a, len(a.parts)}
}

// begun returns the answer that a message below parent continues. If another message already continues it, begun
// returns a new answer with the parts up to parent; if no answer was begun, an empty one.
func (r *recorder) begun(parent string) (*answer, bool) {
	e, ok := r.ends[parent]
	if !ok {
		return &answer{}, false
	}
	if len(e.answer.parts) == e.parts {
		return e.answer, true
	}
	return &answer{parts: append([]core.Part{}, e.answer.parts[:e.parts]...)}, false
}

// add copies the other fields of a message to its answer.
func (a *answer) add(m *core.Message) {
	a.finish, a.finishRaw, a.model = m.FinishReason, m.FinishRaw, m.Model
	for _, p := range a.parts {
		if p.Type == core.PartToolCall {
			a.finish = core.FinishToolCall
		}
	}
	if a.finish == "" {
		a.finish = core.FinishStop
	}
	if m.Usage == nil {
		return
	}
	if a.usage == nil {
		a.usage = &core.Usage{}
	}
	a.usage.InputTokens += m.Usage.InputTokens
	a.usage.OutputTokens += m.Usage.OutputTokens
	a.usage.CacheReadTokens += m.Usage.CacheReadTokens
	a.usage.CacheWriteTokens += m.Usage.CacheWriteTokens
	a.usage.ReasoningTokens += m.Usage.ReasoningTokens
}

// played returns the parts of an answer that are repeated: without what only its provider understands, and without
// calls that its provider ran.
func played(parts []core.Part) []core.Part {
	var kept []core.Part
	for _, p := range parts {
		switch p.Type {
		case core.PartText, core.PartReasoning:
			if p.Text != "" {
				kept = append(kept, core.Part{Type: p.Type, Text: p.Text})
			}
		case core.PartToolCall:
			if !p.Server {
				kept = append(kept, core.Part{Type: p.Type, ID: p.ID, Name: p.Name, Arguments: p.Arguments, Text: p.Text})
			}
		default:
		}
	}
	return kept
}
