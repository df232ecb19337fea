package script

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"coppice/backend/core"
)

// check returns the first error of a script, with its position, and compiles the script's expressions.
func (s *Script) check() error {
	if s.ContextTokens < 0 || s.TokensPerSecond < 0 {
		return fmt.Errorf("contextTokens and tokensPerSecond must not be negative")
	}
	if len(s.Turns) == 0 {
		return fmt.Errorf("no turns")
	}
	for t := range s.Turns {
		if err := s.Turns[t].check(); err != nil {
			return fmt.Errorf("turns[%d]%w", t, err)
		}
	}
	return nil
}

func (t *turn) check() error {
	if t.Match != "" {
		match, err := regexp.Compile(t.Match)
		if err != nil {
			return fmt.Errorf(".match: %w", err)
		}
		t.match = match
	}
	if len(t.Alternatives) == 0 {
		return fmt.Errorf(": no alternatives")
	}
	for a, steps := range t.Alternatives {
		if len(steps) == 0 {
			return fmt.Errorf(".alternatives[%d]: no steps", a)
		}
		for n := range steps {
			if err := steps[n].check(); err != nil {
				return fmt.Errorf(".alternatives[%d][%d]%w", a, n, err)
			}
		}
	}
	return nil
}

func (s *step) check() error {
	for c, call := range s.ToolCalls {
		if call.Name == "" {
			return fmt.Errorf(".toolCalls[%d]: no name", c)
		}
		if a := call.Arguments; len(a) > 0 && a[0] != '{' && a[0] != '"' {
			return fmt.Errorf(".toolCalls[%d].arguments: want an object, or a string with what the model writes instead", c)
		}
	}
	if s.DelayMs < 0 {
		return fmt.Errorf(".delayMs must not be negative")
	}
	if s.CutAfterBytes != nil && *s.CutAfterBytes < 0 {
		return fmt.Errorf(".cutAfterBytes must not be negative")
	}
	if !slices.Contains([]string{"", core.FinishStop, core.FinishLength, core.FinishContentFilter, core.FinishToolCall}, s.FinishReason) {
		return fmt.Errorf(".finishReason: unknown reason %q", s.FinishReason)
	}
	return s.Error.check()
}

func (f *fault) check() error {
	if f == nil {
		return nil
	}
	codes := []core.Code{
		core.RateLimit, core.Overloaded, core.ContextOverflow, core.TruncatedStream,
		core.Auth, core.Invalid, core.NotFound, core.Timeout, core.Unavailable,
	}
	if !slices.Contains(codes, f.Code) {
		return fmt.Errorf(".error.code: unknown code %q; want one of %v", f.Code, codes)
	}
	if f.RetryAfterMs < 0 || f.Times < -1 {
		return fmt.Errorf(".error: retryAfterMs and times must not be negative, except times -1 (always)")
	}
	return nil
}

// raw returns the arguments as the model wrote them.
func (c *toolCall) raw() string {
	var text string
	if len(c.Arguments) > 0 && c.Arguments[0] == '"' && json.Unmarshal(c.Arguments, &text) == nil {
		return text
	}
	if len(c.Arguments) == 0 {
		return "{}"
	}
	return string(c.Arguments)
}
