package cryptvfs

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Copy copies a database to another file by VACUUM INTO. Each of the two may be one of this package, which must be unlocked, or a plain one.
// The copy must not exist, or must have been created and have no contents; an encrypted one must have the page size of the original. Others
// may use the original meanwhile.
func Copy(ctx context.Context, original, copied string) error {
	if err := Register(); err != nil {
		return err
	}
	tls := libc.NewTLS()
	defer tls.Close()
	db, err := openDatabase(tls, original)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		other := libc.NewTLS()
		defer other.Close()
		sqlite3.Xsqlite3_interrupt(other, db)
	})
	err = copyTo(tls, db, copied)
	if !stop() { // the interruption needs the database
		<-done
		err = errors.Join(ctx.Err(), err)
	}
	if code := sqlite3.Xsqlite3_close(tls, db); code != sqlite3.SQLITE_OK && err == nil {
		err = fmt.Errorf("close %s: SQLite's code %d", original, code)
	}
	return err
}

func copyTo(tls *libc.TLS, db uintptr, copied string) error {
	name := vfsOf(copied)
	if name == Name { // pages of a plain database have no room for tag and nonce
		if err := reserve(tls, db); err != nil {
			return err
		}
	}
	u := url.URL{Scheme: "file", Path: uriPath(copied), RawQuery: url.Values{"vfs": {name}}.Encode()}
	if err := execute(tls, db, `PRAGMA temp_store = MEMORY; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -16384`); err != nil {
		return err
	}
	return execute(tls, db, `VACUUM INTO '`+strings.ReplaceAll(u.String(), `'`, `''`)+`'`)
}

// openDatabase opens a database to read it.
func openDatabase(tls *libc.TLS, path string) (db uintptr, err error) {
	texts, err := cStrings(path, vfsOf(path))
	if err != nil {
		return 0, err
	}
	defer texts.free(tls)
	out := tls.Alloc(8)
	defer tls.Free(8)
	code := sqlite3.Xsqlite3_open_v2(tls, texts[0], out, sqlite3.SQLITE_OPEN_READONLY|sqlite3.SQLITE_OPEN_URI, texts[1])
	db = *at[uintptr](out)
	if code != sqlite3.SQLITE_OK {
		err := failure(tls, db, "open "+path)
		sqlite3.Xsqlite3_close(tls, db)
		return 0, err
	}
	return db, nil
}

// reserve makes SQLite leave room in the pages of a copy.
func reserve(tls *libc.TLS, db uintptr) error {
	texts, err := cStrings("main")
	if err != nil {
		return err
	}
	defer texts.free(tls)
	n := tls.Alloc(8)
	defer tls.Free(8)
	*at[int32](n) = Reserve
	if code := sqlite3.Xsqlite3_file_control(tls, db, texts[0], sqlite3.SQLITE_FCNTL_RESERVE_BYTES, n); code != sqlite3.SQLITE_OK {
		return failure(tls, db, "reserve bytes")
	}
	return nil
}

func execute(tls *libc.TLS, db uintptr, statement string) error {
	texts, err := cStrings(statement)
	if err != nil {
		return err
	}
	defer texts.free(tls)
	if code := sqlite3.Xsqlite3_exec(tls, db, texts[0], 0, 0, 0); code != sqlite3.SQLITE_OK {
		return failure(tls, db, "copy")
	}
	return nil
}

// Error is an error of SQLite.
type Error struct {
	Step    string
	Code    int // extended result code
	Message string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s (%d)", e.Step, e.Message, e.Code) }

func failure(tls *libc.TLS, db uintptr, step string) error {
	return &Error{step, int(sqlite3.Xsqlite3_extended_errcode(tls, db)), libc.GoString(sqlite3.Xsqlite3_errmsg(tls, db))}
}

// vfsOf returns the name of the VFS that opens a file.
func vfsOf(path string) string {
	if IsUnlocked(path) {
		return Name
	}
	return libc.GoString(at[sqlite3.Tsqlite3_vfs](vfs.original).FzName)
}

func uriPath(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/… on Windows
	}
	return path
}

// texts are strings in SQLite's memory.
type texts []uintptr

func cStrings(list ...string) (all texts, err error) {
	for _, text := range list {
		c, err := libc.CString(text)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func (all texts) free(tls *libc.TLS) {
	for _, c := range all {
		libc.Xfree(tls, c)
	}
}

// LayoutOf returns the page size of a database, plain or not, and how it is vacuumed: what an encrypted copy of it is created with.
func LayoutOf(path string) (o Options, err error) {
	if h, err := readHeader(path); err == nil {
		return Options{PageSize: h.pageSize, Incremental: h.incremental}, nil
	}
	file, err := os.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	data := make([]byte, 100)
	if _, err := file.ReadAt(data, 0); err != nil || !isPlain(data) {
		return o, ErrFormat
	}
	h := header{pageSize: int64(data[pageSizeAt])<<8 | int64(data[pageSizeAt+1])}
	if h.pageSize == 1 {
		h.pageSize = 65536
	}
	return Options{PageSize: h.pageSize, Incremental: data[67] != 0}, nil
}
