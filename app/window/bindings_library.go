package window

import (
	"context"
	"log/slog"
	"time"

	"coppice/app/internal/guard"
	"coppice/app/internal/library"
	"coppice/app/internal/version"
	"coppice/app/window/internal/job"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/location"
	"coppice/backend/sqlite"
)

// States of the library.
const (
	libraryOpen      = "open"
	libraryReading   = "reading"   // it is open read-only
	libraryDamaged   = "damaged"   // it cannot be opened
	libraryReplacing = "replacing" // another file is replacing it
	libraryLocked    = "locked"    // it is encrypted, and its key is needed
	libraryFailed    = "failed"
)

// LibraryState describes the library's file and its backups, also if it cannot be opened.
type LibraryState struct {
	Path         string        `json:"path"`
	State        string        `json:"state"`   // open, reading, damaged, replacing, locked or failed
	Message      string        `json:"message"` // why it is not open; empty if it is
	Damage       []string      `json:"damage"`  // the problems that a check found in an open library; empty if none are known
	Backups      []core.Backup `json:"backups"`
	DailyBackups bool          `json:"dailyBackups"`
	Encrypted    bool          `json:"encrypted"`
	InKeyring    bool          `json:"inKeyring"` // it is not open, and the keyring of the system has a key of it
}

// LocationRisk describes what puts the library's folder at risk. All fields are empty if nothing does, or if the user
// dismissed the warning less than a day ago.
type LocationRisk struct {
	SyncedBy string `json:"syncedBy"` // the program that synchronises the folder, such as Dropbox
	Folder   string `json:"folder"`   // the folder that it synchronises
	Network  string `json:"network"`  // the network file system, such as NFS
}

// LibraryBindings check, back up, recover and replace the library.
type LibraryBindings struct{ *program }

// GetAbout describes the program and its file.
func (b *LibraryBindings) GetAbout() (About, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (About, error) {
		stats, err := db.Stats(ctx)
		return About{Version: version.Full(), Stats: stats}, err
	})
}

// GetHome returns the home page: where to continue, what was spent this week, and what was imported last.
func (b *LibraryBindings) GetHome() (core.Home, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Home, error) { return library.Home(ctx, db, time.Now()) })
}

// GetLocationRisk returns the risk to warn of, at most once a day. The command line shares the date of the last warning.
func (b *LibraryBindings) GetLocationRisk() (risk LocationRisk, err error) {
	err = guard.Run(func() error {
		path := b.library.where()
		found := location.Of(path, location.Network)
		if library.RiskText(found) != "" && library.IsWarningDue(path, time.Now()) {
			risk = LocationRisk{SyncedBy: found.Synced, Folder: found.Folder, Network: found.Network}
		}
		return nil
	})
	return risk, err
}

// DismissLocationRisk stores that the user has seen the warning.
func (b *LibraryBindings) DismissLocationRisk() error {
	return guard.Run(func() error {
		return core.Wrap(core.Unavailable, library.MarkWarned(b.library.where()), "store that the warning was dismissed")
	})
}

// StartBackup starts to copy the library to a file and returns the job's id.
func (b *LibraryBindings) StartBackup(path string) (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		if path == "" {
			return "", core.E(core.Invalid, "back up: no file was named")
		}
		return b.jobs.Start(ctx, job.Backup, func(ctx context.Context, set job.Update) error {
			if err := db.Backup(ctx, path); err != nil {
				return err
			}
			set(func(j *job.Job) { j.Path = path })
			return nil
		}), nil
	})
}

// StartCheck starts to check the library and returns the job's id. The report's problems contain the damage it finds.
func (b *LibraryBindings) StartCheck() (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		return b.jobs.Start(ctx, job.Check, func(ctx context.Context, set job.Update) error {
			found, _, err := library.Check(ctx, db, false, func(p core.Progress) { set(func(j *job.Job) { j.Progress = p }) })
			if err == nil {
				var wrong []string
				if wrong, err = library.RepairIndex(ctx, db, nil); len(wrong) > 0 {
					found = append(found, append(wrong, "the full-text index is being rebuilt")...)
				}
			}
			problems := make([]core.Problem, len(found))
			for i, message := range found {
				problems[i] = core.Problem{Path: db.FilePath(), Message: message}
			}
			set(func(j *job.Job) { j.Report.Problems = problems })
			return err
		}), nil
	})
}

