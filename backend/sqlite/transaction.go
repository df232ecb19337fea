package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
)

// tx is a transaction. Each of its queries is prepared once per pool or connection and kept, so
// queries are constants; what is put together at run time goes through the query methods of one.
type tx struct {
	prepare func(ctx context.Context, query string) (*sqlx.Stmt, error)
	direct  sqlx.QueryerContext
	codec   *codec
	ledger  ledger // nil where nothing is written
}

// get reads one row; sql.ErrNoRows where there is none.
func (t *tx) get(ctx context.Context, dest any, query string, args ...any) error {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return err
	}
	return s.GetContext(ctx, dest, args...)
}

// all reads all rows into a slice.
func (t *tx) all(ctx context.Context, dest any, query string, args ...any) error {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return err
	}
	return s.SelectContext(ctx, dest, args...)
}

// rows reads rows one by one.
func (t *tx) rows(ctx context.Context, query string, args ...any) (*sqlx.Rows, error) {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryxContext(ctx, args...)
}

// scan gives the rows of a query to each, one by one.
func (t *tx) scan(ctx context.Context, query string, args []any, each func(*sqlx.Rows) error) (err error) {
	rows, err := t.rows(ctx, query, args...)
	if err != nil {
		return err
	}
	defer closeRows(rows, &err)
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return nil
}

