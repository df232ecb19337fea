package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

const (
	handoffName = "handoff"
	handoffDone = "Handed over with the signal: "
)

// handoff ends the turn of an agent of a team with a signal.
type handoff struct{ signals []string }

// Spec describes the tool.
func (h handoff) Spec() core.ToolSpec {
	parameters, err := jsontext.Encode(map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"signal"},
		"properties": map[string]any{"signal": map[string]any{"type": "string", "enum": h.signals, "description": "What is to happen next."}},
	})
	if err != nil { // texts are always encoded
		parameters = json.RawMessage(`{"type":"object"}`)
	}
	return core.ToolSpec{
		Name:       handoffName,
		Parameters: parameters,
		Description: "Ends your turn and hands the work over. Call it alone, when your part is done; first write what the next agent needs to know. " +
			"It is more reliable than a signal in your answer.",
	}
}

// Access returns an Invalid error for an unknown signal.
func (h handoff) Access(_ context.Context, arguments json.RawMessage) (core.Access, error) {
	signal, err := h.signal(arguments)
	return core.Access{Effect: core.EffectNone, Idempotent: true, Title: "Hand over: " + signal}, err
}

// Run hands over.
func (h handoff) Run(_ context.Context, call core.ToolCall) core.ToolResult {
	signal, err := h.signal(call.Arguments)
	if err != nil {
		return core.ErrorResult(err.Error())
	}
	return core.TextResult(handoffDone + signal)
}

func (h handoff) signal(arguments json.RawMessage) (string, error) {
	var given struct {
		Signal string `json:"signal"`
	}
	if err := json.Unmarshal(arguments, &given); err != nil {
		return "", core.Wrap(core.Invalid, err, "read the arguments")
	}
	at := slices.IndexFunc(h.signals, func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(given.Signal)) })
	if at < 0 {
		return "", core.E(core.Invalid, "unknown signal %q: want one of %s", given.Signal, strings.Join(h.signals, ", "))
	}
	return h.signals[at], nil
}