// GetLibraryState describes the library.
func (b *LibraryBindings) GetLibraryState() (state LibraryState, err error) {
	err = guard.Run(func() error {
		state.Path = b.library.where()
		if state.Backups, err = sqlite.Backups(state.Path); err != nil {
			slog.Warn("listing the backups", slog.Any("error", err)) // the rest of the state is still useful
		}
		state.Backups = lists.NonNil(state.Backups)
		ctx, db, openErr := b.library.get()
		state.State, state.Message = stateOf(db, openErr)
		if db != nil {
			state.Encrypted = db.IsEncrypted()
		} else if slots, err := sqlite.ReadSlots(state.Path); err == nil {
			state.Encrypted, state.InKeyring = true, slots.Has(core.KeyKeyring)
		}
		state.Damage = lists.NonNil(b.library.damages())
		if db != nil && len(state.Damage) == 0 { // otherwise the settings may be damaged
			state.DailyBackups, err = db.DailyBackups(ctx)
			return err
		}
		return nil
	})
	return state, err
}

// StartRecovery starts to save the readable part of a damaged library and returns the job's id. It moves the damaged file
// aside and opens the recovered library at the end.
func (b *LibraryBindings) StartRecovery() (id string, err error) {
	err = guard.Run(func() error {
		if err := b.mayReplace(); err != nil {
			return err
		}
		id = b.jobs.Start(b.library.lasting(), job.Recover, func(ctx context.Context, set job.Update) error {
			return b.library.replace(b.settle, func(path string) error {
				report, aside, err := sqlite.RecoverInPlace(ctx, path, func(p core.Progress) { set(func(j *job.Job) { j.Progress = p }) })
				set(func(j *job.Job) { j.Recovery, j.Path = report, aside })
				return err
			})
		})
		return nil
	})
	return id, err
}

// RestoreBackup replaces the library with a backup, and returns the path of the file that it replaced.
func (b *LibraryBindings) RestoreBackup(backup string) (aside string, err error) {
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
		b.changes.All()
		return nil
	})
	return aside, err
}

// StartNewLibrary moves a damaged library aside, opens an empty one, and returns the path of the damaged one.
func (b *LibraryBindings) StartNewLibrary() (aside string, err error) {
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

// StartBackupNow starts a backup in the backup folder and returns the job's id.
func (b *LibraryBindings) StartBackupNow() (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		return b.jobs.Start(ctx, job.Backup, func(ctx context.Context, set job.Update) error {
			made, err := db.KeepBackup(ctx, core.BackupManual)
			set(func(j *job.Job) { j.Path = made.Path })
			return err
		}), nil
	})
}

// SetDailyBackups turns the daily backups on or off.
func (b *LibraryBindings) SetDailyBackups(on bool) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) { return true, db.SetDailyBackups(ctx, on) })
	return err
}

func stateOf(db *sqlite.DB, err error) (state, message string) {
	switch {
	case err == nil && db.Refusal() != nil:
		return libraryReading, db.Refusal().Error()
	case err == nil:
		return libraryOpen, ""
	case core.CodeOf(err) == core.Corrupt:
		return libraryDamaged, err.Error()
	case core.CodeOf(err) == core.Auth:
		return libraryLocked, err.Error()
	case core.CodeOf(err) == core.Busy && db == nil && core.HintOf(err) == replacingHint:
		return libraryReplacing, err.Error()
	}
	return libraryFailed, err.Error()
}

// mayReplace returns an error if a run uses the library.
func (p *program) mayReplace() error {
	if p.runs.Count() > 0 {
		return core.E(core.Busy, "a session is running").WithHint("Stop it, or wait until it ends")
	}
	return nil
}

// settle waits until no background work uses the library. The context of that work must have ended.
func (p *program) settle() {
	p.watching.Wait()
	p.following.wait()
}

func (p *program) settleAll() {
	p.jobs.Wait()
	p.settle()
}
