package cryptvfs_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/sqlite/cryptvfs"
)

// twoVersions makes a database, changes some of its pages, and returns the file before and after.
func twoVersions(t *testing.T) (path string, old, now []byte) {
	t.Helper()
	path, _ = create(t)
	db := open(t, path, "&_pragma=journal_mode(wal)")
	exec(t, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
	exec(t, db, `BEGIN`)
	for i := range 300 {
		exec(t, db, `INSERT INTO a VALUES (?, ?)`, i, strings.Repeat("x", 3000))
	}
	exec(t, db, `COMMIT`)
	exec(t, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
	old = contents(t, path)
	exec(t, db, `UPDATE a SET text = 'now' || text WHERE id IN (10, 290)`)
	exec(t, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
	now = contents(t, path)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path, old, now
}

// readAll reads every page of a database. The error is what SQLite or Verify reports.
func readAll(t *testing.T, path string) error {
	t.Helper()
	db := open(t, path, "")
	defer db.Close()
	var check string
	if err := db.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&check); err != nil {
		return err
	}
	var n int
	if err := db.QueryRowContext(t.Context(), `SELECT sum(length(text)) FROM a`).Scan(&n); err != nil {
		return err
	}
	if check != "ok" {
		return fmt.Errorf("integrity_check: %s", check)
	}
	return nil
}

// changedBlocks returns where two versions of a file differ, in blocks.
func changedBlocks(old, now []byte) (all []int) {
	for at := cryptvfs.HeaderSize; at+pageSize <= min(len(old), len(now)); at += pageSize {
		if !bytes.Equal(old[at:at+pageSize], now[at:at+pageSize]) {
			all = append(all, at)
		}
	}
	return all
}

// TestOldPages puts old versions of pages, and of the nodes above them, into a newer database.
func TestOldPages(t *testing.T) {
	path, old, now := twoVersions(t)
	if err := readAll(t, path); err != nil {
		t.Fatal(err)
	}
	if damaged := verified(t, path); damaged != nil {
		t.Fatalf("a sound database has the damaged pages %v", damaged)
	}
	var changed []int64 // pages
	for page := int64(1); cryptvfs.PageAt(path, page) < int64(min(len(old), len(now))); page++ {
		at := cryptvfs.PageAt(path, page)
		if !bytes.Equal(old[at:at+pageSize], now[at:at+pageSize]) {
			changed = append(changed, page)
		}
	}
	if len(changed) < 2 {
		t.Fatalf("only the pages %v were changed", changed)
	}
	put := func(data []byte, at int64) { copy(data[at:at+pageSize], old[at:]) }
	for _, page := range changed {
		nodes := cryptvfs.NodesAt(path, page)
		for levels := range len(nodes) { // all but the root
			data := bytes.Clone(now)
			put(data, cryptvfs.PageAt(path, page))
			for _, node := range nodes[:levels] {
				put(data, node[0])
				put(data, node[1])
			}
			save(t, path, data)
			if err := readAll(t, path); err == nil {
				t.Errorf("page %d with %d nodes above it is old, and was read", page, levels)
			}
			if damaged := verified(t, path); len(damaged) == 0 {
				t.Errorf("page %d with %d nodes above it is old, and was not found", page, levels)
			}
		}
		data := bytes.Clone(now) // each root is the newest one in turn
		put(data, cryptvfs.PageAt(path, page))
		root := nodes[len(nodes)-1]
		for _, slot := range root {
			data := bytes.Clone(data)
			clear(data[slot : slot+pageSize])
			save(t, path, data)
			if err := readAll(t, path); err == nil {
				t.Errorf("page %d and the root are old, and were read", page)
			}
		}
	}
	for _, at := range changedBlocks(old, now) { // a single block, whatever it holds, or all but one
		data := bytes.Clone(now)
		put(data, int64(at))
		save(t, path, data)
		alone := readAll(t, path)
		data = bytes.Clone(old)
		copy(data[at:at+pageSize], now[at:])
		save(t, path, data)
		if others := readAll(t, path); alone == nil && others == nil {
			t.Logf("the block at %d makes no difference: it is no longer, or not yet, in use", at)
		}
	}
	save(t, path, old)
	if err := readAll(t, path); err != nil {
		t.Errorf("the old file as a whole: %v", err)
	}
}

func verified(t *testing.T, path string) (damaged []int64) {
	t.Helper()
	for page, err := range cryptvfs.Verify(path) {
		if err != nil {
			t.Fatal(err)
		}
		damaged = append(damaged, page)
	}
	return damaged
}

// TestOldPagesWhileOpen replaces a page below a connection that has already read the root.
func TestOldPagesWhileOpen(t *testing.T) {
	path, old, now := twoVersions(t)
	db := open(t, path, "&_pragma=cache_size(1)")
	const sum = `SELECT sum(length(text)) FROM a`
	if n := get[int](t, db, sum); n != 300*3000+6 {
		t.Fatalf("%d bytes", n)
	}
	for _, at := range changedBlocks(old, now) {
		data := bytes.Clone(now)
		copy(data[at:at+pageSize], old[at:])
		save(t, path, data)
		var n int
		if err := db.QueryRowContext(t.Context(), sum).Scan(&n); err == nil && n != 300*3000+6 {
			t.Errorf("the old block at %d was read: %d bytes", at, n)
		}
		save(t, path, now)
	}
	if n := get[int](t, db, sum); n != 300*3000+6 {
		t.Fatalf("%d bytes after all", n)
	}
	save(t, path, old)
	var n int
	if err := db.QueryRowContext(t.Context(), sum).Scan(&n); err == nil {
		t.Error("the old file was read by a connection that knows a newer one")
	}
}

// copyOf writes a database and its log elsewhere.
func copyOf(t *testing.T, key cryptvfs.Key, pages, log []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.db")
	save(t, path, pages)
	if log != nil {
		save(t, path+"-wal", log)
	}
	if err := cryptvfs.Unlock(path, key); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOldLog puts an old log beside a newer database, and cuts a log off before what was copied from it.
func TestOldLog(t *testing.T) {
	path, key := create(t)
	const pragmas = "&_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)"
	db := open(t, path, pragmas)
	exec(t, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
	insert := func(from, to int) {
		for i := from; i < to; i++ {
			exec(t, db, `INSERT OR REPLACE INTO a VALUES (?, ?)`, i, strings.Repeat("x", 3000+i))
		}
	}
	insert(0, 20)
	first := contents(t, path+"-wal")
	if err := readAll(t, copyOf(t, key, contents(t, path), first)); err != nil {
		t.Errorf("the first log: %v", err)
	}
	exec(t, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
	insert(5, 15)
	second := contents(t, path+"-wal")
	if err := readAll(t, copyOf(t, key, contents(t, path), first)); err != nil {
		t.Errorf("the first log, which was copied: %v", err)
	}
	if err := readAll(t, copyOf(t, key, contents(t, path), second)); err != nil {
		t.Errorf("the second log: %v", err)
	}

	reader := open(t, path, "") // it holds a version, so that a checkpoint copies the log only to there
	held(t, reader)
	insert(30, 50) // pages that are changed again are not copied
	exec(t, db, `PRAGMA wal_checkpoint(PASSIVE)`)
	pages, whole := contents(t, path), contents(t, path+"-wal")
	if len(whole) <= len(second) {
		t.Fatal("nothing was added to the log")
	}
	if err := readAll(t, copyOf(t, key, pages, whole)); err != nil {
		t.Errorf("a log that was copied in part: %v", err)
	}
	if err := readAll(t, copyOf(t, key, pages, first)); err == nil {
		t.Error("an old log was read")
	}
	const frameSize = 24 + pageSize
	cut := 0
	for n := 1; 32+n*frameSize < len(second); n++ {
		if err := readAll(t, copyOf(t, key, pages, whole[:32+n*frameSize])); err != nil {
			cut++
		}
	}
	if frames := (len(second) - 32) / frameSize; cut != frames-1 && cut != frames {
		t.Errorf("%d of %d logs that lack frames which were copied are errors", cut, frames-1)
	}
	if err := readAll(t, copyOf(t, key, pages, whole[:len(second)])); err != nil {
		t.Errorf("a log that ends with what was copied: %v", err)
	}
	if err := readAll(t, copyOf(t, key, pages, nil)); err != nil {
		t.Errorf("without the log: %v", err)
	}
}

// held begins to read, and keeps the version of the database that it reads.
func held(t *testing.T, db *sql.DB) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT id FROM a`) //nolint:rowserrcheck // nothing else is read
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	t.Cleanup(func() { rows.Close() })
}

// TestOtherVersion opens a file of another version of the format.
func TestOtherVersion(t *testing.T) {
	path, key := create(t)
	data := contents(t, path)
	data[27] = 1
	save(t, path, data)
	if _, err := cryptvfs.IsEncrypted(path); err == nil || !strings.Contains(err.Error(), "format") {
		t.Errorf("IsEncrypted: %v", err)
	}
	if err := cryptvfs.Unlock(path, key); err == nil {
		t.Error("it was unlocked")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
