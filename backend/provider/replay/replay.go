// Package replay implements a model that repeats the answers of a recorded session.
package replay

import (
	"context"
	"iter"
	"sync"

	"coppice/backend/core"
)

// Protocol is the Origin.Protocol of replayed answers.
const Protocol = "replay"

// Model replays a session. It may be used concurrently.
type Model struct {
	name    string
	answers map[string][]*answer // by the key of their place
	prompts []*prompt            // in recorded order

	mutex  sync.Mutex
	played map[string]int // how often a place was answered
}

// answer is a model's output at one place, up to the next message of the user or a tool.
type answer struct {
	parts     []core.Part
	usage     *core.Usage
	finish    string
	finishRaw string
	model     string
}

// prompt is a recorded prompt, for finding similar ones.
type prompt struct {
	words map[string]bool
	steps [][]*answer // by the number of tool results after it
}

// New reads a recorded session. Its messages must be complete, and parents come before their children, as in the order
// of Seq. name is the model's name in PROVIDER/MODEL. Failed answers are left out. A session without answers is
// Invalid; New returns any error of messages.
func New(name string, messages iter.Seq2[core.Message, error]) (*Model, error) {
	recorder := newRecorder()
	for m, err := range messages {
		if err != nil {
			return nil, core.Wrap(core.CodeOf(err), err, "read the session to replay")
		}
		recorder.add(&m)
	}
	if len(recorder.answers) == 0 {
		return nil, core.E(core.Invalid, "the session %s has no answers to replay", name)
	}
	return &Model{name: name, answers: recorder.answers, prompts: recorder.prompts, played: map[string]int{}}, nil
}

// Info describes the recording as a model.
func (m *Model) Info() core.ModelInfo {
	free := int64(0)
	return core.ModelInfo{
		Provider: "replay", ID: m.name, Name: m.name,
		Images: true, Tools: true, Reasoning: true, Local: true, InputNanoUSD: &free, OutputNanoUSD: &free,
	}
}

// Stream returns the answer that was recorded after the same words of the user and the tools. If several were recorded,
// repeated calls return one after the other. If the words differ, it returns the answer at the same step after the most
// similar prompt, or NotFound if no prompt is similar. The usage is the recorded one, the cost is 0.
func (m *Model) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		found, err := m.find(r.Messages)
		if err == nil {
			err = core.Wrap(core.CodeOf(ctx.Err()), ctx.Err(), "replay an answer")
		}
		if err != nil {
			yield(core.StreamEvent{Type: core.StreamAborted, Message: &core.Message{Role: core.RoleAssistant, Kind: core.KindMessage, Parts: []core.Part{}, FinishReason: core.FinishError}}, err)
			return
		}
		for i, part := range found.parts {
			if event, ok := piece(i, part); ok && !yield(event, nil) {
				return
			}
		}
		yield(core.StreamEvent{Type: core.StreamDone, Message: m.message(found, r)}, nil)
	}
}

func (m *Model) message(a *answer, r core.Request) *core.Message {
	cost := int64(0)
	return &core.Message{
		Role: core.RoleAssistant, Kind: core.KindMessage, Parts: append([]core.Part{}, a.parts...), Usage: a.usage, CostNanoUSD: &cost,
		FinishReason: a.finish, FinishRaw: a.finishRaw,
		Origin: &core.Origin{Protocol: Protocol, Provider: "replay", RequestModel: r.Model, ResponseModel: a.model},
	}
}

func piece(index int, part core.Part) (core.StreamEvent, bool) {
	switch part.Type {
	case core.PartText:
		return core.StreamEvent{Type: core.StreamText, Index: index, Text: part.Text}, part.Text != ""
	case core.PartReasoning:
		return core.StreamEvent{Type: core.StreamReasoning, Index: index, Text: part.Text}, part.Text != ""
	case core.PartToolCall:
		text := string(part.Arguments)
		if part.Arguments == nil {
			text = part.Text
		}
		return core.StreamEvent{Type: core.StreamToolCall, Index: index, ID: part.ID, Name: part.Name, Text: text}, true
	default:
		return core.StreamEvent{}, false
	}
}
