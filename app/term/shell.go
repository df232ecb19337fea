package term

import (
	"bufio"
	"context"
	"errors"
	"time"

	"coppice/app/internal/library"
	"coppice/app/internal/present"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/location"
	"coppice/backend/sqlite"
)

// Shell is the environment of a command: the terminal, the library and the settings.
type Shell struct {
	Terminal
	Library   string // the flag --db
	NoEncrypt bool   // a new library is plain, whatever the configuration has
	Discards  bool   // the library is temporary and is removed at the end
	Trust     *config.Answers
}

// Open opens the library. A command calls it after it has checked its arguments, so that help and mistakes open no
// file.
func (s *Shell) Open(ctx context.Context) (*sqlite.DB, error) {
	path, err := library.Path(s.Library)
	if err != nil {
		return nil, err
	}
	s.warnOfLocation(path)
	if err := s.createEncrypted(ctx, path); err != nil {
		return nil, err
	}
	if err := s.Unlock(ctx, path); err != nil {
		return nil, err
	}
	prices, err := launch.Prices()
	if err != nil {
		s.Say("estimating costs without your own prices: %s", present.OneLine(err.Error()))
	}
	return sqlite.Open(ctx, path, sqlite.Options{Fallback: true, Prices: prices})
}

// With runs f with the library, and closes the library afterwards.
func (s *Shell) With(ctx context.Context, f func(*sqlite.DB) error) error {
	db, err := s.Open(ctx)
	if err != nil {
		return err
	}
	return s.Use(ctx, db, f)
}

// Use runs f with an open library, and closes the library afterwards.
func (s *Shell) Use(ctx context.Context, db *sqlite.DB, f func(*sqlite.DB) error) (err error) {
	defer func() { err = errors.Join(err, db.Close()) }()
	if refusal := db.Refusal(); refusal != nil {
		s.Say("reading only: %s", present.OneLine(refusal.Error()))
		return f(db)
	}
	library.Sweep(ctx, db)
	if err := f(db); err != nil {
		return err
	}
	s.backUpDaily(ctx, db)
	return nil
}

// Buffered runs f with a buffered output.
func (s *Shell) Buffered(f func(*Shell) error) error {
	out := bufio.NewWriterSize(s.Out, 64<<10)
	inner := *s
	inner.Out = out
	if err := f(&inner); err != nil {
		return errors.Join(err, out.Flush())
	}
	return core.Wrap(core.Unavailable, out.Flush(), "write the result")
}

// warnOfLocation prints a warning, at most once a day, if the folder of the library puts it at risk.
func (s *Shell) warnOfLocation(path string) {
	text := library.RiskText(location.Of(path, location.Network))
	if text == "" || !library.IsWarningDue(path, time.Now()) {
		return
	}
	s.Say("warning: %s", present.OneLine(text))
	_ = library.MarkWarned(path)
}

// backUpDaily makes the daily backup, if it is due, after a command has written to the library.
func (s *Shell) backUpDaily(ctx context.Context, db *sqlite.DB) {
	select {
	case <-db.Written():
	default:
		return // the command has written nothing
	}
	stats, err := db.Stats(ctx)
	if err == nil && stats.SizeBytes <= smallLibrary {
		err = library.BackUpIfDue(ctx, db)
	}
	if err != nil && ctx.Err() == nil {
		s.SayNoBackup(err)
	}
}

// smallLibrary is the size up to which a command that has written makes the daily backup itself: copying and verifying
// it takes less than half a second. The window and coppice watch back up larger libraries.
const smallLibrary = 32 << 20

// SayNoBackup prints why the daily backup failed.
func (s *Shell) SayNoBackup(err error) {
	s.Say("no backup was made today: %s", present.OneLine(err.Error()))
}
