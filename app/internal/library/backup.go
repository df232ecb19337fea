package library

import (
	"context"
	"time"

	"coppice/app/internal/guard"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// When to look whether a backup is due. The first look leaves the start of the window alone.
const (
	BackupDelay  = time.Minute
	backupPeriod = time.Hour
)

// BackUpDaily makes the backup of each day until ctx ends. It first looks after a delay. failed is called with each error that is not
// the same as the one before.
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

// BackUpIfDue makes the backup of the day, unless there is one or another process makes it.
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
