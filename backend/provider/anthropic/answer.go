package anthropic

import (
	"encoding/json"
	"fmt"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// answer builds a message from the events of a stream.
type answer struct {
	call       failure.Call
	requestID  string
	origin     core.Origin
	blocks     []*block
	byIndex    map[int]int // from the protocol's index to that of the block
	usage      usage
	stopReason string
	ended      bool // message_stop has arrived
}

func newAnswer(call failure.Call) *answer {
	return &answer{
		call:    call,
		origin:  core.Origin{Protocol: string(endpoint.AnthropicMessages), Provider: call.Endpoint.Provider, RequestModel: call.Model},
		byIndex: map[int]int{},
	}
}

// event holds the fields of all events of the protocol.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		ID    string `json:"id"`
		Model string `json:"model"`
		Usage usage  `json:"usage"`
	} `json:"message"`
	ContentBlock fields `json:"content_block"`
	Delta        fields `json:"delta"`
	Usage        usage  `json:"usage"`
}

// fields is an object with fields that may be unknown.
type fields map[string]json.RawMessage

// Ended reports whether the last event has arrived.
func (a *answer) Ended() bool { return a.ended }

// Whole reports whether the last event has arrived.
func (a *answer) Whole() bool { return a.ended }

// Take adds the next event and returns the pieces that it adds to the answer.
func (a *answer) Take(sent wire.Event) ([]core.StreamEvent, error) {
	if sent.Name == "ping" || len(sent.Data) == 0 {
		return nil, nil
	}
	var e event
	err := json.Unmarshal(sent.Data, &e)
	switch {
	case sent.Name == "error" || err == nil && e.Type == "error":
		return nil, a.call.Event(sent.Data, a.requestID)
	case err != nil:
		return nil, fmt.Errorf("decode an event: %w", err)
	}
	return a.add(e)
}

func (a *answer) add(e event) ([]core.StreamEvent, error) {
	switch e.Type {
	case "message_start":
		a.origin.ResponseID, a.origin.ResponseModel = e.Message.ID, e.Message.Model
		a.usage = a.usage.with(e.Message.Usage)
	case "content_block_start":
		a.byIndex[e.Index] = len(a.blocks)
		a.blocks = append(a.blocks, newBlock(e.ContentBlock))
		return a.begun(len(a.blocks) - 1), nil
	case "content_block_delta":
		i, ok := a.byIndex[e.Index]
		if !ok {
			return nil, fmt.Errorf("decode an event: content block %d has not begun", e.Index)
		}
		return a.grown(i, a.blocks[i].add(e.Delta)), nil
	case "message_delta":
		if reason := e.Delta.text("stop_reason"); reason != "" {
			a.stopReason = reason
		}
		a.usage = a.usage.with(e.Usage)
	case "message_stop":
		a.ended = true
	}
	return nil, nil // the end of a block, or an unknown event
}

// begun returns the first piece of a block.
func (a *answer) begun(i int) []core.StreamEvent {
	b := a.blocks[i]
	if b.calls() {
		return []core.StreamEvent{{Type: core.StreamToolCall, Index: i, ID: b.text("id"), Name: b.text("name")}}
	}
	return a.grown(i, b.text(b.kind))
}

// grown returns the next piece of a block.
func (a *answer) grown(i int, piece string) []core.StreamEvent {
	e := core.StreamEvent{Index: i, Text: piece}
	switch b := a.blocks[i]; {
	case piece == "":
		return nil
	case b.calls():
		e.Type = core.StreamToolCall
	case b.kind == "thinking":
		e.Type = core.StreamReasoning
	case b.kind == "text":
		e.Type = core.StreamText
	default:
		return nil
	}
	return []core.StreamEvent{e}
}

// Message returns the message of a complete answer.
func (a *answer) Message() *core.Message {
	m := a.message()
	limited := finish(a.stopReason, false) == core.FinishLength
	called := false
	for i, b := range a.blocks {
		// A limit may have cut the last call, even before its first argument.
		p := b.part(limited && i == len(a.blocks)-1)
		called = called || p.Type == core.PartToolCall && !p.Server
		m.Parts = append(m.Parts, p)
	}
	m.FinishReason, m.FinishRaw = finish(a.stopReason, called), a.stopReason
	return m
}

// Partial returns the text and the reasoning of an answer that broke off.
func (a *answer) Partial() *core.Message {
	m := a.message()
	for _, b := range a.blocks {
		if p := b.part(true); p.Text != "" && (p.Type == core.PartText || p.Type == core.PartReasoning) {
			m.Parts = append(m.Parts, core.Part{Type: p.Type, Text: p.Text})
		}
	}
	return m
}

func (a *answer) message() *core.Message {
	origin := a.origin
	return &core.Message{Role: core.RoleAssistant, Parts: []core.Part{}, Usage: a.usage.neutral(), Origin: &origin}
}

// finish returns the core name of a stop reason. A turn of the server's own tools that paused has not ended, nor has
// one that filled the context window.
func finish(reason string, called bool) string {
	switch reason {
	case "max_tokens", "model_context_window_exceeded", "pause_turn":
		return core.FinishLength
	case "refusal":
		return core.FinishContentFilter
	}
	if called {
		return core.FinishToolCall
	}
	return core.FinishStop
}