// exec writes.
func (t *tx) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// insert writes a row and returns its rowid.
func (t *tx) insert(ctx context.Context, query string, args ...any) (int64, error) {
	done, err := t.exec(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

// rowsAtOnce is how many rows one statement writes where there are many. More of them save nothing, and a statement has at most
// 32,766 values.
const rowsAtOnce = 64

// insertRows writes rows of so many values each; the query ends where they follow.
func (t *tx) insertRows(ctx context.Context, query string, width int, values []any) error {
	row := "(?" + strings.Repeat(", ?", width-1) + ")"
	many := query + row + strings.Repeat(", "+row, rowsAtOnce-1)
	for ; len(values) >= width*rowsAtOnce; values = values[width*rowsAtOnce:] {
		if _, err := t.exec(ctx, many, values[:width*rowsAtOnce]...); err != nil {
			return err
		}
	}
	for ; len(values) > 0; values = values[width:] {
		if _, err := t.exec(ctx, query+row, values[:width]...); err != nil {
			return err
		}
	}
	return nil
}

// reads is the pool of read-only connections.
type reads struct {
	gate       sync.RWMutex // held by each reader; held alone while the pool is replaced
	db         *sqlx.DB
	mu         sync.Mutex
	statements map[string]*sqlx.Stmt
}

func newReads() *reads { return &reads{} }

func (r *reads) connect(db *sqlx.DB) {
	db.SetMaxIdleConns(4)
	r.db, r.statements = db, map[string]*sqlx.Stmt{}
}

// pause waits until no reader is at work, and keeps new ones waiting. It reports false if that takes too long. It
// must not queue for the gate: a reader that begins a second read would wait behind it for itself.
func (r *reads) pause(ctx context.Context) bool {
	for end := time.Now().Add(readersPatience); !r.gate.TryLock(); time.Sleep(time.Millisecond) {
		if ctx.Err() != nil || time.Now().After(end) {
			return false
		}
	}
	return true
}

func (r *reads) resume() { r.gate.Unlock() }

func (r *reads) close() error {
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

func (r *reads) prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
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

// read runs f on one state of the library, whatever is written meanwhile.
func (db *DB) read(ctx context.Context, f func(t *tx) error) error {
	db.reads.gate.RLock()
	defer db.reads.gate.RUnlock()
	if err := db.files.mustBeSame(); err != nil {
		return err
	}
	in, err := db.reads.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer in.Rollback() //nolint:errcheck // nothing was written
	return f(&tx{direct: in, codec: db.codec, prepare: func(ctx context.Context, query string) (*sqlx.Stmt, error) {
		s, err := db.reads.prepare(ctx, query)
		if err != nil {
			return nil, err
		}
		return in.StmtxContext(ctx, s), nil
	}})
}

// writes is the one connection that writes, and the turn to use it.
type writes struct {
	db         *sqlx.DB
	conn       *sqlx.Conn
	turn       chan struct{} // holds one while somebody uses the fields around it
	urgent     atomic.Int64  // how many wait for the turn who are not to be kept waiting
	statements map[string]*sqlx.Stmt
	closed     bool
}

func newWrites() *writes { return &writes{turn: make(chan struct{}, 1)} }

func (w *writes) connect(ctx context.Context, db *sqlx.DB) error {
	db.SetMaxOpenConns(1)
	conn, err := db.Connx(ctx)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	w.db, w.conn, w.statements = db, conn, map[string]*sqlx.Stmt{}
	return nil
}

// disconnect closes the connection. Alone, it moves the write-ahead log into the file and removes it; otherwise it
// leaves the log as it is.
func (w *writes) disconnect(alone bool) error {
	if w.conn == nil {
		return nil
	}
	errs := make([]error, 0, len(w.statements)+3)
	for _, s := range w.statements {
		errs = append(errs, s.Close())
	}
	if alone {
		errs = append(errs, w.conn.Raw(func(conn any) error { return persistLog(conn, 0) }))
	} else { // with a limit, SQLite would cut the log to nothing
		_, err := w.conn.ExecContext(context.Background(), `PRAGMA journal_size_limit = -1`)
		errs = append(errs, err)
	}
	errs = append(errs, w.conn.Close(), w.db.Close())
	w.db, w.conn, w.statements = nil, nil, nil
	return errors.Join(errs...)
}

func (w *writes) prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
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

// write runs f in a durable transaction. An error of f undoes it.
func (db *DB) write(ctx context.Context, f func(t *tx) error) error {
	if db.writes != nil {
		db.writes.urgent.Add(1)
	}
	release, err := db.takeTurn(ctx)
	if db.writes != nil {
		db.writes.urgent.Add(-1)
	}
	if err != nil {
		return err
	}
	defer release()
	return db.transact(ctx, f)
}

// writeBulk is write for what can be done again, and for what makes room for others: its end does not wait for the disk. After a power cut
// the file is sound, but may be without it.
func (db *DB) writeBulk(ctx context.Context, f func(t *tx) error) (err error) {
	release, err := db.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer release()
	// Not prepared: this pragma acts when it is compiled.
	if _, err := db.writes.conn.ExecContext(ctx, `PRAGMA synchronous = NORMAL`); err != nil {
		return err
	}
	defer func() {
		_, fullErr := db.writes.conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA synchronous = FULL`)
		err = errors.Join(err, fullErr)
		db.log.tell()
	}()
	return db.transact(ctx, f)
}

// takeTurn waits for the turn to write, with files that may be written to.
func (db *DB) takeTurn(ctx context.Context) (release func(), err error) {
	if release, err = db.takeTurnUnchecked(ctx); err != nil {
		return nil, err
	}
	if err := db.ensureFiles(ctx); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

func (db *DB) takeTurnUnchecked(ctx context.Context) (release func(), err error) {
	if db.writes == nil {
		return nil, db.Refusal()
	}
	select {
	case db.writes.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	release = func() { <-db.writes.turn }
	if db.writes.closed {
		release()
		return nil, core.E(core.Unavailable, "the library is closed")
	}
	return release, nil
}

func (db *DB) transact(ctx context.Context, f func(t *tx) error) error {
	w := db.writes
	if err := ctx.Err(); err != nil {
		return err
	}
	// From here the ends do not heed ctx: a transaction must not stay open.
	lasting := context.WithoutCancel(ctx)
	if err := w.run(lasting, `BEGIN IMMEDIATE`); err != nil {
		return explain(err, db.path)
	}
	committed := false
	defer func() {
		if !committed { // also where f panics. A disk that is full has undone it already
			w.run(lasting, `ROLLBACK`) //nolint:errcheck // the first error says what is wrong
		}
	}()
	t := &tx{prepare: w.prepare, direct: w.conn, codec: db.codec, ledger: ledger{}}
	if err := f(t); err != nil {
		return explain(err, db.path)
	}
	if err := t.settleLedger(lasting); err != nil {
		return explain(err, db.path)
	}
	if err := w.run(lasting, `COMMIT`); err != nil {
		return explain(err, db.path)
	}
	committed = true
	if !db.files.hasLog() {
		return core.E(core.Unavailable, "save to the library %s: its write-ahead log was removed meanwhile", db.path).
			WithHint("try again; what was saved before is kept")
	}
	select {
	case db.written <- struct{}{}:
	default: // who listens has not looked since
	}
	return nil
}

func (w *writes) run(ctx context.Context, query string) error {
	s, err := w.prepare(ctx, query)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(ctx)
	return err
}
