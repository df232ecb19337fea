package term

import (
	"context"
	"slices"

	"coppice/app/internal/exit"
	"coppice/app/internal/find"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
	"coppice/backend/wake"
)

// Wake continues a hibernated session with the state that it had. With asJSON the outcome goes to collect, or to stdout if collect is
// nil.
func (s *Shell) Wake(ctx context.Context, db *sqlite.DB, call wake.Call, asJSON bool, collect func(RunOutcome)) error {
	session, err := db.Session(ctx, call.SessionID)
	if err != nil {
		return err
	}
	flags := &RunOptions{
		Session: session.ID, JSON: asJSON, Given: func(string) bool { return false }, wake: &engine.Wake{ID: call.WakeID, Reason: call.Reason},
		collect: collect,
	}
	return s.RunSession(ctx, db, session, flags, "")
}

// waits reports whether a session still waits for the condition that held.
func (s *Shell) waits(ctx context.Context, db *sqlite.DB, call wake.Call) bool {
	wakes, err := db.Wakes(ctx, call.SessionID)
	return err != nil || slices.ContainsFunc(wakes, func(w core.Wake) bool { return w.ID == call.WakeID })
}

// WakeAll continues sessions one after the other, and returns the exit code of the first run that did not succeed as an error. A
// session that another process has woken meanwhile is left to that process.
func (s *Shell) WakeAll(ctx context.Context, db *sqlite.DB, calls []wake.Call, asJSON bool, collect func(RunOutcome)) error {
	var first error
	for _, call := range calls {
		err := s.Wake(ctx, db, call, asJSON, collect)
		if ctx.Err() != nil {
			return stopped(context.Cause(ctx))
		}
		if code := core.CodeOf(err); (code == core.Conflict || code == core.Busy) && !s.waits(ctx, db, call) {
			s.Say("session %s was woken by another process", find.ShortID(ctx, db, call.SessionID))
			continue
		}
		if err != nil {
			s.Report(err)
			if first == nil {
				first = exit.Outcome(exit.Code(err))
			}
		}
	}
	return first
}
