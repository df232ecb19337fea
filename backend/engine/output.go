package engine

import (
	"context"

	"coppice/backend/core"
)

// checkOutput reads the value of the answer that ends the work. The model is asked once for another answer if that does not satisfy the
// schema of the task. If the second one does not either, the error is Invalid.
func (r *run) checkOutput(ctx context.Context, answer *core.Message) (asked bool, err error) {
	if r.task.Output == nil {
		return false, nil
	}
	value, invalid := r.task.Output.Value(textOf(answer.Parts))
	switch {
	case invalid == nil:
		r.output = value
		return false, nil
	case r.corrected:
		return false, core.E(core.Invalid, "the answer does not satisfy the schema: %v", invalid)
	}
	r.corrected, r.form.Answer = true, true
	r.emit(Event{Type: EventNotice, Text: "the answer does not satisfy the schema; asking for another one: " + invalid.Error()})
	return true, r.instruct(ctx, "[SYSTEM] Your answer does not satisfy the JSON Schema: "+invalid.Error()+"\nAnswer again with the JSON value, and nothing else.")
}

// leaveOutSchema selects requests without the schema of the answer, which not every server accepts; false if they have none. The system
// prompt contains it too.
func (r *run) leaveOutSchema(q *core.Request) bool {
	if q.OutputSchema == nil {
		return false
	}
	r.form.NoSchema = true
	r.emit(Event{Type: EventNotice, Text: "the provider refused the request; retrying without the schema of the answer, which the prompt contains too"})
	return true
}
