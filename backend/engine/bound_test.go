package engine_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"coppice/backend/core"
)

// endless is a model whose answer never ends.
type endless struct {
	event core.StreamEvent
	sent  int
}

func (e *endless) Stream(context.Context, core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		for yield(e.event, nil) {
			e.sent += len(e.event.Text)
		}
	}
}

// TestEndlessAnswers ends answers beyond the bound with an error, and stores their beginning.
func TestEndlessAnswers(t *testing.T) {
	const pieceBytes = 1 << 20
	piece := strings.Repeat("words ", pieceBytes/6)
	for _, kind := range []core.StreamEventType{core.StreamText, core.StreamReasoning, core.StreamToolCall} {
		t.Run(string(kind), func(t *testing.T) {
			b := newBench(t)
			model := &endless{event: core.StreamEvent{Type: kind, Text: piece}}
			result, err := b.Run(t.Context(), b.task(model, "go"))
			if core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), "the answer is longer than 64 MiB") || result.Run.StopReason != core.StopError {
				t.Fatalf("%v, %+v", err, result.Run)
			}
			if model.sent < core.MaxValueBytes-pieceBytes || model.sent > core.MaxValueBytes+pieceBytes {
				t.Errorf("the answer ended after %d bytes", model.sent)
			}
			kept := 0
			for m, err := range b.db.Messages(t.Context(), result.SessionID) {
				check(t, err)
				check(t, b.db.Hydrate(t.Context(), &m))
				if m.Role == core.RoleAssistant {
					for _, p := range m.Parts {
						kept += len(p.Text)
					}
				}
			}
			if want := core.MaxValueBytes; kind != core.StreamToolCall && kept <= want || kind == core.StreamToolCall && kept > 0 {
				t.Errorf("%d bytes of the answer are stored", kept)
			}
			b.sound(t)
		})
	}
}
