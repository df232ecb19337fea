package core

import (
	"context"
	"errors"
	"fmt"
)

// Code says what kind of thing went wrong, so that a caller can act on it. The shell maps it to
// an exit code, the window to a way of showing it.
type Code string

// The codes. Everything that carries none of them counts as Internal.
const (
	Invalid     Code = "invalid"     // the caller's input is wrong
	NotFound    Code = "not_found"   // no such id
	Conflict    Code = "conflict"    // the state has changed, or the thing exists already
	Busy        Code = "busy"        // someone else holds it at this moment
	Canceled    Code = "canceled"    // the person stopped it
	Denied      Code = "denied"      // a permission was refused
	Unconfirmed Code = "unconfirmed" // the user must agree first
	Auth        Code = "auth"        // a key is missing or was refused
	Timeout     Code = "timeout"     // time ran out
	Unavailable Code = "unavailable" // a disk, a network or a provider does not answer; may be tried again
	TooNew      Code = "too_new"     // written by a newer version of Coppice
	Corrupt     Code = "corrupt"     // the file is damaged
	Internal    Code = "internal"    // a defect of ours

	// Of a model's call alone.
	RateLimit       Code = "rate_limit"       // too many calls; may be tried again
	Overloaded      Code = "overloaded"       // the provider has no room; may be tried again
	ContextOverflow Code = "context_overflow" // the conversation is longer than the model takes
	TruncatedStream Code = "truncated_stream" // the answer ended before its end; may be tried again
)

// Error is the one error type that crosses package borders.
type Error struct {
	Code    Code
	Message string // for people: lower case, no trailing full stop, says what and where
	Hint    string // what to do about it; empty where there is nothing to do
	Err     error  // the cause, nil where there is none
	// RetryAfterMs is how long the other side asks to wait before the next try; 0: it does not say.
	RetryAfterMs int64
}

// Error returns the message, followed by the cause's where there is one.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	if e.Message == "" {
		return e.Err.Error()
	}
	return e.Message + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// E makes an error with a code and a message for people.
func E(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap adds a code and the step's name to a cause. A nil cause gives nil.
func Wrap(code Code, err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Err: err}
}

// WithHint returns the error with a second line that says what to do.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// CodeOf returns the outermost code in the chain; Canceled and Timeout for a context's errors;
// Internal where there is none; and the empty code for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	if errors.Is(err, context.Canceled) {
		return Canceled
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Timeout
	}
	return Internal
}

// HintOf returns the outermost hint in the chain, or the empty string.
func HintOf(err error) string {
	for err != nil {
		e, ok := errors.AsType[*Error](err)
		if !ok {
			return ""
		}
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Err
	}
	return ""
}
