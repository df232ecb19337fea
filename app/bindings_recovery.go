package app

import (
	"context"
	"log/slog"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// The states of the library.
const (
	libraryOpen      = "open"
	libraryReading   = "reading"   // it can be read, but not written
	libraryDamaged   = "damaged"   // it cannot be opened
	libraryReplacing = "replacing" // another file takes its place at this moment
	libraryFailed    = "failed"
)

// LibraryState describes the library's file and its backups, also if it cannot be opened.
type LibraryState struct {
	Path         string        `json:"path"`
	State        string        `json:"state"`   // open reading damaged replacing failed
	Message      string        `json:"message"` // why it is not open; empty if it is
	Backups      []core.Backup `json:"backups"`
	DailyBackups bool          `json:"dailyBackups"`
}

// GetLibraryState describes the library.
func (b *Bindings) GetLibraryState() (state LibraryState, err error) {
	err = guarded(func() error {
		state.Path = b.library.where()
		if state.Backups, err = sqlite.Backups(state.Path); err != nil {
			slog.Warn("listing the backups", slog.Any("error", err)) // the rest counts
		}
		state.Backups = nonNil(state.Backups)
		ctx, db, openErr := b.library.get()
		state.State, state.Message = stateOf(db, openErr)
		if db != nil {
			state.DailyBackups, err = db.DailyBackups(ctx)
			return err
		}
		return nil
	})
	return state, err
}

func stateOf(db *sqlite.DB, err error) (state, message string) {
	switch {
	case err == nil && db.Refusal() != nil:
		return libraryReading, db.Refusal().Error()
	case err == nil:
		return libraryOpen, ""
	case core.CodeOf(err) == core.Corrupt:
		return libraryDamaged, err.Error()
	case core.CodeOf(err) == core.Busy && db == nil && core.HintOf(err) == replacingHint:
		return libraryReplacing, err.Error()
	}
	return libraryFailed, err.Error()
}

// StartRecovery begins to save what can be read of a damaged library, which is kept aside, and returns the job's id. At the end the
// recovered library is open.
func (b *Bindings) StartRecovery() (id string, err error) {
	err = guarded(func() error {
		id = b.jobs.start(b.library.lasting(), jobRecover, func(ctx context.Context, set update) error {
			return b.library.replace(b.settle, func(path string) error {
				report, aside, err := sqlite.RecoverInPlace(ctx, path, func(p core.Progress) { set(func(j *Job) { j.Progress = p }) })
				set(func(j *Job) { j.Recovery, j.Path = report, aside })
				return err
			})
		})
		return nil
	})
	return id, err
}

// RestoreBackup puts a backup in the place of the library, and returns where the file is that was there.
func (b *Bindings) RestoreBackup(backup string) (aside string, err error) {
	err = guarded(func() error {
		if b.runs.count() > 0 {
			return core.E(core.Busy, "a session is running").WithHint("stop it, or wait for its end")
		}
		if err := b.library.replace(b.settleAll, func(path string) (err error) {
			aside, err = sqlite.Restore(b.library.lasting(), path, backup)
			return err
		}); err != nil {
			return err
		}
		b.changes.tellAll()
		return nil
	})
	return aside, err
}

// StartNewLibrary keeps a damaged library aside, and returns where it is. An empty one is open then.
func (b *Bindings) StartNewLibrary() (aside string, err error) {
	err = guarded(func() error {
		if _, _, err := b.library.get(); core.CodeOf(err) != core.Corrupt {
			return core.E(core.Conflict, "the library is not damaged")
		}
		return b.library.replace(b.settleAll, func(path string) (err error) {
			aside, err = sqlite.SetAside(path)
			return err
		})
	})
	return aside, err
}

// StartBackupNow begins to make a backup in the folder of backups, and returns the job's id.
func (b *Bindings) StartBackupNow() (string, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		return b.jobs.start(ctx, jobBackup, func(ctx context.Context, set update) error {
			made, err := db.KeepBackup(ctx, core.BackupManual)
			set(func(j *Job) { j.Path = made.Path })
			return err
		}), nil
	})
}

// SetDailyBackups turns the daily backups on or off.
func (b *Bindings) SetDailyBackups(on bool) error {
	_, err := call(b, func(ctx context.Context, db *sqlite.DB) (bool, error) { return true, db.SetDailyBackups(ctx, on) })
	return err
}

// settle returns when nothing works with the library in the background any more; its context must have ended.
func (b *Bindings) settle() {
	b.watching.Wait()
	b.following.wait()
}

func (b *Bindings) settleAll() {
	b.jobs.wait()
	b.settle()
}

// The first look at whether a backup is due leaves the start of the window alone.
const (
	backupDelay  = time.Minute
	backupPeriod = time.Hour
)

// backUpDaily makes the backup of each day while the window is open.
func backUpDaily(ctx context.Context, db *sqlite.DB) {
	for wait := backupDelay; ; wait = backupPeriod {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if err := guarded(func() error { return backUpIfDue(ctx, db) }); err != nil && ctx.Err() == nil {
			slog.Warn("making the backup of the day", slog.Any("error", err))
		}
	}
}
