package conn

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"

	"coppice/backend/sqlite/internal/filelock"
)

// Pragmas are what a connection is opened with; see https://sqlite.org/pragma.html.
type Pragmas []string

// WritePragmas are those of the connection that writes.
func WritePragmas() Pragmas {
	return Pragmas{
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"cache_size(-16384)", "journal_size_limit(67108864)", "wal_autocheckpoint(8000)", "temp_store(MEMORY)",
	}
}

// ReadPragmas are those of the connections that read.
func ReadPragmas() Pragmas {
	return Pragmas{"busy_timeout(5000)", "query_only(1)", "cache_size(-8192)", "temp_store(MEMORY)"}
}

// persistent opens connections that leave the write-ahead log alone when they are closed. SQLite's last connection
// removes it otherwise, and which one is the last depends on locks alone; see Close.
type persistent struct{ driver.Connector }

// Connect opens a connection.
func (p persistent) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := PersistLog(conn, 1); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// PersistLog makes a connection of the driver keep the write-ahead log when it is closed (1), or remove it (0).
func PersistLog(conn any, mode int) error {
	control, ok := conn.(sqlite.FileControl)
	if !ok {
		return fmt.Errorf("keep the write-ahead log: %T has no file control", conn)
	}
	_, err := control.FileControlPersistWAL("main", mode)
	return err
}

// useLocks chooses how SQLite locks files. It must be called before the first one is opened.
func useLocks() {
	if err := filelock.Use(); err != nil {
		slog.Warn("locking the library", slog.Any("error", err)) // POSIX locks do as well until something else opens the file
	}
}

// openPool makes a pool without a connection.
func openPool(path string, params url.Values) (*sqlx.DB, error) {
	useLocks()
	connector, err := sqlite.NewConnector(DataSource(path, params))
	if err != nil {
		return nil, err
	}
	return sqlx.NewDb(sql.OpenDB(persistent{connector}), "sqlite"), nil
}

// Connect opens a pool and one connection of it.
func Connect(ctx context.Context, path string, p Pragmas) (*sqlx.DB, error) {
	return ConnectBy(ctx, path, url.Values{"_pragma": p})
}

// ConnectReadOnly opens a file that may lie where nothing can be written. There SQLite reads it only
// as one that nobody changes, which is safe if no write-ahead log waits beside it.
func ConnectReadOnly(ctx context.Context, path string) (*sqlx.DB, error) {
	params := url.Values{"_pragma": ReadPragmas(), "mode": {"ro"}}
	db, err := ConnectBy(ctx, path, params)
	if err == nil || !Is(err, codeCantOpen, codeReadOnly, codeIO, codeFull) || logWaits(path) {
		return db, err
	}
	params.Set("immutable", "1")
	return ConnectBy(ctx, path, params)
}

// ConnectBy opens a pool of connections with these parameters of the driver, and reads the file once.
func ConnectBy(ctx context.Context, path string, params url.Values) (*sqlx.DB, error) {
	db, err := openPool(path, params)
	if err != nil {
		return nil, err
	}
	var n int64 // only a query reads the file
	if err := db.GetContext(ctx, &n, `SELECT count(*) FROM sqlite_schema`); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func logWaits(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// DataSource returns the URI of a file, in which a path may hold any character. One that was unlocked is opened by the VFS that decrypts it.
func DataSource(path string, params url.Values) string {
	params = withVFS(path, params)
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/… on Windows
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: params.Encode()}
	return u.String()
}
