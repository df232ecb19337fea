package cryptvfs_test

import (
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/backend/sqlite/cryptvfs"
)

// The environment of a process that TestProcesses starts.
const (
	childPath = "CRYPTVFS_TEST_PATH"
	childKey  = "CRYPTVFS_TEST_KEY"
)

const ofProcesses = "&_pragma=busy_timeout(20000)&_pragma=cache_size(20)&_pragma=wal_autocheckpoint(20)&_txlock=immediate"

// TestChild changes a database until it is killed. Each transaction leaves the sum of all rows as it was.
func TestChild(t *testing.T) {
	path := os.Getenv(childPath)
	if path == "" {
		t.Skip("for TestProcesses")
	}
	if err := cryptvfs.Register(); err != nil {
		t.Fatal(err)
	}
	var key cryptvfs.Key
	if _, err := hex.Decode(key[:], []byte(os.Getenv(childKey))); err != nil {
		t.Fatal(err)
	}
	if err := cryptvfs.Unlock(path, key); err != nil {
		t.Fatal(err)
	}
	db := open(t, path, ofProcesses)
	for i := 0; ; i++ {
		run := func(query string, args ...any) {
			if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
				fmt.Printf("FAILED %s: %v\n", query, err)
				os.Exit(3)
			}
		}
		run(`BEGIN IMMEDIATE`)
		run(`UPDATE a SET n = n + 1, text = ? WHERE id = ?`, strings.Repeat("x", i*97%5000), i*7%100)
		run(`UPDATE a SET n = n - 1 WHERE id = ?`, i*13%100)
		run(`COMMIT`)
		switch {
		case i%50 == 10:
			run(`PRAGMA wal_checkpoint(PASSIVE)`)
		case i%300 == 200:
			run(`PRAGMA incremental_vacuum(5)`)
		}
	}
}

// TestProcesses lets two processes change a database and kills them now and then, while this one reads, verifies and changes it, too. Nobody
// finds anything wrong.
func TestProcesses(t *testing.T) {
	if err := cryptvfs.Register(); err != nil {
		t.Fatal(err)
	}
	path, key := filepath.Join(t.TempDir(), "a.db"), cryptvfs.NewKey()
	if err := cryptvfs.Create(path, key, cryptvfs.Options{PageSize: 1024, Incremental: true}); err != nil {
		t.Fatal(err)
	}
	if err := cryptvfs.Unlock(path, key); err != nil {
		t.Fatal(err)
	}
	db := open(t, path, "&_pragma=journal_mode(wal)"+ofProcesses)

	exec(t, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER, text TEXT)`)
	exec(t, db, `INSERT INTO a WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 99) SELECT i, 0, '' FROM s`)

	for round := range 12 {
		var children []*osexec.Cmd
		outputs := make([]strings.Builder, 2)
		for i := range outputs {
			child := osexec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestChild$") //nolint:gosec // this test
			child.Env = append(os.Environ(), childPath+"="+path, childKey+"="+hex.EncodeToString(key[:]))
			child.Stdout, child.Stderr = &outputs[i], &outputs[i]
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			children = append(children, child)
		}
		reader := open(t, path, ofProcesses)
		for end := time.Now().Add(time.Duration(100+round*40) * time.Millisecond); time.Now().Before(end); {
			for _, db := range []*sql.DB{db, reader} {
				if sum := get[int](t, db, `SELECT sum(n) + sum(length(text)) * 0 FROM a`); sum != 0 {
					t.Fatalf("round %d: the sum is %d", round, sum)
				}
			}
			if damaged := verified(t, path); damaged != nil {
				t.Fatalf("round %d: the damaged pages %v", round, damaged)
			}
		}
		for i, child := range children {
			if err := child.Process.Kill(); err != nil {
				t.Error(err)
			}
			_ = child.Wait() // it was killed
			if strings.Contains(outputs[i].String(), "FAILED") {
				t.Fatalf("round %d: %s", round, outputs[i].String())
			}
			exec(t, db, `UPDATE a SET n = n`)
		}
		if check := get[string](t, reader, `PRAGMA integrity_check`); check != "ok" {
			t.Fatalf("round %d: %s", round, check)
		}
		reader.Close()
	}
}
