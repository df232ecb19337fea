package sqlite

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"coppice/backend/sqlite/internal/conn"
)

// tx is a transaction with what the rows of messages need.
type tx struct {
	*conn.Tx
	codec  *codec
	ledger ledger // nil in a transaction that only reads
}

// library is an open file with what every service needs.
type library struct {
	file  *conn.File
	now   func() int64 // Unix milliseconds
	codec *codec

	gathering gathering
	patience  time.Duration // see the constant; tests set less
	indexing  chan struct{} // holds an element while a goroutine indexes
}

// The services share the library, and know each other where a field names one.
type (
	sessionStore  struct{ *library }
	messageStore  struct{ *library }
	treeStore     struct{ *library }
	tendingStore  struct{ *library }
	runStore      struct{ *library }
	searchStore   struct{ *library }
	activityStore struct{ *library }
	maintenance   struct{ *library }
	importStore   struct {
		*library
		search *searchStore
	}
)

// read runs f on one state of the library, whatever is written meanwhile.
func (l *library) read(ctx context.Context, f func(t *tx) error) error {
	return l.file.Read(ctx, func(t *conn.Tx) error { return f(&tx{Tx: t, codec: l.codec}) })
}

// write runs f in a durable transaction. An error of f undoes it.
func (l *library) write(ctx context.Context, f func(t *tx) error) error {
	return l.file.Write(ctx, l.settling(ctx, f))
}

// writeBulk is write for work that can be repeated, and for what gives other work precedence: its end does not wait for
// the disk. After a power cut the file is sound, but the transaction may be missing.
func (l *library) writeBulk(ctx context.Context, f func(t *tx) error) error {
	return l.file.WriteBulk(ctx, l.settling(ctx, f))
}

// settling returns f followed by the settlement of the ledger.
func (l *library) settling(ctx context.Context, f func(t *tx) error) func(t *conn.Tx) error {
	return func(in *conn.Tx) error {
		t := &tx{Tx: in, codec: l.codec, ledger: ledger{}}
		if err := f(t); err != nil {
			return err
		}
		return settleLedger(context.WithoutCancel(ctx), t)
	}
}

// Written returns a channel that receives after this DB has written.
func (l *library) Written() <-chan struct{} { return l.file.Written() }

// FilePath returns the file's absolute path.
func (l *library) FilePath() string { return l.file.Path() }

// Refusal returns why nothing can be written to the library; nil if it can be written.
func (l *library) Refusal() error { return l.file.Refusal() }

// giveBack shortens the file by its free pages.
func (l *library) giveBack(ctx context.Context) error {
	return l.file.Exclusive(ctx, func(c *sqlx.Conn) (err error) {
		rows, err := c.QueryxContext(ctx, `PRAGMA incremental_vacuum`)
		if err != nil {
			return err
		}
		defer conn.CloseRows(rows, &err)
		for rows.Next() { // each step frees a page; the rows are empty
		}
		return nil
	})
}
