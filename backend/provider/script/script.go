// Package script implements a model that plays answers from a file: for the demo, for tests, and for use without a key.
// docs/script.md describes the format.
package script

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"

	"coppice/backend/core"
)

// Demo is the name of the built-in script.
const Demo = "demo"

//go:embed demo.json
var demo []byte

// Script is a parsed script. It does not change after it is read.
type Script struct {
	Name string `json:"name"`
	// ContextTokens is the longest prompt that the script accepts, see size; 0: any.
	ContextTokens int64 `json:"contextTokens"`
	// TokensPerSecond is the speed of its answers; 0: as fast as they are read.
	TokensPerSecond float64 `json:"tokensPerSecond"`
	Turns           []turn  `json:"turns"`
}

// turn answers a prompt.
type turn struct {
	// Match is an expression that matches the prompts of this turn. Turns without one are played in order.
	Match string `json:"match"`
	// Alternatives are played in order when the same prompt is repeated.
	Alternatives [][]step `json:"alternatives"`

	match *regexp.Regexp // nil if the turn has none
}

// step is one answer of the model.
type step struct {
	Reasoning     string     `json:"reasoning"`
	Text          string     `json:"text"`
	ToolCalls     []toolCall `json:"toolCalls"`
	Usage         *usage     `json:"usage"` // nil: estimated by length
	CostNanoUSD   *int64     `json:"costNanoUsd"`
	FinishReason  string     `json:"finishReason"` // empty: tool_call with calls, else stop
	DelayMs       int64      `json:"delayMs"`      // before the first piece
	Error         *fault     `json:"error"`        // after the step's text and calls
	CutAfterBytes *int64     `json:"cutAfterBytes"`
}

type toolCall struct {
	Name string `json:"name"`
	// Arguments is an object, or a string with what the model wrote instead.
	Arguments json.RawMessage `json:"arguments"`
}

type usage struct {
	InputTokens      int64 `json:"inputTokens"`
	OutputTokens     int64 `json:"outputTokens"`
	CacheReadTokens  int64 `json:"cacheReadTokens"`
	CacheWriteTokens int64 `json:"cacheWriteTokens"`
	ReasoningTokens  int64 `json:"reasoningTokens"`
}

type fault struct {
	Code         core.Code `json:"code"`
	Message      string    `json:"message"`
	RetryAfterMs int64     `json:"retryAfterMs"`
	// Times is how often it happens before the step is played without it; 0: once, -1: always.
	Times int64 `json:"times"`
}

// maxScriptBytes is the size of the largest script that is read.
const maxScriptBytes = 64 << 20

// Open reads a script: the built-in one, or a file. It returns NotFound if the file does not exist, and Invalid if it
// is not a script; both errors name the file.
func Open(name string) (*Script, error) {
	if name == Demo {
		return parse("the built-in script "+Demo, demo)
	}
	data, err := core.ReadRegular(name, maxScriptBytes)
	if errors.Is(err, os.ErrNotExist) {
		return nil, core.E(core.NotFound, "no script %q", name).
			WithHint("Use script/%s for the built-in script, or script/ and the path of a file", Demo)
	}
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "read the script")
	}
	return parse(name, data)
}

func parse(file string, data []byte) (*Script, error) {
	var s Script
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return nil, invalid(file, data, err, decoder.InputOffset())
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, at(file, data, decoder.InputOffset(), "text after the end of the script")
	}
	if err := s.check(); err != nil {
		return nil, core.E(core.Invalid, "%s: %v", file, err).WithHint("%s", hint)
	}
	return &s, nil
}

const hint = "See docs/script.md for the format"

func invalid(file string, data []byte, err error, offset int64) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = syntax.Offset
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return at(file, data, kind.Offset, kind.Field+": a "+kind.Value+" where "+kind.Type.String()+" is expected")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return at(file, data, int64(len(data)), "the JSON ends too early")
	}
	return at(file, data, offset, strings.TrimPrefix(err.Error(), "json: "))
}

func at(file string, data []byte, offset int64, message string) error {
	before := data[:min(max(offset, 0), int64(len(data)))]
	return core.E(core.Invalid, "%s:%d: %s", file, 1+bytes.Count(before, []byte("\n")), message).WithHint("%s", hint)
}
