package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
)

// TestLeftOpen opens a library that was closed, one that is open, and what a killed process left.
func TestLeftOpen(t *testing.T) {
	t.Parallel()
	path, session, _ := libraryWithBackup(t)
	killed := leftByKill(t, path, session)
	for name, test := range map[string]struct {
		path string
		want bool
	}{"closed": {path, false}, "killed": {killed, true}, "new": {filepath.Join(t.TempDir(), "new.db"), false}} {
		db := must(Open(t.Context(), test.path, Options{}))(t)
		if got := db.LeftOpen(); got != test.want {
			t.Errorf("%s: left open %v, want %v", name, got, test.want)
		}
		merged(t, db, incoming("more", chain(2)...)) // its log is there now
		if other := openAt(t, test.path); other.LeftOpen() {
			t.Errorf("%s: open in another process, and taken for one that was killed", name)
		}
		check(t, db.Close())
	}
}

// damageTable zeroes an interior page of a table, so that the library can still be opened.
func damageTable(t *testing.T, path, table string) {
	t.Helper()
	db := must(Open(t.Context(), path, Options{}))(t)
	for n := range 40 {
		merged(t, db, incoming(fmt.Sprint("filler", n), chain(40)...))
	}
	var pages []int64
	const interior = `SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'internal' ORDER BY pageno`
	if err := readerOf(t, db).Select(&pages, interior, table); err != nil || len(pages) == 0 {
		t.Fatalf("interior pages %v: %v", pages, err)
	}
	check(t, db.Close())
	data := must(os.ReadFile(path))(t)
	clear(data[pagesAt(t, path)[pages[0]-1]:][:testPageSize])
	check(t, os.WriteFile(path, data, 0o600))
}

// TestQuickCheck checks a sound library and one with a damaged interior page.
func TestQuickCheck(t *testing.T) {
	t.Parallel()
	path, _, _ := libraryWithBackup(t)
	db := must(Open(t.Context(), path, Options{}))(t)
	if found := must(db.QuickCheck(t.Context()))(t); len(found) > 0 {
		t.Errorf("a sound library: %q", found)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := db.QuickCheck(canceled)
	wantCode(t, err, core.Canceled)
	check(t, db.Close())

	damageTable(t, path, "messages")
	damaged := must(Open(t.Context(), path, Options{}))(t)
	found := must(damaged.QuickCheck(t.Context()))(t)
	if len(found) == 0 || !strings.HasPrefix(found[0], "messages: ") {
		t.Errorf("found %q", found)
	}
	damaged.Close() //nolint:errcheck // it is damaged
}
