package sqlite

import "coppice/backend/sqlite/internal/conn"
import "context"

// tx is a transaction with what the rows of messages need.
type tx struct {
	*conn.Tx
	codec  *codec
	ledger ledger // nil in a transaction that only reads
}

// read runs f on one state of the library, whatever is written meanwhile.
func (db *DB) read(ctx context.Context, f func(t *tx) error) error {
	return db.file.Read(ctx, func(t *conn.Tx) error { return f(&tx{Tx: t, codec: db.codec}) })
}

// write runs f in a durable transaction. An error of f undoes it.
func (db *DB) write(ctx context.Context, f func(t *tx) error) error {
	return db.file.Write(ctx, db.settling(ctx, f))
}

// writeBulk is write for work that can be repeated, and for what gives other work precedence: its end does not wait for
// the disk. After a power cut the file is sound, but the transaction may be missing.
func (db *DB) writeBulk(ctx context.Context, f func(t *tx) error) error {
	return db.file.WriteBulk(ctx, db.settling(ctx, f))
}

// settling returns f followed by the settlement of the ledger.
func (db *DB) settling(ctx context.Context, f func(t *tx) error) func(t *conn.Tx) error {
	return func(in *conn.Tx) error {
		t := &tx{Tx: in, codec: db.codec, ledger: ledger{}}
		if err := f(t); err != nil {
			return err
		}
		return settleLedger(context.WithoutCancel(ctx), t)
	}
}
