package sqlite

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite" // the driver

	"coppice/backend/sqlite/internal/filelock"
)

// pragmas are what a connection is opened with; see https://sqlite.org/pragma.html.
type pragmas []string

func writePragmas() pragmas {
	return pragmas{
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"cache_size(-16384)", "journal_size_limit(67108864)", "wal_autocheckpoint(8000)", "temp_store(MEMORY)",
	}
}

func readPragmas() pragmas {
	return pragmas{"busy_timeout(5000)", "query_only(1)", "cache_size(-8192)", "temp_store(MEMORY)"}
}

// connect opens a pool and one connection of it.
func connect(ctx context.Context, path string, p pragmas) (*sqlx.DB, error) {
	return connectBy(ctx, path, url.Values{"_pragma": p})
}

// connectReadOnly opens a file that may lie where nothing can be written. There SQLite reads it only
// as one that nobody changes, which is safe if no write-ahead log waits beside it.
func connectReadOnly(ctx context.Context, path string) (*sqlx.DB, error) {
	params := url.Values{"_pragma": readPragmas(), "mode": {"ro"}}
	db, err := connectBy(ctx, path, params)
	if err == nil || !errorIs(err, codeCantOpen, codeReadOnly, codeIO, codeFull) || logWaits(path) {
		return db, err
	}
	params.Set("immutable", "1")
	return connectBy(ctx, path, params)
}

func connectBy(ctx context.Context, path string, params url.Values) (*sqlx.DB, error) {
	if err := filelock.Use(); err != nil {
		slog.Warn("locking the library", slog.Any("error", err)) // POSIX locks do as well until something else opens the file
	}
	db, err := sqlx.Open("sqlite", dataSource(path, params))
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

// dataSource makes a URI, so that a path may hold any character.
func dataSource(path string, params url.Values) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/… on Windows
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: params.Encode()}
	return u.String()
}
