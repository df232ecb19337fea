// Package foreigndb reads SQLite databases of other tools, even while these are writing to them. It never writes beside
// such a database, not even the files that SQLite itself creates there.
package foreigndb

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vfs"

	"coppice/backend/core"
)

// magic is the beginning of every SQLite database, https://sqlite.org/fileformat.html#the_database_header.
const magic = "SQLite format 3\x00"

// Is reports whether a file that begins with head is a SQLite database.
func Is(head []byte) bool { return strings.HasPrefix(string(head), magic) }

// DB is a snapshot of a database: later writes are not visible. It may be used from several goroutines.
type DB struct {
	pool *sql.DB
	conn *sql.Conn
	tx   *sql.Tx
	files
}

// files is the file system for a copy without an index; the zero value is the operating system's.
type files struct {
	vfs    *vfs.FS
	merged *merged
}

// Open opens a database together with the write-ahead log beside it.
func Open(ctx context.Context, path string) (*DB, error) {
	d := &DB{}
	source, err := d.source(path)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if d.pool, err = sql.Open("sqlite", source); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.pool.SetMaxOpenConns(1)
	if err := d.begin(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	var tables int64 // only a query starts the read transaction
	if err := d.tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// limitLength is SQLITE_LIMIT_LENGTH, https://sqlite.org/c3ref/c_limit_attached.html.
const limitLength = 0

// begin starts the transaction on a connection that creates no value larger than what is read: a few words of SQL in a
// schema can produce gigabytes.
func (d *DB) begin(ctx context.Context) (err error) {
	if d.conn, err = d.pool.Conn(ctx); err != nil {
		return err
	}
	if _, err = sqlite.Limit(d.conn, limitLength, 2*core.MaxValueBytes); err != nil {
		return err
	}
	d.tx, err = d.conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	return err
}

// Close closes the database.
func (d *DB) Close() error {
	var all []error
	if d.tx != nil {
		all = append(all, d.tx.Rollback())
	}
	if d.conn != nil {
		all = append(all, d.conn.Close())
	}
	if d.pool != nil {
		all = append(all, d.pool.Close())
	}
	if d.vfs != nil {
		all = append(all, d.vfs.Close())
	}
	if d.merged != nil {
		all = append(all, d.merged.close())
	}
	return errors.Join(all...)
}

// source decides how to open a database so that nothing is written. If it has a write-ahead log, SQLite would create
// the log and its index if they were missing:
//
//   - an index means that some program has the database open, or had: it is read, and never written;
//   - a log without an index is what a copy leaves that did not take it along: both are read as one file;
//   - without either the file is all there is, and stays as it is until a program opens it.
func (f *files) source(path string) (string, error) {
	if err := checkBeside(path); err != nil {
		return "", err
	}
	logged, err := isLogged(path)
	if err != nil {
		return "", err
	}
	params := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(2000)", "query_only(1)", "trusted_schema(0)", "temp_store(MEMORY)"}}
	switch {
	case !logged:
	case size(path+"-shm") >= 0:
		params.Set("readonly_shm", "1")
	case size(path+"-wal") > 0:
		if f.merged, err = merge(path); err != nil {
			return "", err
		}
		var name string
		if name, f.vfs, err = vfs.New(f.merged); err != nil {
			return "", err
		}
		params.Set("vfs", name)
		return "file:" + mergedName + "?" + params.Encode(), nil
	default:
		params.Set("immutable", "1")
	}
	return dataSource(path, params), nil
}

// checkBeside checks the files beside a database that SQLite opens by itself: a named pipe would block it for ever.
func checkBeside(path string) error {
	for _, ending := range []string{"-wal", "-shm", "-journal"} {
		info, err := os.Stat(path + ending)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := core.CheckRegular(path+ending, info); err != nil {
			return err
		}
	}
	return nil
}

// isLogged reports whether a database has a write-ahead log: then its format has number 2.
func isLogged(path string) (bool, error) {
	file, err := core.OpenRegular(path)
	if err != nil {
		return false, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	head := make([]byte, 20)
	n, err := file.ReadAt(head, 0)
	return n == len(head) && head[19] == 2, ignoreShort(err)
}

func ignoreShort(err error) error {
	var failed *os.PathError
	if errors.As(err, &failed) {
		return err
	}
	return nil
}

// size returns a file's size in bytes; -1 if it does not exist.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// dataSource returns a URI, so that a path may contain any character.
func dataSource(path string, params url.Values) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/… on Windows
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: params.Encode()}
	return u.String()
}

// Columns returns the names of a table's stored columns; none if there is no such table. Views, virtual tables and
// generated columns are excluded: reading them runs expressions from the file.
func (d *DB) Columns(ctx context.Context, table string) (map[string]bool, error) {
	columns := map[string]bool{}
	for row, err := range d.Query(ctx, `SELECT c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND t.sql LIKE 'CREATE TABLE%' AND t.name = ?`, table) {
		if err != nil {
			return nil, err
		}
		columns[row.Text("name")] = true
	}
	return columns, nil
}

// Query yields the rows of a query.
func (d *DB) Query(ctx context.Context, query string, args ...any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		rows, err := d.tx.QueryContext(ctx, query, args...)
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer rows.Close() //nolint:errcheck // Err reports it
		names, err := rows.Columns()
		if err != nil {
			yield(Row{}, err)
			return
		}
		row := Row{names: names, values: make([]any, len(names))}
		into := make([]any, len(names))
		for i := range row.values {
			into[i] = &row.values[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				yield(Row{}, err)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Row{}, err)
		}
	}
}
