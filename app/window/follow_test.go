package window

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"coppice/backend/core"
)

// TestFollowingShowsLongLooks tells the window how far a look is, but not of those that follow a change.
func TestFollowingShowsLongLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		f := following{changes: &changes{emit: func(_ string, args ...any) { told = append(told, args[0].(string)) }}}
		shown := func() int64 { at, _ := f.state(); return at.Total }

		f.advance(t.Context(), core.Progress{Done: 0, Total: 1})
		f.advance(t.Context(), core.Progress{Done: 1, Total: 1})
		if shown() != 0 || len(told) != 0 {
			t.Errorf("a short look is shown: %v", told)
		}

		f.advance(t.Context(), core.Progress{Done: 1, Total: 900})
		time.Sleep(worthWatching)
		f.advance(t.Context(), core.Progress{Done: 400, Total: 900, Current: "/x"})
		if at, _ := f.state(); at.Done != 400 || at.Total != 900 || at.Current != "/x" {
			t.Errorf("at %+v", at)
		}
		if !slices.Equal(told, []string{changedFollowing, changedLibrary}) {
			t.Errorf("told %v", told)
		}
		f.advance(t.Context(), core.Progress{Done: 900, Total: 900})
		if shown() != 0 {
			t.Error("a look that is over is shown")
		}

		f.advance(t.Context(), core.Progress{Done: 1, Total: 900})
		time.Sleep(worthWatching)
		f.advance(t.Context(), core.Progress{Done: 2, Total: 900})
		told = nil
		f.fail(errors.New("the disk is full"))
		if at, trouble := f.state(); at.Total != 0 || trouble != "the disk is full" || !slices.Equal(told, []string{changedFollowing}) {
			t.Errorf("after an error: %+v, %q, told %v", at, trouble, told)
		}

		ended, cancel := context.WithCancel(t.Context())
		cancel()
		f.advance(ended, core.Progress{Done: 1, Total: 900})
		time.Sleep(worthWatching)
		f.advance(ended, core.Progress{Done: 2, Total: 900})
		if shown() != 0 {
			t.Error("a look at places that are followed no longer is shown")
		}
	})
}

// TestFollowingShowsWhatIsGone has the session on screen drawn anew when its file went, or is there again: no message says so.
func TestFollowingShowsWhatIsGone(t *testing.T) {
	for _, report := range []core.Report{{Gone: 1}, {Back: 1}} {
		var told []string
		f := following{changes: &changes{emit: func(_ string, args ...any) { told = append(told, args[0].(string)) }}}
		f.changes.watch("on-screen")
		f.told(report, nil)
		if !slices.Contains(told, changedLibrary) || !slices.Contains(told, "on-screen") {
			t.Errorf("%+v: told %v", report, told)
		}
	}
}
