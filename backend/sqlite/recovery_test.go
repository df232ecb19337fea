package sqlite

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/recovery"
)

// pageSize is that of a new library.
const testPageSize = 8192

// damage is one way to damage a file. It returns the pages that it has touched, from 1; nil: it does not know.
type damage struct {
	name string
	do   func(data []byte, random *rand.Rand) ([]byte, map[int64]bool)
}

func damages() []damage {
	pages := func(n int, fill func(page []byte, random *rand.Rand)) func([]byte, *rand.Rand) ([]byte, map[int64]bool) {
		return func(data []byte, random *rand.Rand) ([]byte, map[int64]bool) {
			hit := map[int64]bool{}
			for range n {
				page := random.IntN(len(data) / testPageSize)
				hit[int64(page+1)] = true
				fill(data[page*testPageSize:(page+1)*testPageSize], random)
			}
			return data, hit
		}
	}
	first := func(n int) func([]byte, *rand.Rand) ([]byte, map[int64]bool) {
		return func(data []byte, _ *rand.Rand) ([]byte, map[int64]bool) {
			clear(data[:n])
			return data, map[int64]bool{1: true}
		}
	}
	cut := func(percent int) func([]byte, *rand.Rand) ([]byte, map[int64]bool) {
		return func(data []byte, _ *rand.Rand) ([]byte, map[int64]bool) {
			whole := int64(len(data) / testPageSize)
			data = data[:len(data)*percent/100]
			hit := map[int64]bool{}
			for page := int64(len(data)/testPageSize) + 1; page <= whole; page++ {
				hit[page] = true
			}
			return data, hit
		}
	}
	zero := func(page []byte, _ *rand.Rand) { clear(page) }
	garbage := func(page []byte, random *rand.Rand) {
		for i := 0; i+8 <= len(page); i += 8 {
			binary.LittleEndian.PutUint64(page[i:], random.Uint64())
		}
	}
	flip := func(page []byte, random *rand.Rand) { page[random.IntN(len(page))] ^= byte(1 << random.IntN(8)) }
	return []damage{
		{"nothing", func(data []byte, _ *rand.Rand) ([]byte, map[int64]bool) { return data, nil }},
		{"header zeroed", first(100)},
		{"half a header zeroed", first(40)},
		{"first page zeroed", first(testPageSize)},
		{"40 %", cut(40)},
		{"60 %", cut(60)},
		{"90 %", cut(90)},
		{"1 page zeroed", pages(1, zero)},
		{"10 pages zeroed", pages(10, zero)},
		{"40 pages zeroed", pages(40, zero)},
		{"1 page of garbage", pages(1, garbage)},
		{"10 pages of garbage", pages(10, garbage)},
		{"40 pages of garbage", pages(40, garbage)},
		{"1 bit", pages(1, flip)},
		{"30 bits", pages(30, flip)},
		{"1000 bits", pages(1000, flip)},
	}
}

// messagePages returns of each message the pages that hold it and what its text needs, as SQLite says.
func messagePages(tb testing.TB, path string) map[string][]int64 {
	tb.Helper()
	check(tb, conn.Unlock(path))
	db := must(conn.ConnectBy(tb.Context(), path, url.Values{"mode": {"ro"}}))(tb)
	defer db.Close() //nolint:errcheck // it only read
	var cells []struct {
		Page int64
		UID  string
	}
	// Rows stand in the leaves in the order of their ids.
	var leaves []struct{ Pageno, Ncell int64 }
	const ofTable = `SELECT pageno, ncell FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path`
	check(tb, db.Select(&leaves, ofTable, "messages"))
	check(tb, db.Select(&cells, `SELECT 0 AS page, uid FROM messages ORDER BY id`))
	pages, at := map[string][]int64{}, 0
	for _, leaf := range leaves {
		for range leaf.Ncell {
			pages[cells[at].UID] = []int64{leaf.Pageno}
			at++
		}
	}
	if at != len(cells) {
		tb.Fatalf("%d messages in leaves, %d rows", at, len(cells))
	}
	addPackPages(tb, db, pages)
	return pages
}

