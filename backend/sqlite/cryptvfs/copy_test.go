package cryptvfs_test

import (
	"bytes"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/backend/sqlite/cryptvfs"
)

const contentsOf = `SELECT group_concat(id || ':' || text, '|') FROM (SELECT * FROM a ORDER BY id)`

func fill(t testing.TB, db *sql.DB) (want string) {
	t.Helper()
	exec(t, db, `CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
	for i := range 50 {
		exec(t, db, `INSERT INTO a VALUES (?, ?)`, i*3, words+strings.Repeat("x", i*100))
	}
	return get[string](t, db, contentsOf)
}

// TestCopy copies a database from plain to encrypted, to another key, and back.
func TestCopy(t *testing.T) {
	if err := cryptvfs.Register(); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	plain := filepath.Join(folder, "it's plain?.db")
	first, err := sql.Open("sqlite", "file:"+strings.ReplaceAll(plain, "?", "%3F")+"")
	if err != nil {
		t.Fatal(err)
	}
	first.SetMaxOpenConns(1)
	exec(t, first, `PRAGMA page_size = 8192; PRAGMA auto_vacuum = incremental; PRAGMA journal_mode = wal`)
	want := fill(t, first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	layout, err := cryptvfs.LayoutOf(plain)
	if err != nil || layout.PageSize != 8192 || !layout.Incremental {
		t.Fatalf("layout %+v, %v", layout, err)
	}
	private := t.TempDir()
	one, two := filepath.Join(private, "it's one?.db"), filepath.Join(private, "two.db")
	for _, path := range []string{one, two} {
		key := cryptvfs.NewKey()
		if err := errors.Join(cryptvfs.Create(path, key, layout), cryptvfs.Unlock(path, key)); err != nil {
			t.Fatal(err)
		}
	}
	again := filepath.Join(folder, "again.db")
	for _, step := range [][2]string{{plain, one}, {one, two}, {two, again}} {
		if err := cryptvfs.Copy(t.Context(), step[0], step[1]); err != nil {
			t.Fatal(step, err)
		}
	}
	noPlaintext(t, private)
	for _, path := range []string{one, two} {
		db := open(t, strings.ReplaceAll(path, "?", "%3F"), "")
		if got := get[string](t, db, contentsOf); got != want {
			t.Errorf("%s has other contents", path)
		}
		if check := get[string](t, db, `PRAGMA integrity_check`); check != "ok" {
			t.Error(check)
		}
	}
	db, err := sql.Open("sqlite", "file:"+again)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := get[string](t, db, contentsOf); got != want {
		t.Error("the plain copy has other contents")
	}
	if n := get[int](t, db, `PRAGMA auto_vacuum`); n != 2 {
		t.Errorf("auto_vacuum %d", n)
	}
}

// TestPages reads the pages of a database and of its log without SQLite.
func TestPages(t *testing.T) {
	path, _ := create(t)
	db := open(t, path, "&_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	fill(t, db)
	log, err := cryptvfs.OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	found, page := 0, make([]byte, pageSize)
	for f := range log.Frames() {
		if _, err := log.ReadAt(page, f.At); err != nil {
			t.Fatal(err)
		}
		found += bytes.Count(page, []byte(words))
	}
	if found < 50 {
		t.Errorf("%d rows in the log", found)
	}
	exec(t, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
	for range log.Frames() {
		t.Fatal("the log was emptied")
	}
	pages, err := cryptvfs.OpenPages(path)
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	size, err := pages.Size()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]byte, size)
	if _, err := pages.ReadAt(all, 0); err != nil || !bytes.HasPrefix(all, []byte("SQLite format 3")) || bytes.Count(all, []byte(words)) < 50 {
		t.Errorf("%d rows in the pages, %v", bytes.Count(all, []byte(words)), err)
	}
}

func TestVerify(t *testing.T) {
	path, _ := create(t)
	db := open(t, path, "&_pragma=journal_mode(wal)")
	fill(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := func() (pages []int64) {
		for page, err := range cryptvfs.Verify(path) {
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, page)
		}
		return pages
	}
	if pages := damaged(); pages != nil {
		t.Errorf("a sound database has the damaged pages %v", pages)
	}
	data := contents(t, path)
	data[cryptvfs.PageAt(path, 3)+7] ^= 1
	data[cryptvfs.PageAt(path, 5)+pageSize-1] ^= 1
	save(t, path, data)
	if pages := damaged(); !slices.Equal(pages, []int64{3, 5}) {
		t.Errorf("the damaged pages are %v", pages)
	}
}

// TestSlots changes the slots many times, and cuts a change off at any byte: the header has the former or the new slots.
func TestSlots(t *testing.T) {
	path, key := create(t)
	for i := range 5 {
		want := strings.Repeat("s", i*300)
		if err := cryptvfs.SetSlots(path, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := cryptvfs.Slots(path); err != nil || string(got) != want {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	if err := cryptvfs.SetSlots(path, make([]byte, cryptvfs.MaxSlots+1)); err == nil {
		t.Error("too many bytes were stored")
	}
	before := contents(t, path)
	if err := cryptvfs.SetSlots(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	after := contents(t, path)
	if bytes.Contains(after, []byte("ssss")) {
		t.Error("the former slots are still in the file")
	}
	const areas, size = 512, (cryptvfs.HeaderSize - 512) / 2
	written := areas
	if !bytes.Contains(after[areas:areas+size], []byte("new")) {
		written += size
	}
	between := append(append(bytes.Clone(before[:written]), after[written:written+size]...), before[written+size:]...)
	for _, step := range [][2][]byte{{before, between}, {between, after}} {
		for i := areas; i <= cryptvfs.HeaderSize; i++ {
			save(t, path, append(bytes.Clone(step[1][:i]), step[0][i:]...))
			if got, err := cryptvfs.Slots(path); err != nil || string(got) != "new" && len(got) != 1200 {
				t.Fatalf("cut off at %d: %d bytes, %v", i, len(got), err)
			}
		}
	}
	if err := cryptvfs.Unlock(path, key); err != nil {
		t.Fatal(err)
	}
}

// TestCreateLike creates a database with the key of another one. A page of one is not a page of the other.
func TestCreateLike(t *testing.T) {
	path, _ := create(t)
	other := filepath.Join(t.TempDir(), "other.db")
	if err := cryptvfs.CreateLike(other, path); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, other} {
		db := open(t, p, "")
		fill(t, db)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if same, err := cryptvfs.SameKey(other, path); err != nil || !same {
		t.Errorf("the same key: %v, %v", same, err)
	}
	foreign, data := contents(t, path), contents(t, other)
	at := cryptvfs.PageAt(path, 5)
	copy(data[at:], foreign[at:][:pageSize])
	save(t, other, data)
	db := open(t, other, "")
	if _, err := db.ExecContext(t.Context(), `SELECT sum(length(text)) FROM a`); err == nil {
		var n int
		if err := db.QueryRowContext(t.Context(), `SELECT sum(length(text)) FROM a`).Scan(&n); err == nil {
			t.Error("a page of another database was read")
		}
	}
	cryptvfs.Lock(path)
	if cryptvfs.IsUnlocked(other) {
		t.Error("the other database is still unlocked")
	}
	if err := cryptvfs.UnlockKnown(other); !errors.Is(err, cryptvfs.ErrKey) {
		t.Errorf("unlocked with a key that was forgotten: %v", err)
	}
}
