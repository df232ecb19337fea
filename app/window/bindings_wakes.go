package window

import (
	"cmp"
	"context"
	"strings"
	"time"

	"coppice/app/internal/guard"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/sqlite"
	"coppice/backend/wake"
)

// WakeRequest is when a hibernated session continues by itself. One condition is enough; empty ones do not count.
type WakeRequest struct {
	At        string `json:"at"`        // 2026-12-24 18:00, 18:00 or 90m, see wake.Moment
	Path      string `json:"path"`      // of a file or folder: when it changes
	SessionID string `json:"sessionId"` // of another session: when it has ended
}

// WakeView is a condition as the window shows it.
type WakeView struct {
	Kind   core.WakeKind `json:"kind"`
	AtMs   int64         `json:"atMs"`   // of kind time
	Path   string        `json:"path"`   // of kind change
	Title  string        `json:"title"`  // of kind done: the title of the session
	Detail string        `json:"detail"` // of kind message: the sender
	Active bool          `json:"active"` // false: imported, and not confirmed
}

// HibernateSession hibernates a session until a condition holds, or without one until the user continues it. It returns what the
// session waits for.
func (b *SessionBindings) HibernateSession(id string, request WakeRequest) ([]WakeView, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]WakeView, error) {
		wakes, err := request.conditions(ctx, db, id)
		if err != nil {
			return nil, err
		}
		if err := db.Hibernate(ctx, id, wakes); err != nil {
			return nil, err
		}
		b.changes.Session(id, change.Session, change.Run)
		return wakeViews(ctx, db, id)
	})
}

// ListWakes returns what a hibernated session waits for.
func (b *SessionBindings) ListWakes(id string) ([]WakeView, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]WakeView, error) { return wakeViews(ctx, db, id) })
}

// ChooseWatched opens the system's dialog for a file, or for a folder, to watch. The path is empty if the dialog was closed.
func (b *SessionBindings) ChooseWatched(folder bool) (path string, err error) {
	err = guard.Run(func() error {
		if folder {
			path, err = b.host.openFolder(b.texts.Now().ChooseWatchPlace)
			return err
		}
		paths, err := b.host.openFiles(b.texts.Now().ChooseWatchFile, []string{""})
		if len(paths) > 0 {
			path = paths[0]
		}
		return err
	})
	return path, err
}

// conditions returns the conditions of a request for a session.
func (r WakeRequest) conditions(ctx context.Context, db *sqlite.DB, sessionID string) ([]core.Wake, error) {
	var wakes []core.Wake
	if text := strings.TrimSpace(r.At); text != "" {
		now := time.Now()
		at, ok := wake.Moment(text, now)
		if !ok {
			return nil, core.E(core.Invalid, "invalid time %q: want a time such as 2026-12-24 18:00, 18:00 or 90m", text)
		}
		if at.Before(now) {
			return nil, core.E(core.Invalid, "invalid time %q: it is past", text)
		}
		wakes = append(wakes, wake.AtTime(at))
	}
	if path := strings.TrimSpace(r.Path); path != "" {
		w, err := wake.OnChange(path)
		if err != nil {
			return nil, err
		}
		wakes = append(wakes, w)
	}
	if r.SessionID != "" {
		w, err := wake.OnEnd(ctx, db, sessionID, r.SessionID)
		if err != nil {
			return nil, err
		}
		wakes = append(wakes, w)
	}
	return wakes, nil
}

func wakeViews(ctx context.Context, db *sqlite.DB, sessionID string) ([]WakeView, error) {
	wakes, err := db.Wakes(ctx, sessionID)
	if err != nil {
		return nil, err
	}
	views := make([]WakeView, 0, len(wakes))
	for _, w := range wakes {
		view := WakeView{Kind: w.Kind, AtMs: w.AtMs, Path: w.Path, Detail: w.Detail, Active: w.Active}
		if w.Kind == core.WakeDone {
			awaited, err := db.Session(ctx, w.AwaitedID)
			if err != nil && core.CodeOf(err) != core.NotFound {
				return nil, err
			}
			view.Title = cmp.Or(awaited.Title, w.AwaitedID)
		}
		views = append(views, view)
	}
	return views, nil
}
