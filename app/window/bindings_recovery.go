package window

import (
	"context"
	"log/slog"
	"time"

	"coppice/app/internal/library"

	"coppice/app/internal/guard"

	"coppice/backend/lists"

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
	Damage       []string      `json:"damage"`  // what a check has found of an open library; empty if nothing is known
	Backups      []core.Backup `json:"backups"`
	DailyBackups bool          `json:"dailyBackups"`
}

// GetLibraryState describes the library.
func (b *Bindings) GetLibraryState() (state LibraryState, err error) {
	err = guard.Run(func() error {
		state.Path = b.library.where()
		if state.Backups, err = sqlite.Backups(state.Path); err != nil {
			slog.Warn("listing the backups", slog.Any("error", err)) // the rest counts
		}
		state.Backups = lists.NonNil(state.Backups)
		ctx, db, openErr := b.library.get()
		state.State, state.Message = stateOf(db, openErr)
		state.Damage = lists.NonNil(b.library.damages())
		if db != nil && len(state.Damage) == 0 { // else the settings may be what is damaged
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

// mayReplace returns an error if a run uses the library.
func (b *Bindings) mayReplace() error {
	if b.runs.count() > 0 {
		return core.E(core.Busy, "a session is running").WithHint("stop it, or wait for its end")
	}
	return nil
}

// StartRecovery begins to save what can be read of a damaged library, which is kept aside, and returns the job's id. At the end the
// recovered library is open.
func (b *Bindings) StartRecovery() (id string, err error) {
	err = guard.Run(func() error {
		if err := b.mayReplace(); err != nil {
			return err
		}
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
	err = guard.Run(func() error {
		if err := b.mayReplace(); err != nil {
			return err
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
	err = guard.Run(func() error {
		if _, _, err := b.library.get(); core.CodeOf(err) != core.Corrupt && len(b.library.damages()) == 0 {
			return core.E(core.Conflict, "the library is not damaged")
		}
		if err := b.mayReplace(); err != nil {
			return err
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

// checkDelay keeps the check of a library's pages out of the start of the window.
const checkDelay = 5 * time.Second

// checkIfLeftOpen looks for damage if the library was not closed by the process before, and reports what it finds to the window.
func (b *Bindings) checkIfLeftOpen(ctx context.Context, db *sqlite.DB) {
	if !db.LeftOpen() {
		return
	}
	select {
	case <-ctx.Done():
		return
	case <-time.After(checkDelay):
	}
	b.checkPages(ctx, db)
}

// checkPages looks for damage and reports it to the window.
func (b *Bindings) checkPages(ctx context.Context, db *sqlite.DB) {
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
	b.reportDamage(db, problems)
}

// reportDamage shows in the window what was found to be damaged.
func (b *Bindings) reportDamage(db *sqlite.DB, problems []string) {
	if len(problems) == 0 {
		return
	}
	slog.Error("the library is damaged", slog.Any("problems", problems))
	b.library.noteDamage(db, problems)
	b.changes.tell(changedLibrary)
}

// backUpInBackground makes the backup of each day while the window is open. A library that cannot be copied because it is damaged is
// reported.
func (b *Bindings) backUpInBackground(ctx context.Context, db *sqlite.DB) {
	library.BackUpDaily(ctx, db, library.BackupDelay, func(err error) {
		slog.Warn("making the backup of the day", slog.Any("error", err))
		if core.CodeOf(err) == core.Corrupt {
			b.reportDamage(db, []string{err.Error()})
		}
	})
}
