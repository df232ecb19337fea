// Package exit defines the exit codes of the program.
package exit

import (
	"errors"
	"fmt"

	"coppice/backend/core"
)

// The exit codes; scripts rely on them.
const (
	OK          = 0
	Failed      = 1
	Partial     = 2
	Usage       = 3 // configuration, usage, unknown ids
	Auth        = 4
	Timeout     = 5
	Interrupted = 130
)

// Outcome is the error of a command that has printed everything and only needs an exit code.
type Outcome int

// Error implements error. No user sees the text.
func (o Outcome) Error() string { return fmt.Sprintf("exit code %d", int(o)) }

// IsOutcome reports whether an error only carries an exit code, because its cause was printed already.
func IsOutcome(err error) bool {
	_, ok := errors.AsType[Outcome](err)
	return ok
}

// Code returns the exit code for the error that a command ended with.
func Code(err error) int {
	if err == nil {
		return OK
	}
	if o, ok := errors.AsType[Outcome](err); ok {
		return int(o)
	}
	switch core.CodeOf(err) {
	case core.Invalid, core.NotFound, core.Unconfirmed:
		return Usage
	case core.Auth:
		return Auth
	case core.Timeout:
		return Timeout
	case core.Canceled:
		return Interrupted
	case core.Conflict, core.Busy, core.Denied, core.Unavailable, core.TooNew, core.Corrupt, core.Internal,
		core.RateLimit, core.Overloaded, core.ContextOverflow, core.TruncatedStream:
		return Failed
	default:
		return Failed
	}
}
