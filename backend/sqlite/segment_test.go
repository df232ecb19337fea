package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/sqlite/internal/fts"
	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/store"
)

// A segment has the bytes that FTS5 would write for the same words, wherever leaves end, and FTS5 can change it: messages are
// deleted, segments merged.
func TestSegmentsAreWhatFTS5Makes(t *testing.T) {
	ours, theirs := openTest(t), openTest(t)
	rapid.Check(t, func(rt *rapid.T) {
		check(t, ours.RebuildIndex(t.Context()))
		check(t, theirs.RebuildIndex(t.Context()))
		id, ids := int64(0), []int64{}
		for range rapid.IntRange(1, 12).Draw(rt, "segments") {
			words := fts.NewPostings(0)
			numbers, texts := []int64{}, []string{}
			for range rapid.SampledFrom([]int{1, 1, 5, 60}).Draw(rt, "messages") {
				id += rapid.SampledFrom([]int64{1, 2, 200, 1 << 33}).Draw(rt, "gap")
				text := someWords(rt, int(id%97))
				for word := range strings.FieldsSeq(text) {
					words.Add([]byte(word))
				}
				words.End()
				left := rapid.IntRange(0, 20).Draw(rt, "left out") == 0
				if left {
					numbers = append(numbers, 0)
					continue
				}
				numbers, ids = append(numbers, id), append(ids, id)
				texts = append(texts, text)
			}
			check(t, ours.library.Write(t.Context(), func(w *store.Txn) error { return search.IndexWords(t.Context(), w.Tx, words, numbers) }))
			check(t, theirs.library.Write(t.Context(), func(w *store.Txn) error {
				for i, number := range slices.DeleteFunc(numbers, func(n int64) bool { return n == 0 }) {
					if _, err := w.Exec(t.Context(), `INSERT INTO search_index (rowid, text) VALUES (?, ?)`, number, texts[i]); err != nil {
						return err
					}
				}
				return nil
			}))
			if len(ids) > 0 && rapid.Bool().Draw(rt, "delete") {
				gone := rapid.SampledFrom(ids).Draw(rt, "which")
				for _, db := range []*DB{ours, theirs} {
					check(t, db.library.Write(t.Context(), func(w *store.Txn) error {
						_, err := w.Exec(t.Context(), `DELETE FROM search_index WHERE rowid = ?`, gone)
						return err
					}))
				}
			}
		}
		for _, q := range []string{
			`SELECT coalesce(group_concat(rowid), '') FROM (SELECT rowid FROM search_index WHERE search_index MATCH 'often' ORDER BY rowid)`,
			`SELECT coalesce(group_concat(rowid), '') FROM (SELECT rowid FROM search_index WHERE search_index MATCH 'often' ORDER BY rowid DESC)`,
			`SELECT coalesce(group_concat(rowid), '') FROM (SELECT rowid FROM search_index WHERE search_index MATCH '"often seldom"' ORDER BY rowid DESC LIMIT 5)`,
			`SELECT coalesce(group_concat(rowid), '') FROM (SELECT rowid FROM search_index WHERE search_index MATCH 'w1* NOT often')`,
			`SELECT hex(block) FROM search_index_data WHERE id = 1`,
			`SELECT coalesce(group_concat(hex(sz)), '') FROM (SELECT sz FROM search_index_docsize ORDER BY id)`,
		} {
			if got, want := answer(t, ours, q), answer(t, theirs, q); got != want {
				rt.Fatalf("%s:\ngot  %.300s\nwant %.300s", q, got, want)
			}
		}
		for range 2 {
			answer(t, ours, `SELECT count(*) FROM search_index WHERE search_index MATCH 'often'`) // only a search makes FTS5 see what others have written
			if got := answer(t, ours, `PRAGMA integrity_check(search_index)`); got != "ok" {
				rt.Fatal(got)
			}
			check(t, ours.library.Write(t.Context(), func(w *store.Txn) error {
				_, err := w.Exec(t.Context(), `INSERT INTO search_index (search_index) VALUES ('optimize')`)
				return err
			}))
		}
		if got, want := terms(t, ours), terms(t, theirs); !slices.Equal(got, want) {
			rt.Fatalf("%d words in messages, want %d", len(got), len(want))
		}
	})
}

