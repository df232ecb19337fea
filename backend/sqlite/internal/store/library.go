// Package store is an open library with its transactions, which the services share.
package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
)

// Txn is a transaction with what the rows of messages need.
type Txn struct {
	*conn.Tx
	Codec  *packing.Codec
	Ledger activity.Ledger // nil in a transaction that only reads
	packs  packs
}

// Options are the ways to open a library.
type Options struct {
	ReadOnly bool         // writes and migrates nothing; the file must exist
	Fallback bool         // opens a library that cannot be written, such as on a full disk, read-only: see Library.Refusal
	Now      func() int64 // returns Unix milliseconds; nil: the clock
	Prices   core.Pricer  // estimates the cost of calls whose cost is unknown; nil: none is estimated
}

// Library is an open file with what every service needs.
type Library struct {
	File  *conn.File
	Now   func() int64 // Unix milliseconds
	Codec *packing.Codec
}

// Read runs f on one state of the library, whatever is written meanwhile.
func (l *Library) Read(ctx context.Context, f func(t *Txn) error) error {
	return l.File.Read(ctx, func(t *conn.Tx) error { return f(&Txn{Tx: t, Codec: l.Codec}) })
}

// Write runs f in a durable transaction. An error of f undoes it.
func (l *Library) Write(ctx context.Context, f func(t *Txn) error) error {
	return l.File.Write(ctx, l.settling(ctx, f))
}

// WriteBulk is write for work that can be repeated, and for what gives other work precedence: its end does not wait for
// the disk. After a power cut the file is sound, but the transaction may be missing.
func (l *Library) WriteBulk(ctx context.Context, f func(t *Txn) error) error {
	return l.File.WriteBulk(ctx, l.settling(ctx, f))
}

// settling returns f followed by the settlement of the ledger.
func (l *Library) settling(ctx context.Context, f func(t *Txn) error) func(t *conn.Tx) error {
	return func(in *conn.Tx) error {
		t := &Txn{Tx: in, Codec: l.Codec, Ledger: activity.Ledger{}}
		if err := f(t); err != nil {
			return err
		}
		return t.Ledger.Settle(context.WithoutCancel(ctx), in)
	}
}

// Written returns a channel that receives after this DB has written.
func (l *Library) Written() <-chan struct{} { return l.File.Written() }

// FilePath returns the file's absolute path.
func (l *Library) FilePath() string { return l.File.Path() }

// Refusal returns why nothing can be written to the library; nil if it can be written.
func (l *Library) Refusal() error { return l.File.Refusal() }

// GiveBack shortens the file by its free pages.
func (l *Library) GiveBack(ctx context.Context) error {
	return l.File.Exclusive(ctx, func(c *sqlx.Conn) (err error) {
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

// Close waits for the writer and closes the file.
func (l *Library) Close() error {
	return conn.Fail(l.File.Close(), "close the library %s", l.FilePath())
}