// addPackPages adds the pages of the packs that messages are in. The path of a page that continues a row begins with that of its leaf and
// the number of the row there.
func addPackPages(tb testing.TB, db *sqlx.DB, pages map[string][]int64) {
	tb.Helper()
	var leaves []struct {
		Pageno, Ncell int64
		Path          string
	}
	check(tb, db.Select(&leaves, `SELECT pageno, ncell, path FROM dbstat WHERE name = 'packs' AND pagetype = 'leaf' ORDER BY path`))
	var ids []int64
	check(tb, db.Select(&ids, `SELECT id FROM packs ORDER BY id`))
	byPack := map[int64][]int64{}
	for _, leaf := range leaves {
		for cell := range leaf.Ncell {
			var more []int64
			check(tb, db.Select(&more, `SELECT pageno FROM dbstat WHERE name = 'packs' AND path LIKE ?`, fmt.Sprintf("%s%03x+%%", leaf.Path, cell)))
			byPack[ids[0]] = append(more, leaf.Pageno)
			ids = ids[1:]
		}
	}
	var packed []struct {
		UID  string
		Body []byte
	}
	check(tb, db.Select(&packed, `SELECT uid, body FROM messages`))
	for _, m := range packed {
		if ref, ok := packing.ParseReference(m.Body); ok {
			pages[m.UID] = append(pages[m.UID], byPack[ref.Pack]...)
		}
	}
}

// TestRecoverSavesWhatIsUndamaged damages a library in many ways: every message of an undamaged page is saved as it was, and nothing is saved
// that is not marked and differs.
func TestRecoverSavesWhatIsUndamaged(t *testing.T) {
	t.Parallel()
	path, texts := realLibrary(t, t.TempDir())
	whole := must(os.ReadFile(path))(t)
	pages, at := messagePages(t, path), pagesAt(t, path)
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			data, hit := d.do(pagesOf(whole, at), rand.New(rand.NewPCG(1, 2))) //nolint:gosec // a test
			data = withPages(whole, at, data)
			damaged := filepath.Join(t.TempDir(), "damaged.db")
			check(t, os.WriteFile(damaged, data, 0o600))
			report, saved := recovered(t, damaged)
			if now := must(os.ReadFile(damaged))(t); !bytes.Equal(now, data) {
				t.Error("the damaged file was changed")
			}
			lost, should := 0, 0
			for uid, text := range texts {
				if touches(pages[uid], hit) || len(text) > testPageSize { // a long text needs other pages
					continue
				}
				should++
				if saved[uid] != text {
					lost++
				}
			}
			if lost > 0 {
				t.Errorf("%d of %d messages on undamaged pages are lost", lost, should)
			}
			differing, marked := int64(0), int64(0)
			for uid, text := range saved {
				if texts[uid] != text {
					differing++
				}
			}
			for _, session := range report.Sessions {
				marked += session.Changed + session.Shortened
			}
			if report.Damages == 0 && differing > marked {
				t.Errorf("%d messages differ, and only %d are reported", differing, marked)
			}
			t.Logf("saved %d of %d messages (%d on undamaged pages), %d sessions of 40 whole, %d damages, %d rows unplaced",
				report.Messages, len(texts), should, report.Whole, report.Damages, report.Unplaced)
		})
	}
}

func touches(pages []int64, hit map[int64]bool) bool {
	for _, page := range pages {
		if hit[page] {
			return true
		}
	}
	return false
}

// recovered recovers a library, checks what came of it and returns its texts.
func recovered(tb testing.TB, path string) (core.Recovery, map[string]string) {
	tb.Helper()
	output := filepath.Join(tb.TempDir(), "recovered.db")
	report := must(recovery.Recover(tb.Context(), path, output, nil))(tb)
	if len(report.Problems) > 0 {
		tb.Errorf("the new library: %v", report.Problems)
	}
	db := openAt(tb, output)
	if found := must(db.CheckIndex(tb.Context(), nil))(tb); len(found) > 0 {
		tb.Errorf("the new index: %v", found)
	}
	return report, textsOf(tb, db)
}

