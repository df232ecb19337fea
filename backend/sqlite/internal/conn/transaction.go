package conn

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
)

// Read runs f on one state of the library, whatever is written meanwhile.
func (l *File) Read(ctx context.Context, f func(t *Tx) error) error {
	l.readers.gate.RLock()
	defer l.readers.gate.RUnlock()
	if err := l.files.mustBeSame(); err != nil {
		return err
	}
	in, err := l.readers.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer in.Rollback() //nolint:errcheck // nothing was written
	return f(&Tx{direct: in, prepare: func(ctx context.Context, query string) (*sqlx.Stmt, error) {
		s, err := l.readers.prepare(ctx, query)
		if err != nil {
			return nil, err
		}
		return in.StmtxContext(ctx, s), nil
	}})
}

// Write runs f in a durable transaction. An error of f undoes it.
func (l *File) Write(ctx context.Context, f func(t *Tx) error) error {
	if l.writer != nil {
		l.writer.urgent.Add(1)
	}
	release, err := l.takeTurn(ctx)
	if l.writer != nil {
		l.writer.urgent.Add(-1)
	}
	if err != nil {
		return err
	}
	defer release()
	return l.transact(ctx, f)
}

// WriteBulk is Write for work that can be repeated: its end does not wait for the disk. After a power cut the file is
// sound, but the transaction may be missing.
func (l *File) WriteBulk(ctx context.Context, f func(t *Tx) error) (err error) {
	release, err := l.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer release()
	// Not prepared: this pragma acts when it is compiled.
	if _, err := l.writer.conn.ExecContext(ctx, `PRAGMA synchronous = NORMAL`); err != nil {
		return err
	}
	defer func() {
		_, fullErr := l.writer.conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA synchronous = FULL`)
		err = errors.Join(err, fullErr)
		l.checkpointer.wake()
	}()
	return l.transact(ctx, f)
}

// Exclusive runs f with the connection that writes, outside of a transaction.
func (l *File) Exclusive(ctx context.Context, f func(conn *sqlx.Conn) error) error {
	release, err := l.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer release()
	return f(l.writer.conn)
}

// ExclusiveUnchecked is Exclusive for what works even if the library's path names another file.
func (l *File) ExclusiveUnchecked(ctx context.Context, f func(conn *sqlx.Conn) error) error {
	release, err := l.takeTurnUnchecked(ctx)
	if err != nil {
		return err
	}
	defer release()
	return f(l.writer.conn)
}

// Urgent reports whether a goroutine waits for Write.
func (l *File) Urgent() bool { return l.writer.urgent.Load() > 0 }

// Writing reports whether a goroutine has the turn to write.
func (l *File) Writing() bool { return len(l.writer.turn) > 0 }

// takeTurn waits for the turn to write, with files that may be written to.
func (l *File) takeTurn(ctx context.Context) (release func(), err error) {
	if release, err = l.takeTurnUnchecked(ctx); err != nil {
		return nil, err
	}
	if err := l.ensureFiles(ctx); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

func (l *File) takeTurnUnchecked(ctx context.Context) (release func(), err error) {
	if l.writer == nil {
		return nil, l.Refusal()
	}
	select {
	case l.writer.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	release = func() { <-l.writer.turn }
	if l.writer.closed {
		release()
		return nil, core.E(core.Unavailable, "the library is closed")
	}
	return release, nil
}

func (l *File) transact(ctx context.Context, f func(t *Tx) error) error {
	w := l.writer
	if err := ctx.Err(); err != nil {
		return err
	}
	// From here on the ends ignore ctx: a transaction must not stay open.
	lasting := context.WithoutCancel(ctx)
	if err := w.run(lasting, `BEGIN IMMEDIATE`); err != nil {
		return Explain(err, l.path)
	}
	committed := false
	defer func() {
		if !committed { // also if f panics. If the disk is full, SQLite has undone it already
			w.run(lasting, `ROLLBACK`) //nolint:errcheck // the first error is the cause
		}
	}()
	if err := f(&Tx{prepare: w.prepare, direct: w.conn}); err != nil {
		return Explain(err, l.path)
	}
	if err := w.run(lasting, `COMMIT`); err != nil {
		return Explain(err, l.path)
	}
	committed = true
	if !l.files.hasLog() {
		return core.E(core.Unavailable, "save to the library %s: its write-ahead log was removed meanwhile", l.path).
			WithHint("try again; what was saved before is kept")
	}
	select {
	case l.written <- struct{}{}:
	default: // the listener has not received the last one yet
	}
	return nil
}

// DataVersion returns a number that changes after another connection has written to the file: another process, or
// another File. Own writes do not change it. It waits while this File writes, and does not access the disk. See
// https://sqlite.org/pragma.html#pragma_data_version.
func (l *File) DataVersion(ctx context.Context) (version int64, err error) {
	release, err := l.takeTurn(ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	s, err := l.writer.prepare(ctx, `PRAGMA data_version`)
	if err != nil {
		return 0, err
	}
	err = s.GetContext(ctx, &version)
	return version, err
}
