package library

import (
	"context"
	"time"

	"coppice/app/internal/guard"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// BackupDelay is the time before the first check whether a backup is due, which keeps the start of the window fast.
// backupPeriod is the time between checks.
const (
	BackupDelay  = time.Minute
	backupPeriod = time.Hour
)

// BackUpDaily makes a backup each day until ctx ends. The first check follows after a delay. It calls failed with each
// error that differs from the one before.
func BackUpDaily(ctx context.Context, db *sqlite.DB, delay time.Duration, failed func(error)) {
	last := ""
	for wait := delay; ; wait = backupPeriod {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		err := guard.Run(func() error { return BackUpIfDue(ctx, db) })
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != "" && text != last && ctx.Err() == nil {
			failed(err)
		}
		last = text
	}
}

// BackUpIfDue makes the daily backup, unless it exists or another process is making it.
func BackUpIfDue(ctx context.Context, db *sqlite.DB) error {
	due, err := db.BackupDue(ctx)
	if err != nil || !due {
		return err
	}
	if _, err = db.KeepBackup(ctx, core.BackupDaily); core.CodeOf(err) == core.Busy {
		return nil
	}
	return err
}
