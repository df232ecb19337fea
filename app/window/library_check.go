package window

import (
	"context"
	"log/slog"
	"time"

	"coppice/app/internal/guard"
	"coppice/app/internal/library"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// checkDelay is how long the check of a library's pages waits for the window to start.
const checkDelay = 5 * time.Second

// checkIfLeftOpen checks a library that the previous process did not close, and reports damage to the window.
func (p *program) checkIfLeftOpen(ctx context.Context, db *sqlite.DB) {
	if !db.LeftOpen() {
		return
	}
	select {
	case <-ctx.Done():
		return
	case <-time.After(checkDelay):
	}
	p.checkPages(ctx, db)
}

// checkPages checks the library's pages and reports damage to the window.
func (p *program) checkPages(ctx context.Context, db *sqlite.DB) {
	var problems []string
	err := guard.Run(func() (err error) {
		problems, err = db.QuickCheck(ctx)
		return err
	})
	if core.CodeOf(err) == core.Corrupt {
		problems = append(problems, err.Error())
	} else if err != nil && ctx.Err() == nil {
		slog.Warn("checking the library after it was left open", slog.Any("error", err))
	}
	p.reportDamage(db, problems)
}

// reportDamage reports problems of the library to the window.
func (p *program) reportDamage(db *sqlite.DB, problems []string) {
	if len(problems) == 0 {
		return
	}
	slog.Error("the library is damaged", slog.Any("problems", problems))
	p.library.noteDamage(db, problems)
	p.changes.Library(change.Library)
}

// backUpInBackground makes the daily backups while the window is open, and reports a library that is too damaged to copy.
func (p *program) backUpInBackground(ctx context.Context, db *sqlite.DB) {
	library.BackUpDaily(ctx, db, library.BackupDelay, func(err error) {
		slog.Warn("making the backup of the day", slog.Any("error", err))
		if core.CodeOf(err) == core.Corrupt {
			p.reportDamage(db, []string{err.Error()})
		}
	})
}
