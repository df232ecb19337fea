package conn

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/filelock"
)

// File is an open library file: one connection that writes, and a pool of connections that read.
type File struct {
	path         string
	readers      *readers
	writer       *writer       // nil: read only
	checkpointer *checkpointer // nil: read only

	refusal  error  // why the file is read only, if it should not be
	copied   string // the folder with the copy that is read; empty: none
	leftOpen bool

	presence *Presence // nil: read only, and there is no lock file
	files    identity
	probe    *filelock.Probe
	written  chan struct{} // holds an element if something was written since the last receive
}

// Options are the ways to open a file.
type Options struct {
	ReadOnly bool // nothing is written; the file must exist
	Fallback bool // a file that cannot be written now is opened read-only: see File.Refusal

	// Prepare makes the file ready to be written to, and returns its lock.
	Prepare func(ctx context.Context) (*Presence, error)
	// Match returns an error if the file cannot be used as it is.
	Match func(ctx context.Context, db *sqlx.DB) error
}

// Open opens the library file at an absolute path.
func Open(ctx context.Context, path string, opts Options) (*File, error) {
	l := &File{path: path, written: make(chan struct{}, 1)}
	var err error
	switch {
	case opts.ReadOnly:
		err = l.openReadOnly(ctx, opts)
	case opts.Fallback:
		err = l.openOrRead(ctx, opts)
	default:
		err = l.openWritable(ctx, opts)
	}
	if err != nil {
		l.Close() //nolint:errcheck // the first error is the cause
		return nil, Explain(err, path)
	}
	return l, nil
}

func (l *File) openWritable(ctx context.Context, opts Options) error {
	var err error
	if l.leftOpen, err = leftOpen(l.path); err != nil {
		return err
	}
	if l.presence, err = opts.Prepare(ctx); err != nil {
		return err
	}
	l.writer, l.readers = newWriter(), &readers{}
	if err := l.attach(ctx); err != nil {
		return err
	}
	return opts.Match(ctx, l.readers.db) // a newer Coppice may have migrated it since Prepare
}

func (l *File) openReadOnly(ctx context.Context, opts Options) error {
	if err := mustBeFile(l.path); err != nil {
		return err
	}
	if err := Unlock(l.path); err != nil {
		return err
	}
	l.presence = presentReadOnly(l.path)
	database, err := os.Stat(l.path)
	if err != nil {
		return err
	}
	l.files = identity{path: l.path, database: database}
	read, copied, err := connectToRead(ctx, l.path)
	if err != nil {
		return err
	}
	l.readers, l.copied = &readers{}, copied
	l.readers.connect(read)
	return opts.Match(ctx, read)
}

// openOrRead opens the file for writing, or read-only if it cannot be written now.
func (l *File) openOrRead(ctx context.Context, opts Options) error {
	err := l.openWritable(ctx, opts)
	if err == nil {
		return nil
	}
	if l.refusal = whyNotWritable(err, l.path); l.refusal == nil {
		return err
	}
	if closeErr := l.Close(); closeErr != nil {
		return errors.Join(err, closeErr)
	}
	l.readers, l.writer, l.checkpointer, l.presence = nil, nil, nil, nil
	if readErr := l.openReadOnly(ctx, opts); readErr != nil {
		if core.CodeOf(readErr) != core.Internal {
			return readErr
		}
		return fmt.Errorf("%w: %w", l.refusal, readErr)
	}
	return nil
}

// Close waits for the writer and closes the file. Later calls fail; closing again does nothing.
//
// If no other process has the library open, the write-ahead log is moved into the file and removed. Otherwise the log
// stays as it is.
func (l *File) Close() error {
	var err error
	switch {
	case l.writer != nil:
		err = l.closeWritable()
	case l.readers != nil:
		err = errors.Join(l.readers.close(), l.presence.Release())
	default:
		err = l.presence.Release()
	}
	if l.copied != "" {
		err = errors.Join(err, os.RemoveAll(l.copied))
	}
	return err
}

