package cryptvfs_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"coppice/backend/sqlite/cryptvfs"
)

const pageSize = 4096

// words occur in what the tests write, and must not occur in any file.
const words = "an unmistakable sentence"

func create(t testing.TB) (path string, key cryptvfs.Key) {
	t.Helper()
	if err := cryptvfs.Register(); err != nil {
		t.Fatal(err)
	}
	path, key = filepath.Join(t.TempDir(), "a.db"), cryptvfs.NewKey()
	if err := cryptvfs.Create(path, key, cryptvfs.Options{PageSize: pageSize, Incremental: true, Slots: []byte("slots")}); err != nil {
		t.Fatal(err)
	}
	if err := cryptvfs.Unlock(path, key); err != nil {
		t.Fatal(err)
	}
	return path, key
}

func open(t testing.TB, path, pragmas string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?vfs="+cryptvfs.Name+pragmas)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	return db
}

func exec(t testing.TB, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatalf("%.60s: %v", query, err)
	}
}

func get[T any](t testing.TB, db *sql.DB, query string, args ...any) (v T) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatalf("%.60s: %v", query, err)
	}
	return v
}

// noPlaintext searches every file of a folder for words of the test.
func noPlaintext(t testing.TB, folder string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name())) //nolint:forbidigo // a file of the test
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{words, "CREATE TABLE", "SQLite format"} {
			if bytes.Contains(data, []byte(word)) {
				t.Errorf("%s contains %q", e.Name(), word)
			}
		}
	}
}

