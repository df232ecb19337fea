package engine_test

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/jsontext"
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

// whole is a model with one answer.
type whole struct{ parts []core.Part }

func (w whole) Stream(context.Context, core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		yield(core.StreamEvent{Type: core.StreamDone, Message: &core.Message{Parts: w.parts, FinishReason: core.FinishStop}}, nil)
	}
}

// TestAnswersBeyondTheBoundsOfJSON refuses answers with values that could be exported, but not be imported again.
func TestAnswersBeyondTheBoundsOfJSON(t *testing.T) {
	deep := json.RawMessage(strings.Repeat("[", jsontext.MaxDepth) + strings.Repeat("]", jsontext.MaxDepth))
	dense := json.RawMessage("[" + strings.Repeat("0,", jsontext.MaxValues/2) + "0]")
	for name, parts := range map[string][]core.Part{
		"deep arguments": {{Type: core.PartText, Text: "begun"}, {Type: core.PartToolCall, ID: "1", Name: "read", Arguments: deep}},
		"deep block":     {{Type: core.PartText, Text: "begun"}, {Type: core.PartOther, Native: deep}},
		"dense together": {{Type: core.PartText, Text: "begun"}, {Type: core.PartOther, Native: dense}, {Type: core.PartReasoning, Text: "hm", Native: dense}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			result, err := b.Run(t.Context(), b.task(whole{parts}, "go"))
			if core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), "the answer ") || result.Run.StopReason != core.StopError {
				t.Fatalf("%v, %+v", err, result.Run)
			}
			for m, err := range b.db.Messages(t.Context(), result.SessionID) {
				check(t, err)
				check(t, b.db.Hydrate(t.Context(), &m))
				data, err := json.Marshal(m)
				check(t, err)
				if flaw := jsontext.Check(data); flaw != "" {
					t.Errorf("a %s message that %s is stored", m.Role, flaw)
				}
				if m.Role == core.RoleAssistant && m.Parts[0].Text != "begun" {
					t.Errorf("the text is lost: %+v", m.Parts[0])
				}
			}
			b.sound(t)
		})
	}
}