// TestRecoverKeepsEverythingElse recovers a sound library: nothing differs.
func TestRecoverKeepsEverythingElse(t *testing.T) {
	t.Parallel()
	path, texts := realLibrary(t, t.TempDir())
	output := filepath.Join(t.TempDir(), "out.db")
	report := must(recovery.Recover(t.Context(), path, output, nil))(t)
	if report.Messages != int64(len(texts)) || report.Whole != 40 || report.Damages+report.Missing+report.Unplaced != 0 {
		t.Errorf("report %+v", report)
	}
	if !strings.HasPrefix(report.Sessions[0].ID, "0") {
		t.Errorf("session %+v", report.Sessions[0])
	}
	if got := textsOf(t, openAt(t, output)); !maps.Equal(got, texts) {
		t.Errorf("%d texts, or others than the %d before", len(got), len(texts))
	}
	const messageBody = 23
	a, b := must(conn.ConnectBy(t.Context(), path, url.Values{}))(t), must(conn.ConnectBy(t.Context(), output, url.Values{}))(t)
	defer a.Close() //nolint:errcheck // it only read
	defer b.Close() //nolint:errcheck // it only read
	for _, table := range []string{"sessions", "origins", "branches", "turns", "messages", "labels", "message_blobs", "sources", "settings"} {
		left, right := tableOf(t, a.DB, table), tableOf(t, b.DB, table)
		if len(left) != len(right) {
			t.Errorf("%s: %d rows, %d before", table, len(right), len(left))
			continue
		}
		for i := range left {
			for c := range left[i] {
				if table == "messages" && c == messageBody {
					continue // it was in a pack
				}
				if !same(left[i][c], right[i][c]) {
					t.Errorf("%s row %d column %d: %v, was %v", table, i, c, right[i][c], left[i][c])
				}
			}
		}
	}
}

func same(a, b any) bool {
	if left, ok := a.([]byte); ok {
		right, ok := b.([]byte)
		return ok && bytes.Equal(left, right)
	}
	return a == b
}

// tableOf reads a table by its first columns.
func tableOf(tb testing.TB, db *sql.DB, table string) (all [][]any) {
	tb.Helper()
	rows := must(db.QueryContext(tb.Context(), `SELECT * FROM `+table+` ORDER BY 1, 2`))(tb) //nolint:gosec // a constant
	defer rows.Close()                                                                       //nolint:errcheck // a test
	columns := must(rows.Columns())(tb)
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		check(tb, rows.Scan(into...))
		all = append(all, row)
	}
	check(tb, rows.Err())
	return all
}

// TestRecoverReadsTheLog recovers messages that only the write-ahead log holds, though pages of the file are missing or the log is damaged.
func TestRecoverReadsTheLog(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, texts := realLibrary(t, folder)
	db := must(Open(t.Context(), path, Options{}))(t)
	id := merged(t, db, incoming("late", say("late-1", "", core.RoleUser), say("late-2", "late-1", core.RoleAssistant)))
	data, log := must(os.ReadFile(path))(t), must(os.ReadFile(path+"-wal"))(t)
	check(t, db.Close())
	at := pagesAt(t, path)
	for name, c := range map[string]struct {
		data, log []byte
		has       bool
	}{
		"whole":              {data, log, true},
		"first page missing": {slices.Concat(data[:at[0]], make([]byte, testPageSize), data[at[0]+testPageSize:]), log, true},
		"log cut":            {data, log[:len(log)/3], false},
		"log deleted":        {data, nil, false},
		"log of garbage":     {data, bytes.Repeat([]byte{7}, len(log)), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			damaged := filepath.Join(t.TempDir(), "damaged.db")
			check(t, os.WriteFile(damaged, c.data, 0o600))
			if c.log != nil {
				check(t, os.WriteFile(damaged+"-wal", c.log, 0o600))
			}
			report, saved := recovered(t, damaged)
			if _, has := saved["late-2"]; has != c.has && c.has {
				t.Errorf("the newest message of %s is missing: %+v", id, report)
			}
			for uid, text := range texts {
				if saved[uid] != text {
					t.Fatalf("%s is lost", uid)
				}
			}
		})
	}
}

func TestRecoverRefuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, _ := realLibrary(t, folder)
	_, err := recovery.Recover(t.Context(), path, path, nil)
	wantCode(t, err, core.Conflict)
	_, err = recovery.Recover(t.Context(), filepath.Join(folder, "none.db"), filepath.Join(folder, "out.db"), nil)
	wantCode(t, err, core.NotFound)
	for name, data := range map[string][]byte{"empty": nil, "text": []byte(strings.Repeat("this is a text\n", 5000)), "zeros": make([]byte, 100_000)} {
		file := filepath.Join(folder, name)
		check(t, os.WriteFile(file, data, 0o600))
		_, err := recovery.Recover(t.Context(), file, file+".out", nil)
		wantCode(t, err, core.Corrupt)
		if _, err := os.Stat(file + ".out"); err == nil {
			t.Errorf("%s: a library was written", name)
		}
	}
}