func TestDatabase(t *testing.T) {
	for _, mode := range []string{"wal", "delete", "truncate", "persist"} {
		t.Run(mode, func(t *testing.T) {
			path, _ := create(t)
			db := open(t, path, "&_pragma=journal_mode("+mode+")")
			exec(t, db, `PRAGMA auto_vacuum = incremental`)
			exec(t, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
			for i := range 200 {
				exec(t, db, `INSERT INTO a (text) VALUES (?)`, fmt.Sprint(i, words, strings.Repeat("x", i*30)))
				if i%50 == 0 {
					noPlaintext(t, filepath.Dir(path))
				}
			}
			tx, err := db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.ExecContext(t.Context(), `UPDATE a SET text = 'gone'`); err != nil {
				t.Fatal(err)
			}
			noPlaintext(t, filepath.Dir(path))
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
			exec(t, db, `DELETE FROM a WHERE id % 3 = 0`)
			exec(t, db, `PRAGMA incremental_vacuum`)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			noPlaintext(t, filepath.Dir(path))
			again := open(t, path, "")
			if n := get[int](t, again, `SELECT count(*) FROM a WHERE text LIKE '%unmistakable%'`); n != 134 {
				t.Errorf("%d rows", n)
			}
			if check := get[string](t, again, `PRAGMA integrity_check`); check != "ok" {
				t.Error(check)
			}
			if n := get[int](t, again, `PRAGMA page_size`); n != pageSize {
				t.Errorf("pages of %d bytes", n)
			}
			if n := get[int](t, again, `PRAGMA auto_vacuum`); n != 2 {
				t.Errorf("auto_vacuum %d", n)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	path, key := create(t)
	db := open(t, path, "&_pragma=journal_mode(wal)")
	exec(t, db, `CREATE TABLE a (text TEXT)`)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cryptvfs.Unlock(path, cryptvfs.NewKey()); !errors.Is(err, cryptvfs.ErrKey) {
		t.Errorf("another key: %v", err)
	}
	cryptvfs.Lock(path)
	locked := open(t, path, "")
	var failure *sqlite.Error
	if _, err := locked.ExecContext(t.Context(), `SELECT * FROM a`); !errors.As(err, &failure) || failure.Code() != sqlite3.SQLITE_AUTH {
		t.Errorf("locked: %v", err)
	}
	if err := cryptvfs.Unlock(path, key); err != nil {
		t.Fatal(err)
	}
	exec(t, open(t, path, ""), `SELECT * FROM a`)
	if slots, err := cryptvfs.Slots(path); err != nil || string(slots) != "slots" {
		t.Errorf("slots %q, %v", slots, err)
	}
	if is, err := cryptvfs.IsEncrypted(path); err != nil || !is {
		t.Errorf("encrypted: %v, %v", is, err)
	}
	if is, err := cryptvfs.IsEncrypted(path + "x"); err != nil || is {
		t.Errorf("a missing file is encrypted: %v, %v", is, err)
	}
}

// TestChangedPages changes a closed database in ways that leave its size, and expects that nothing of the changed page is read.
func TestChangedPages(t *testing.T) {
	path, _ := create(t)
	db := open(t, path, "&_pragma=journal_mode(wal)")
	exec(t, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
	for i := range 100 {
		exec(t, db, `INSERT INTO a (text) VALUES (?)`, fmt.Sprint(i, strings.Repeat("x", 3000)))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(path) //nolint:forbidigo // a file of the test
	if err != nil {
		t.Fatal(err)
	}
	page := func(data []byte, n int) []byte {
		return data[cryptvfs.PageAt(path, int64(n)):][:pageSize]
	}
	for name, change := range map[string]func(data []byte) []byte{
		"a bit of a page":   func(data []byte) []byte { page(data, 20)[100] ^= 1; return data },
		"a bit of a tag":    func(data []byte) []byte { page(data, 20)[pageSize-cryptvfs.Reserve] ^= 1; return data },
		"a bit of a nonce":  func(data []byte) []byte { page(data, 20)[pageSize-20] ^= 1; return data },
		"swapped pages":     func(data []byte) []byte { copy(page(data, 20), bytes.Clone(page(data, 21))); return data },
		"a page of zeros":   func(data []byte) []byte { clear(page(data, 20)); return data },
		"a page cut off":    func(data []byte) []byte { return data[:len(data)-pageSize/2] },
		"the first page":    func(data []byte) []byte { page(data, 1)[30] ^= 1; return data },
		"the salt of a key": func(data []byte) []byte { data[32] ^= 1; return data },
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, change(bytes.Clone(sound)), 0o600); err != nil {
				t.Fatal(err)
			}
			changed := open(t, path, "")
			var n int
			err := changed.QueryRowContext(t.Context(), `SELECT sum(length(text)) FROM a`).Scan(&n)
			if err == nil && name != "the salt of a key" {
				t.Errorf("read %d bytes", n)
			}
		})
	}
}

// TestLikeAPlainDatabase does the same random work in an encrypted and in a plain database: transactions that are rolled back, savepoints,
// a cache that is too small for them, and connections that are closed in between.
func TestLikeAPlainDatabase(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a fixed sequence
			path, _ := create(t)
			plain := filepath.Join(t.TempDir(), "plain.db")
			const pragmas = "&_pragma=journal_mode(wal)&_pragma=cache_size(5)&_pragma=wal_autocheckpoint(50)&_pragma=synchronous(OFF)"
			reopen := func() [2]*sql.DB {
				other, err := sql.Open("sqlite", "file:"+plain+"?"+pragmas[1:])
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { other.Close() })
				other.SetMaxOpenConns(1)
				return [2]*sql.DB{open(t, path, pragmas), other}
			}
			both := reopen()
			do := func(query string, args ...any) {
				for _, db := range both {
					exec(t, db, query, args...)
				}
			}
			do(`CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
			do(`CREATE INDEX b ON a (text)`)
			for range 60 {
				do(`BEGIN`)
				for range random.IntN(30) {
					switch id := random.IntN(300); random.IntN(6) {
					case 0:
						do(`DELETE FROM a WHERE id = ?`, id)
					case 1:
						do(`SAVEPOINT s`)
						do(`UPDATE a SET text = text || 'y' WHERE id > ?`, id)
						do(`ROLLBACK TO s`)
					default:
						do(`INSERT OR REPLACE INTO a VALUES (?, ?)`, id, strings.Repeat(fmt.Sprint(random.IntN(1000)), random.IntN(2000)))
					}
				}
				do([]string{`COMMIT`, `COMMIT`, `ROLLBACK`}[random.IntN(3)])
				switch random.IntN(12) {
				case 0:
					do(`VACUUM`)
				case 1:
					both[0].Close()
					both[1].Close()
					both = reopen()
				}
			}
			const sum = `SELECT coalesce(group_concat(id || ':' || text, '|'), '') FROM (SELECT * FROM a ORDER BY id)`
			if get[string](t, both[0], sum) != get[string](t, both[1], sum) {
				t.Error("the databases differ")
			}
			if check := get[string](t, both[0], `PRAGMA integrity_check`); check != "ok" {
				t.Error(check)
			}
		})
	}
}
