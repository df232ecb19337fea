package conn

import (
	"context"
	"database/sql"
	"strings"

	"github.com/jmoiron/sqlx"
)

// Tx is a transaction. Each query is prepared once per connection or pool and kept, so queries are constants; a query
// that is built at run time goes through Direct.
type Tx struct {
	prepare func(ctx context.Context, query string) (*sqlx.Stmt, error)
	direct  Unprepared
}

// Unprepared executes statements that are not kept.
type Unprepared interface {
	sqlx.QueryerContext
	sqlx.ExecerContext
}

// Get reads one row; sql.ErrNoRows if there is no row.
func (t *Tx) Get(ctx context.Context, dest any, query string, args ...any) error {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return err
	}
	return s.GetContext(ctx, dest, args...)
}

// All reads all rows into a slice.
func (t *Tx) All(ctx context.Context, dest any, query string, args ...any) error {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return err
	}
	return s.SelectContext(ctx, dest, args...)
}

// Rows returns the rows of a query, to be closed by CloseRows.
func (t *Tx) Rows(ctx context.Context, query string, args ...any) (*sqlx.Rows, error) {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryxContext(ctx, args...)
}

// Row returns the row of a query that has exactly one.
func (t *Tx) Row(ctx context.Context, query string, args ...any) (*sqlx.Row, error) {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryRowxContext(ctx, args...), nil
}

// Scan passes each row of a query to each.
func (t *Tx) Scan(ctx context.Context, query string, args []any, each func(*sqlx.Rows) error) (err error) {
	rows, err := t.Rows(ctx, query, args...)
	if err != nil {
		return err
	}
	defer CloseRows(rows, &err)
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return nil
}

// Exec executes a statement.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// Insert stores a row and returns its rowid.
func (t *Tx) Insert(ctx context.Context, query string, args ...any) (int64, error) {
	done, err := t.Exec(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

// rowsAtOnce is the number of rows that one statement of InsertRows stores. More of them save no time, and a statement has
// at most 32,766 values.
const rowsAtOnce = 64

// InsertRows stores rows of width values each; the query ends with VALUES.
func (t *Tx) InsertRows(ctx context.Context, query string, width int, values []any) error {
	row := "(?" + strings.Repeat(", ?", width-1) + ")"
	many := query + row + strings.Repeat(", "+row, rowsAtOnce-1)
	for ; len(values) >= width*rowsAtOnce; values = values[width*rowsAtOnce:] {
		if _, err := t.Exec(ctx, many, values[:width*rowsAtOnce]...); err != nil {
			return err
		}
	}
	for ; len(values) > 0; values = values[width:] {
		if _, err := t.Exec(ctx, query+row, values[:width]...); err != nil {
			return err
		}
	}
	return nil
}

// Direct returns the connection of the transaction, for statements that are not kept.
func (t *Tx) Direct() Unprepared { return t.direct }

// CloseRows closes rows and keeps the first error.
func CloseRows(rows *sqlx.Rows, err *error) {
	if *err == nil {
		*err = rows.Err()
	}
	if closeErr := rows.Close(); *err == nil {
		*err = closeErr
	}
}
