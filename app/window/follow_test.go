package window

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"coppice/app/window/internal/change"
	"coppice/backend/core"
)

// TestFollowingShowsLongLooks requires that the window shows the progress of a long import, but not of a short one after a
// change.
func TestFollowingShowsLongLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reported []change.Kind
		f := following{changes: &change.Notifier{Emit: func(_ string, args ...any) { reported = append(reported, args[0].(change.Change).Kinds...) }}}
		shown := func() int64 { at, _ := f.state(); return at.Total }

		f.advance(t.Context(), core.Progress{Done: 0, Total: 1})
		f.advance(t.Context(), core.Progress{Done: 1, Total: 1})
		if shown() != 0 || len(reported) != 0 {
			t.Errorf("a short look is shown: %v", reported)
		}

		f.advance(t.Context(), core.Progress{Done: 1, Total: 900})
		time.Sleep(worthWatching)
		f.advance(t.Context(), core.Progress{Done: 400, Total: 900, Current: "/x"})
		if at, _ := f.state(); at.Done != 400 || at.Total != 900 || at.Current != "/x" {
			t.Errorf("at %+v", at)
		}
		if !slices.Equal(reported, []change.Kind{change.Following, change.List}) {
			t.Errorf("reported %v", reported)
		}
		f.advance(t.Context(), core.Progress{Done: 900, Total: 900})
		if shown() != 0 {
			t.Error("a look that is over is shown")
		}

		f.advance(t.Context(), core.Progress{Done: 1, Total: 900})
		time.Sleep(worthWatching)
		f.advance(t.Context(), core.Progress{Done: 2, Total: 900})
		reported = nil
		f.fail(errors.New("the disk is full"))
		if at, trouble := f.state(); at.Total != 0 || trouble != "the disk is full" || !slices.Equal(reported, []change.Kind{change.Following}) {
			t.Errorf("after an error: %+v, %q, reported %v", at, trouble, reported)
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

// TestFollowingShowsDeletedFiles requires that the page reloads a session when its file goes missing and when it is found
// again.
func TestFollowingShowsDeletedFiles(t *testing.T) {
	for _, report := range []core.Report{{Gone: 1}, {Back: 1}} {
		var reported []change.Change
		f := following{changes: &change.Notifier{Emit: func(_ string, args ...any) { reported = append(reported, args[0].(change.Change)) }}}
		f.changes.Watch("on-screen")
		f.imported(report, nil)
		isOfMessages := func(c change.Change) bool {
			return c.SessionID == "on-screen" && slices.Contains(c.Kinds, change.Messages)
		}
		if len(reported) == 0 || !slices.Contains(reported[0].Kinds, change.List) || !slices.ContainsFunc(reported, isOfMessages) {
			t.Errorf("%+v: reported %v", report, reported)
		}
	}
}
