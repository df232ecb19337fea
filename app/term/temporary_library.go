package term

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/leftover"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/keyslot"
)

// ForRuns runs f with the library that stores runs. If the configuration says that nothing is stored, it is a temporary
// library that is removed afterwards.
func (s *Shell) ForRuns(ctx context.Context, flags *RunOptions, f func(*sqlite.DB) error) error {
	here, err := flags.here()
	if err != nil {
		return err
	}
	set, err := config.Load(here, s.Trust)
	if err != nil {
		return err
	}
	if set.Sessions.AutoSave {
		return s.With(ctx, f)
	}
	if flags.Session != "" || flags.Newest || flags.Picks {
		return core.E(core.Invalid, "sessions.auto_save is false: a stored session cannot be continued, because that would be stored too").
			WithHint("coppice config set sessions.auto_save true")
	}
	return s.withThrowaway(ctx, f)
}

// withThrowaway runs f with an empty library, and removes it even if f fails or the program is interrupted.
func (s *Shell) withThrowaway(ctx context.Context, f func(*sqlite.DB) error) (err error) {
	folder, err := leftover.NewFolder(os.TempDir(), "coppice-*")
	if err != nil {
		return core.Wrap(core.Unavailable, err, "make a library to throw away")
	}
	remove := s.Signals.finally(func() { _ = folder.Release() }) // an error is ignored: the system cleans up its temporary folder
	defer remove()
	s.Say("sessions.auto_save is false: this run is not stored")
	s.Discards = true
	path := filepath.Join(folder.Path, "coppice.db")
	// Its key is in memory only: what a crash leaves in the folder cannot be read.
	if err := sqlite.CreateEncrypted(path, keyslot.New(), sqlite.Secret{Kind: core.KeyKeyring, Text: keyslot.NewKeyringText()}); err != nil {
		return err
	}
	defer sqlite.Lock(path)
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return f(db)
}
