package app

import (
	"errors"
	"fmt"

	"coppice/backend/core"
)

// The exit codes; scripts rely on them.
const (
	exitOK          = 0
	exitFailed      = 1
	exitPartial     = 2
	exitUsage       = 3 // configuration, usage, unknown ids
	exitAuth        = 4
	exitTimeout     = 5
	exitInterrupted = 130
)

// outcome ends a command that has said all there is to say, with an exit code.
type outcome int

// Error returns the code in words; it is never shown.
func (o outcome) Error() string { return fmt.Sprintf("exit code %d", int(o)) }

func isOutcome(err error) bool {
	_, ok := errors.AsType[outcome](err)
	return ok
}

func exitCode(err error) int {
	if err == nil {
		return exitOK
	}
	if o, ok := errors.AsType[outcome](err); ok {
		return int(o)
	}
	switch core.CodeOf(err) {
	case core.Invalid, core.NotFound, core.Unconfirmed:
		return exitUsage
	case core.Auth:
		return exitAuth
	case core.Timeout:
		return exitTimeout
	case core.Canceled:
		return exitInterrupted
	case core.Conflict, core.Busy, core.Denied, core.Unavailable, core.TooNew, core.Corrupt, core.Internal,
		core.RateLimit, core.Overloaded, core.ContextOverflow, core.TruncatedStream:
		return exitFailed
	default:
		return exitFailed
	}
}
