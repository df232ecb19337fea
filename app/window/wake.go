package window

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"coppice/app/internal/library"
	"coppice/app/window/internal/live"
	"coppice/app/window/internal/texts"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
	"coppice/backend/wake"
)

// wakeSessions continues the hibernated sessions of a library whose condition holds, until ctx ends. Their runs are as any other run
// of the window.
func (p *program) wakeSessions(ctx context.Context, db *sqlite.DB) {
	watcher := wake.Watcher{
		Library: db, Now: time.Now, Sweep: func(ctx context.Context) { library.Sweep(ctx, db) },
		Failed: func(err error) { slog.Warn("checking hibernated sessions", slog.Any("error", err)) },
		Start:  func(ctx context.Context, call wake.Call) error { return p.wake(ctx, db, call) },
	}
	watcher.Watch(ctx)
}

// wake continues a session. If it cannot, it notifies the user, unless another process was faster.
func (p *program) wake(ctx context.Context, db *sqlite.DB, call wake.Call) error {
	request := launch.RunRequest{SessionID: call.SessionID, Wake: &engine.Wake{ID: call.WakeID, Reason: call.Reason}}
	_, _, err := p.start(ctx, db, request, nil)
	if code := core.CodeOf(err); code == core.Conflict || code == core.Busy {
		return err
	}
	if err != nil && ctx.Err() == nil {
		slog.Warn("waking a session", slog.String("session", call.SessionID), slog.Any("error", err))
		p.notify(live.NoticeEnd, call.SessionID, texts.Fill(p.texts.Now().CouldNotWake, "message", err.Error()))
	}
	return err
}

// withPatience returns a request with the limit of the settings on how long a run waits for the user, unless it has one.
func withPatience(ctx context.Context, db *sqlite.DB, request launch.RunRequest) (launch.RunRequest, error) {
	settings, err := windowSettings(ctx, db)
	request.HibernateAfterMs = cmp.Or(request.HibernateAfterMs, settings.HibernateAfterMinutes*time.Minute.Milliseconds())
	return request, err
}
