package cryptvfs_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkInsert and BenchmarkScan compare an encrypted with a plain database.
func BenchmarkInsert(b *testing.B) {
	both(b, func(b *testing.B, db *sql.DB) {
		text := strings.Repeat("some text ", 200)
		for b.Loop() {
			exec(b, db, `BEGIN`)
			for range 500 {
				exec(b, db, `INSERT INTO a (text) VALUES (?)`, text)
			}
			exec(b, db, `COMMIT`)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	both(b, func(b *testing.B, db *sql.DB) {
		text := strings.Repeat("some text ", 200)
		exec(b, db, `BEGIN`)
		for range 5000 {
			exec(b, db, `INSERT INTO a (text) VALUES (?)`, text)
		}
		exec(b, db, `COMMIT`)
		for b.Loop() {
			if n := get[int](b, db, `SELECT count(*) FROM a WHERE text LIKE '%z%'`); n != 0 {
				b.Fatal(n)
			}
		}
	})
}

func both(b *testing.B, run func(*testing.B, *sql.DB)) {
	const pragmas = "&_pragma=journal_mode(wal)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-2000)"
	for _, encrypted := range []bool{false, true} {
		b.Run(fmt.Sprintf("encrypted=%v", encrypted), func(b *testing.B) {
			var db *sql.DB
			if encrypted {
				path, _ := create(b)
				db = open(b, path, pragmas)
			} else {
				var err error
				if db, err = sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "plain.db")+"?"+pragmas[1:]); err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { db.Close() })
				db.SetMaxOpenConns(1)
			}
			exec(b, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
			run(b, db)
		})
	}
}