func (l *File) closeWritable() error {
	l.writer.turn <- struct{}{}
	defer func() { <-l.writer.turn }()
	if l.writer.closed {
		return nil
	}
	l.writer.closed = true
	alone, lockErr := false, error(nil)
	if l.files.mustBeSame() == nil && l.files.hasLog() {
		alone, lockErr = l.presence.TakeAlone()
	}
	return errors.Join(lockErr, l.detach(alone), l.presence.Release())
}

// Written returns a channel that receives after this File has written.
func (l *File) Written() <-chan struct{} { return l.written }

// Path returns the file's absolute path.
func (l *File) Path() string { return l.path }

// LeftOpen reports whether the process that had the file open before this one was killed, or lost its power.
func (l *File) LeftOpen() bool { return l.leftOpen }

// Refusal returns why nothing can be written to the file; nil if it can be written.
func (l *File) Refusal() error {
	if l.writer != nil {
		return nil
	}
	if l.refusal != nil {
		return l.refusal
	}
	return core.E(core.Denied, "the library was opened read-only")
}

// Moved returns an error if the path no longer names the file that is open.
func (l *File) Moved() error {
	l.readers.gate.RLock()
	defer l.readers.gate.RUnlock()
	return l.files.mustBeSame()
}

// readersPatience is the longest wait for active readers before the file is opened again.
const readersPatience = 5 * time.Second

// attach connects to the files. The caller has the turn, and no reader is active.
func (l *File) attach(ctx context.Context) (err error) {
	l.files = identity{path: l.path}
	if l.files.database, err = os.Stat(l.path); err != nil {
		return err
	}
	write, err := Connect(ctx, l.path, WritePragmas())
	if err != nil {
		return err
	}
	if err := l.writer.connect(ctx, write); err != nil {
		return err
	}
	l.checkpointer = newCheckpointer(l.path)
	read, err := Connect(ctx, l.path, ReadPragmas())
	if err != nil {
		return err
	}
	l.readers.connect(read)
	if l.files.wal, err = os.Stat(l.path + "-wal"); err != nil {
		return err
	}
	if l.probe, err = filelock.NewProbe(l.path); err != nil {
		return err
	}
	return l.files.mustBeSame() // the path may have changed its meaning between two of the steps above
}

// detach closes what attach has opened, as far as it got. The connection that writes is the last one: SQLite removes
// the write-ahead log with the last connection, if that connection permits it.
func (l *File) detach(alone bool) error {
	errs := []error{l.readers.close()}
	if l.checkpointer != nil {
		errs = append(errs, l.checkpointer.close())
	}
	errs = append(errs, l.writer.disconnect(alone), l.probe.Close())
	l.checkpointer, l.probe = nil, nil
	return errors.Join(errs...)
}

// ensureFiles ensures that what is written reaches the library's files and that other processes see the locks. It costs
// four stats and two requests for locks. The caller has the turn.
func (l *File) ensureFiles(ctx context.Context) error {
	if err := l.files.mustBeSame(); err != nil {
		return err
	}
	if !l.presence.holds() {
		if err := errors.Join(l.presence.Release(), l.presence.Share(ctx)); err != nil {
			return err
		}
	}
	held, err := l.probe.Held()
	if err != nil {
		return fmt.Errorf("look at the library's locks: %w", err)
	}
	if held && l.writer.conn != nil && l.files.hasLog() {
		return nil
	}
	return l.reattach(ctx)
}

// reattach opens the files again after the locks or the write-ahead log were removed.
func (l *File) reattach(ctx context.Context) error {
	slog.Warn("opening the library again, its locks or its write-ahead log are missing", slog.String("path", l.path))
	if !l.readers.pause(ctx) {
		return core.E(core.Busy, "the library's locks were taken away, and readers keep it open").WithHint("try again")
	}
	defer l.readers.resume()
	if err := l.detach(false); err != nil {
		slog.Warn("closing the library", slog.Any("error", err)) // only opening it matters
	}
	if err := l.attach(ctx); err != nil {
		return errors.Join(fmt.Errorf("open the library again: %w", err), l.detach(false))
	}
	held, err := l.probe.Held()
	if err == nil && !held {
		err = core.E(core.Unavailable, "lock the library again: the locks are missing").WithHint("check that the disk is writable, then restart Coppice")
	}
	return err
}
