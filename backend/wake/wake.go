// Package wake finds the hibernated sessions whose conditions hold.
package wake

import (
	"context"
	"fmt"
	"time"

	"coppice/backend/core"
)

// Library is where hibernated sessions are.
type Library interface {
	// Wakes returns the conditions of hibernated sessions, oldest first.
	Wakes(ctx context.Context, sessionID string) ([]core.Wake, error)
	Session(ctx context.Context, ref string) (core.Session, error)
}

// Call is a session that is to continue.
type Call struct {
	SessionID string
	WakeID    string // of the condition that holds
	Reason    string // why, for the user and the model
}

// Due returns the sessions that are to continue, each once, the longest waiting first. Conditions that the user has not confirmed
// are left out.
func Due(ctx context.Context, library Library, now time.Time) ([]Call, error) {
	wakes, err := library.Wakes(ctx, "")
	if err != nil {
		return nil, err
	}
	var calls []Call
	called := map[string]bool{}
	for _, w := range wakes {
		if !w.Active || called[w.SessionID] {
			continue
		}
		reason, err := Reason(ctx, library, w, now)
		if err != nil {
			return calls, err
		}
		if reason != "" {
			called[w.SessionID] = true
			calls = append(calls, Call{SessionID: w.SessionID, WakeID: w.ID, Reason: reason})
		}
	}
	return calls, nil
}

// Reason returns why a condition holds; empty: it does not.
func Reason(ctx context.Context, library Library, w core.Wake, now time.Time) (string, error) {
	switch w.Kind {
	case core.WakeTime:
		if at := time.UnixMilli(w.AtMs); !now.Before(at) {
			return "it is past " + at.Format("2006-01-02 15:04"), nil
		}
	case core.WakeChange:
		if Fingerprint(w.Path) != w.Fingerprint {
			return w.Path + " has changed", nil
		}
	case core.WakeDone:
		return ended(ctx, library, w.AwaitedID)
	case core.WakeManual, core.WakeMessage:
	}
	return "", nil
}

// ended returns how a session ended; empty: it runs, or is hibernated itself.
func ended(ctx context.Context, library Library, id string) (string, error) {
	s, err := library.Session(ctx, id)
	switch {
	case core.CodeOf(err) == core.NotFound:
		return fmt.Sprintf("session %s was removed", id), nil
	case err != nil:
		return "", err
	case s.Status == core.StatusRunning || s.Status == core.StatusHibernated:
		return "", nil
	}
	return fmt.Sprintf("session %s %q has ended: %s", s.ID, core.Cut(s.Title, 60), s.Status), nil
}
