package cryptvfs_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/sqlite/cryptvfs"
)

// TestRecovery copies a database with its log as a crash would leave them, whole and cut at random places, and opens the copies. Each has
// the state after some commit, and the whole copy that after the last one.
func TestRecovery(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3)) //nolint:gosec // a fixed sequence
	path, key := create(t)
	db := open(t, path, "&_pragma=journal_mode(wal)&_pragma=cache_size(5)&_pragma=wal_autocheckpoint(0)&_pragma=synchronous(OFF)")
	exec(t, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
	const sum = `SELECT coalesce(sum(id * length(text)), 0) || '/' || count(*) FROM a`
	states := map[string]int{"0/0": 0}
	for i := range 40 {
		exec(t, db, `BEGIN`)
		for range 1 + random.IntN(20) {
			exec(t, db, `INSERT OR REPLACE INTO a VALUES (?, ?)`, random.IntN(200), strings.Repeat("x", random.IntN(4000)))
		}
		if random.IntN(3) == 0 {
			exec(t, db, `ROLLBACK`) // leaves frames behind those of the next transaction
		} else {
			exec(t, db, `COMMIT`)
			states[get[string](t, db, sum)] = i + 1
		}
		if i == 20 {
			exec(t, db, `PRAGMA wal_checkpoint(RESTART)`)
		}
	}
	last := get[string](t, db, sum)
	pages, log := contents(t, path), contents(t, path+"-wal")
	before := 0
	for n := range 30 {
		length := len(log)
		if n > 0 {
			length = random.IntN(len(log))
		}
		name := filepath.Join(t.TempDir(), fmt.Sprint(n, ".db"))
		save(t, name, pages)
		save(t, name+"-wal", log[:length])
		if err := cryptvfs.Unlock(name, key); err != nil {
			t.Fatal(err)
		}
		copied := open(t, name, "")
		if check := get[string](t, copied, `PRAGMA integrity_check`); check != "ok" {
			t.Fatalf("the log cut at %d of %d: %s", length, len(log), check)
		}
		state := get[string](t, copied, sum)
		at, known := states[state]
		if !known || n == 0 && state != last {
			t.Errorf("the log cut at %d of %d: the state %s, the last was %s", length, len(log), state, last)
		}
		before = max(before, at)
	}
	if before == 0 {
		t.Error("no copy had a state after a commit")
	}
}

// TestChangedLog changes a bit of a log that waits for its recovery: what is after it is not read.
func TestChangedLog(t *testing.T) {
	path, key := create(t)
	db := open(t, path, "&_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	exec(t, db, `CREATE TABLE a (id INTEGER PRIMARY KEY)`)
	for i := range 20 {
		exec(t, db, `INSERT INTO a VALUES (?)`, i)
	}
	pages, log := contents(t, path), contents(t, path+"-wal")
	const frameSize = 24 + pageSize
	for at := 32 + 5*frameSize; at < len(log); at += frameSize + 501 {
		name := filepath.Join(t.TempDir(), fmt.Sprint(at, ".db"))
		changed := append([]byte(nil), log...)
		changed[at] ^= 4
		save(t, name, pages)
		save(t, name+"-wal", changed)
		if err := cryptvfs.Unlock(name, key); err != nil {
			t.Fatal(err)
		}
		copied := open(t, name, "")
		frame := (at - 32) / frameSize
		if n := get[int](t, copied, `SELECT count(*) FROM a`); n > frame {
			t.Errorf("frame %d was changed, and %d rows are read", frame, n)
		}
		if check := get[string](t, copied, `PRAGMA integrity_check`); check != "ok" {
			t.Error(check)
		}
	}
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path) //nolint:forbidigo // a file of the test
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func save(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