// someWords is a text of many words or few, some of them everywhere, some seldom.
func someWords(t *rapid.T, seed int) string {
	n := rapid.SampledFrom([]int{0, 1, 3, 3, 3, 40, 40, 9000}).Draw(t, "words")
	if n == 9000 && seed%11 > 0 {
		n = 5
	}
	words := make([]string, n)
	for i := range words {
		switch {
		case (i+seed)%3 == 0:
			words[i] = "often"
		case (i+seed)%17 == 1:
			words[i] = "seldom"
		default:
			words[i] = fmt.Sprintf("w%d", (i*7919+seed*31)%4001)
		}
	}
	return strings.Join(words, " ")
}

func answer(t *testing.T, db *DB, query string) string {
	t.Helper()
	var lines []string
	check(t, db.library.Read(t.Context(), func(r *store.Txn) error { return r.All(t.Context(), &lines, query) }))
	return strings.Join(lines, " ")
}

// The rows of package fts were verified with the SQLite of this build. If this fails after an update of SQLite, run the
// tests of this package with the new version, then add it to fts.Verified.
func TestSQLiteIsVerified(t *testing.T) {
	if version := answer(t, openTest(t), `SELECT sqlite_version()`); !fts.Verified(version) {
		t.Errorf("the pages of the index were not verified with SQLite %s", version)
	}
	if fts.Verified("3.53.40") || fts.Verified("") {
		t.Error("an unknown version of SQLite counts as verified")
	}
}

// An index whose list of segments is in another format gets its words by INSERT, and finds the same.
func TestIndexOfAnotherFormatGetsInserts(t *testing.T) {
	db := openTest(t)
	merged(t, db, incoming("one", chain(30)...))
	wantIndexed(t, db)
	want := terms(t, db)
	check(t, db.RebuildIndex(t.Context()))
	check(t, db.library.Write(t.Context(), func(w *store.Txn) error {
		for _, statement := range []string{
			`DROP TABLE search_index`, `CREATE VIRTUAL TABLE search_index USING fts5 (text, content = '', tokenize = 'ascii')`,
		} {
			if _, err := w.Exec(t.Context(), statement); err != nil {
				return err
			}
		}
		if _, known, err := search.ReadIndex(t.Context(), w.Tx); known || err != nil {
			t.Errorf("the format is known: %t, %v", known, err)
		}
		return nil
	}))
	check(t, db.Index(t.Context(), nil))
	if got := terms(t, db); !slices.Equal(got, want) {
		t.Errorf("%d words in messages, want %d", len(got), len(want))
	}
	if got := answer(t, db, `PRAGMA integrity_check(search_index)`); got != "ok" {
		t.Error(got)
	}
}

// BenchmarkIndexWords compares the two ways in which words get into the index: docs/decisions/0004-full-text-pages.md.
func BenchmarkIndexWords(b *testing.B) {
	words, ids := fts.NewPostings(0), make([]int64, 1000)
	for i := range ids {
		for j := range 300 {
			words.Add(fmt.Appendf(nil, "w%d", (i*7919+j*j*31)%20011))
		}
		words.End()
	}
	for name, add := range map[string]func(*store.Txn) error{
		"segment": func(w *store.Txn) error { return search.IndexWords(b.Context(), w.Tx, words, ids) },
		"insert":  func(w *store.Txn) error { return search.InsertWords(b.Context(), w.Tx, words, ids) },
	} {
		b.Run(name, func(b *testing.B) {
			db := openTest(b)
			for next := int64(1); b.Loop(); next += int64(len(ids)) {
				for i := range ids {
					ids[i] = next + int64(i)
				}
				check(b, db.library.WriteBulk(b.Context(), add))
			}
		})
	}
}
