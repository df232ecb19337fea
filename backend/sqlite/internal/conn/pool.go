package conn

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
)

// readers is the pool of read-only connections.
type readers struct {
	gate       sync.RWMutex // held by each reader; held exclusively while the pool is replaced
	db         *sqlx.DB
	mu         sync.Mutex
	statements map[string]*sqlx.Stmt
}

func (r *readers) connect(db *sqlx.DB) {
	db.SetMaxIdleConns(4)
	r.db, r.statements = db, map[string]*sqlx.Stmt{}
}

// pause waits until no reader is active, and blocks new ones. It reports false if that takes too long. It must not queue
// for the gate: a reader that begins a second read would wait behind it for itself.
func (r *readers) pause(ctx context.Context) bool {
	for end := time.Now().Add(readersPatience); !r.gate.TryLock(); time.Sleep(time.Millisecond) {
		if ctx.Err() != nil || time.Now().After(end) {
			return false
		}
	}
	return true
}

func (r *readers) resume() { r.gate.Unlock() }

func (r *readers) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	errs := make([]error, 0, len(r.statements)+1)
	for _, s := range r.statements {
		errs = append(errs, s.Close())
	}
	r.statements = nil
	if r.db != nil {
		errs = append(errs, r.db.Close())
	}
	return errors.Join(errs...)
}

func (r *readers) prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.statements[query]; ok {
		return s, nil
	}
	s, err := r.db.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if r.statements == nil { // closed meanwhile
		return nil, errors.Join(core.E(core.Unavailable, "the library is closed"), s.Close())
	}
	r.statements[query] = s
	return s, nil
}

// writer is the one connection that writes.
type writer struct {
	db         *sqlx.DB
	conn       *sqlx.Conn
	turn       chan struct{} // holds an element while a goroutine uses the fields around it
	urgent     atomic.Int64  // the number of goroutines that wait for the turn and should not be kept waiting
	statements map[string]*sqlx.Stmt
	closed     bool
}

func newWriter() *writer { return &writer{turn: make(chan struct{}, 1)} }

func (w *writer) connect(ctx context.Context, db *sqlx.DB) error {
	db.SetMaxOpenConns(1)
	conn, err := db.Connx(ctx)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	w.db, w.conn, w.statements = db, conn, map[string]*sqlx.Stmt{}
	return nil
}

// disconnect closes the connection. If alone, it moves the write-ahead log into the file and removes it; otherwise it
// leaves the log as it is.
func (w *writer) disconnect(alone bool) error {
	if w.conn == nil {
		return nil
	}
	errs := make([]error, 0, len(w.statements)+3)
	for _, s := range w.statements {
		errs = append(errs, s.Close())
	}
	if alone {
		errs = append(errs, w.conn.Raw(func(conn any) error { return PersistLog(conn, 0) }))
	} else { // with a limit, SQLite would truncate the log
		_, err := w.conn.ExecContext(context.Background(), `PRAGMA journal_size_limit = -1`)
		errs = append(errs, err)
	}
	errs = append(errs, w.conn.Close(), w.db.Close())
	w.db, w.conn, w.statements = nil, nil, nil
	return errors.Join(errs...)
}

func (w *writer) prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
	if s, ok := w.statements[query]; ok {
		return s, nil
	}
	s, err := w.conn.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	w.statements[query] = s
	return s, nil
}

func (w *writer) run(ctx context.Context, query string) error {
	s, err := w.prepare(ctx, query)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(ctx)
	return err
}
