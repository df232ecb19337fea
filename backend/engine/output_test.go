package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"coppice/backend/answer"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// structured returns a task whose answer must be an object with a number a.
func structured(t *testing.T, b *bench, model engine.Model) engine.Task {
	t.Helper()
	schema := must(answer.Parse([]byte(`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}`)))(t)
	task := b.task(model, "go")
	task.Output = &engine.Output{Schema: schema.JSON, Value: schema.Value}
	return task
}

// An answer that does not satisfy the schema is returned to the model once, with what is wrong and without tools.
func TestOutputIsCorrected(t *testing.T) {
	b := newBench(t)
	model := says(calling("c1:read:a"), text("it is one"), text(`{"a": 1}`))
	result := must(b.Run(t.Context(), structured(t, b, model)))(t)
	if string(result.Output) != `{"a":1}` || result.Answer != `{"a": 1}` || result.Run.StopReason != core.StopDone {
		t.Errorf("%s, %q, %s", result.Output, result.Answer, result.Run.StopReason)
	}
	if len(model.requests) != 3 {
		t.Fatalf("%d requests", len(model.requests))
	}
	for i, q := range model.requests {
		if mayCall := i < 2; q.OutputSchema == nil || q.MayCall() != mayCall {
			t.Errorf("request %d: schema %s, tools %v %s", i, q.OutputSchema, len(q.Tools), q.ToolChoice)
		}
	}
	last := model.requests[2].Messages
	if said := all(&last[len(last)-1]); !strings.Contains(said, "does not satisfy the JSON Schema: it is not one JSON value") {
		t.Errorf("the model was sent %q", said)
	}
	b.sound(t)
}

func TestOutputStaysWrong(t *testing.T) {
	b := newBench(t)
	model := says(text("one"), text("two"), text(`{"a": 1}`))
	result, err := b.Run(t.Context(), structured(t, b, model))
	if core.CodeOf(err) != core.Invalid || result.Run.StopReason != core.StopError || result.Output != nil || len(model.requests) != 2 {
		t.Errorf("%v, %s, %s after %d requests", err, result.Run.StopReason, result.Output, len(model.requests))
	}
	b.sound(t)
}

// A server that refuses the schema is sent the request without it, and so are later ones.
func TestOutputSchemaIsRefused(t *testing.T) {
	b := newBench(t)
	model := &actor{act: func(_ context.Context, n int, q core.Request) (core.Message, error) {
		switch {
		case q.OutputSchema != nil:
			return core.Message{}, core.E(core.Invalid, "unknown field response_format")
		case n < 3:
			return text("one"), nil
		default:
			return text(`{"a":2}`), nil
		}
	}}
	result := must(b.Run(t.Context(), structured(t, b, model)))(t)
	if string(result.Output) != `{"a":2}` || len(model.requests) != 3 {
		t.Errorf("%s after %d requests", result.Output, len(model.requests))
	}
	if !strings.Contains(strings.Join(b.notices(), "\n"), "retrying without the schema") {
		t.Errorf("notices %q", b.notices())
	}
	b.sound(t)
}

// The run state has the schema, and the bytes of a state without one are those of earlier versions.
func TestOutputSchemaInState(t *testing.T) {
	b := newBench(t)
	result := must(b.Run(t.Context(), structured(t, b, says(text(`{"a": 1}`)))))(t)
	state, ok, err := b.db.StateAt(t.Context(), result.SessionID, "")
	if err != nil || !ok || !json.Valid(state.OutputSchema) {
		t.Errorf("%+v, %v, %v", state, ok, err)
	}
	data, _, err := new(core.RunState).Encode()
	check(t, err)
	if strings.Contains(string(data), "Schema") {
		t.Errorf("%s", data)
	}
}
