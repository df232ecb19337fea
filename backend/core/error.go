package core

import (
	"context"
	"errors"
	"fmt"
)

// Code is the kind of an error, so that a caller can act on it. The shell maps it to an exit code, the window to a
// presentation.
type Code string

// The codes. An error without any of them counts as Internal.
const (
	Invalid     Code = "invalid"     // the caller's input is wrong
	NotFound    Code = "not_found"   // no such id
	Conflict    Code = "conflict"    // the state has changed, or the thing exists already
	Busy        Code = "busy"        // another process or run holds it at this moment
	Canceled    Code = "canceled"    // the user stopped it
	Denied      Code = "denied"      // a permission was refused
	Unconfirmed Code = "unconfirmed" // the user must agree first
	Auth        Code = "auth"        // a key is missing or was refused
	Timeout     Code = "timeout"     // the time limit was reached
	Unavailable Code = "unavailable" // a disk, a network or a provider does not answer; may be retried
	TooNew      Code = "too_new"     // written by a newer version of Coppice
	Corrupt     Code = "corrupt"     // the file is damaged
	Internal    Code = "internal"    // a defect of Coppice

	// Of model calls only.
	RateLimit       Code = "rate_limit"       // too many calls; may be retried
	Overloaded      Code = "overloaded"       // the provider is overloaded; may be retried
	ContextOverflow Code = "context_overflow" // the conversation is longer than the model takes
	TruncatedStream Code = "truncated_stream" // the stream ended before the answer did; may be retried
)

// Error is the one error type that crosses package boundaries.
type Error struct {
	Code    Code
	Message string // for the user: lower case, no trailing full stop, names the problem and its object
	Hint    string // what to do about it, without commands and flags; empty if there is nothing to do
	Remedy  Remedy // what to do about it, if that needs a command or a button; may complete the hint
	Err     error  // the cause; may be nil
	// RetryAfterMs is the delay that the server asks for before the next try; 0: none given.
	RetryAfterMs int64
}

// Error returns the message, followed by the cause's if there is one.
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

// E returns an error with a code and a message for the user.
func E(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap adds a code and the step's name to a cause. It returns nil for a nil cause.
func Wrap(code Code, err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Err: err}
}

// WithHint returns the error with a second line: what to do about it.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// CodeOf returns the outermost code in the chain; Canceled and Timeout for a context's errors; Internal without a
// code; and the empty code for nil.
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

// HintOf returns the hint that HelpOf finds.
func HintOf(err error) string {
	hint, _ := HelpOf(err)
	return hint
}
