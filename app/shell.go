package app

import (
	"bufio"
	"context"
	"errors"
	"time"

	"coppice/app/internal/present"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/location"
	"coppice/backend/sqlite"
)

// shell is what every command is given.
type shell struct {
	terminal
	db           string // the flag --db
	keepsNothing bool   // the library is thrown away
	trust        *config.Answers
}

// open opens the library. A command calls it after it has checked its arguments, so that help
// and mistakes touch no file.
func (s *shell) open(ctx context.Context) (*sqlite.DB, error) {
	path, err := libraryPath(s.db)
	if err != nil {
		return nil, err
	}
	s.warnOfLocation(path)
	return sqlite.Open(ctx, path, sqlite.Options{Fallback: true})
}

// with runs f with the library open.
func (s *shell) with(ctx context.Context, f func(*sqlite.DB) error) error {
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	return s.use(ctx, db, f)
}

// use runs f with an open library, and closes that.
func (s *shell) use(ctx context.Context, db *sqlite.DB, f func(*sqlite.DB) error) (err error) {
	defer func() { err = errors.Join(err, db.Close()) }()
	if refusal := db.Refusal(); refusal != nil {
		s.say("reading only: %s", present.OneLine(refusal.Error()))
		return f(db)
	}
	sweep(ctx, db)
	if err := f(db); err != nil {
		return err
	}
	s.backUpDaily(ctx, db)
	return nil
}

// buffered runs f with an output that is written in large pieces.
func (s *shell) buffered(f func(*shell) error) error {
	out := bufio.NewWriterSize(s.out, 64<<10)
	inner := *s
	inner.out = out
	if err := f(&inner); err != nil {
		return errors.Join(err, out.Flush())
	}
	return core.Wrap(core.Unavailable, out.Flush(), "write the result")
}

// warnOfLocation prints a line, once a day, if a library lies where it is at risk.
func (s *shell) warnOfLocation(path string) {
	text := riskText(location.Of(path, location.Network))
	if text == "" || !isWarningDue(path, time.Now()) {
		return
	}
	s.say("warning: %s", present.OneLine(text))
	_ = markWarned(path)
}

// backUpDaily makes the backup of the day, if it is due, after a command has written.
func (s *shell) backUpDaily(ctx context.Context, db *sqlite.DB) {
	select {
	case <-db.Written():
	default:
		return // nothing was written
	}
	stats, err := db.Stats(ctx)
	if err == nil && stats.SizeBytes <= smallLibrary {
		err = backUpIfDue(ctx, db)
	}
	if err != nil && ctx.Err() == nil {
		s.sayNoBackup(err)
	}
}

// smallLibrary is the size up to which a command that has written makes the backup of the day itself: copying and verifying it takes less
// than half a second. A larger library is left to the window and to coppice watch.
const smallLibrary = 32 << 20

func (s *shell) sayNoBackup(err error) {
	s.say("no backup was made today: %s", present.OneLine(err.Error()))
}
