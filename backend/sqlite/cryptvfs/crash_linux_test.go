package cryptvfs_test

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/faultfs"
)

// The pages of these tests are small, so that a tree of some levels has several nodes on each.
const smallPage = 1024

// workload does random work in a database, and knows what the database holds.
type workload struct {
	t       *testing.T
	random  *rand.Rand
	key     cryptvfs.Key
	mode    string // of the journal
	folder  string
	path    string
	db      *sql.DB
	rows    map[int]int // committed: the length of the text by id
	pending map[int]int // with the transaction that is being committed
	isFull  bool        // a commit is durable
}

// install makes the files that were left the current ones, and begins to use them.
func (w *workload) install(left *state) {
	w.t.Helper()
	w.db.Close()
	w.rows, w.pending = left.rows, left.pending
	cryptvfs.Forget(w.path)
	if folder := filepath.Dir(w.path); folder != w.folder {
		if err := os.RemoveAll(folder); err != nil {
			w.t.Fatal(err)
		}
	}
	folder, err := os.MkdirTemp(w.folder, "")
	if err != nil {
		w.t.Fatal(err)
	}
	for name, data := range left.files {
		save(w.t, filepath.Join(folder, name), data)
	}
	w.path = filepath.Join(folder, "a.db")
	if err := cryptvfs.Unlock(w.path, w.key); err != nil {
		w.t.Fatal(err)
	}
	w.open()
}

func (w *workload) open() {
	w.db = open(w.t, w.path, "&_pragma=journal_mode("+w.mode+")&_pragma=cache_size(10)&_pragma=wal_autocheckpoint(30)&_pragma=synchronous("+map[bool]string{false: "NORMAL", true: "EXTRA"}[w.isFull]+")")
}

// state is what a process leaves that is killed.
type state struct {
	files         map[string][]byte
	rows, pending map[int]int
}

// state returns what a process leaves that is killed now.
func (w *workload) state() *state { return &state{filesOf(w.path), w.rows, w.pending} }

// filesOf returns the files of a database.
func filesOf(path string) map[string][]byte {
	all := map[string][]byte{}
	for _, suffix := range []string{"", "-wal", "-journal"} {
		if data, err := os.ReadFile(path + suffix); err == nil { //nolint:forbidigo // a file of the test
			all["a.db"+suffix] = data
		}
	}
	return all
}

// step does some work. The disk may fail meanwhile.
func (w *workload) step() error {
	w.pending = w.rows
	if w.random.IntN(12) == 0 {
		pragma := []string{`PRAGMA wal_checkpoint(TRUNCATE)`, `PRAGMA incremental_vacuum`, `PRAGMA wal_checkpoint(PASSIVE)`, `VACUUM`}[w.random.IntN(4)]
		_, err := w.db.ExecContext(w.t.Context(), pragma)
		return err
	}
	tx, err := w.db.BeginTx(w.t.Context(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	rows := maps.Clone(w.rows)
	for range 1 + w.random.IntN(8) {
		id, length := w.random.IntN(150), w.random.IntN(3000)
		if w.random.IntN(3) == 0 {
			delete(rows, id)
			_, err = tx.ExecContext(w.t.Context(), `DELETE FROM a WHERE id = ?`, id)
		} else {
			rows[id] = length
			_, err = tx.ExecContext(w.t.Context(), `INSERT OR REPLACE INTO a VALUES (?, ?)`, id, strings.Repeat("x", length))
		}
		if err != nil {
			return err
		}
	}
	w.pending = rows
	if err := tx.Commit(); err != nil {
		return err
	}
	w.rows = rows
	return nil
}

// compare requires that the database is sound, and that it holds the committed rows, or also those of the transaction that was interrupted.
func (w *workload) compare() error {
	if damaged := verified(w.t, w.path); damaged != nil && w.mode == "wal" {
		return fmt.Errorf("damaged pages %v before it was opened", damaged)
	}
	for _, check := range []string{`PRAGMA integrity_check`, `PRAGMA journal_mode`} {
		var result string
		if err := w.db.QueryRowContext(w.t.Context(), check).Scan(&result); err != nil || result != "ok" && result != w.mode {
			return fmt.Errorf("%s: %s %w", check, result, err)
		}
	}
	found := map[int]int{}
	rows, err := w.db.QueryContext(w.t.Context(), `SELECT id, length(text) FROM a`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, length int
		if err := rows.Scan(&id, &length); err != nil {
			return err
		}
		found[id] = length
	}
	if err := rows.Err(); err != nil {
		return err
	}
	switch {
	case maps.Equal(found, w.rows):
	case maps.Equal(found, w.pending):
		w.rows = w.pending
	default:
		return fmt.Errorf("%d rows are neither the %d before nor the %d after the last transaction", len(found), len(w.rows), len(w.pending))
	}
	return nil
}

// newWorkload makes a database with some rows.
func newWorkload(t *testing.T, seed uint64, mode string) *workload {
	t.Helper()
	if err := cryptvfs.Register(); err != nil {
		t.Fatal(err)
	}
	w := &workload{t: t, random: rand.New(rand.NewPCG(seed, 7)), key: cryptvfs.NewKey(), mode: mode, folder: t.TempDir(), rows: map[int]int{}} //nolint:gosec // a fixed sequence
	w.path = filepath.Join(w.folder, "a.db")
	if err := cryptvfs.Create(w.path, w.key, cryptvfs.Options{PageSize: smallPage, Incremental: true}); err != nil {
		t.Fatal(err)
	}
	if err := cryptvfs.Unlock(w.path, w.key); err != nil {
		t.Fatal(err)
	}
	w.open()
	exec(t, w.db, `CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT)`)
	for range 20 {
		if err := w.step(); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// TestKilledAtEveryWrite kills the process before each write of some work, and again in the work after that: what it leaves is whole.
func TestKilledAtEveryWrite(t *testing.T) {
	for _, mode := range []string{"wal", "delete"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorkload(t, 1, mode)
			disk, err := faultfs.Install(w.folder)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { disk.Watch(nil); disk.Close() }()
			kills := 0
			for round := range 200 {
				var left *state
				before := 1 + round%40 + w.random.IntN(60)
				disk.Watch(func(faultfs.Op, string) {
					if before--; before == 0 {
						left = w.state()
					}
				})
				for step := 0; step < 12 && left == nil; step++ {
					if err := w.step(); err != nil {
						t.Fatalf("round %d: %v", round, err)
					}
				}
				disk.Watch(nil)
				if left == nil {
					continue
				}
				kills++
				w.install(left)
				if err := w.compare(); err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
			}
			if kills < 100 {
				t.Errorf("killed %d times", kills)
			}
		})
	}
}

// TestPowerLoss cuts the power at random moments: of what was written since the last synchronization, the disk has any part.
func TestPowerLoss(t *testing.T) {
	for _, mode := range []string{"wal", "delete"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorkload(t, 2, mode)
			w.isFull = true
			w.db.Close()
			w.open()
			disk, err := faultfs.Install(w.folder)
			if err != nil {
				t.Fatal(err)
			}
			defer disk.Close()
			for round := range 100 {
				folder := filepath.Join(t.TempDir(), fmt.Sprint(round))
				var left *state
				before := 1 + w.random.IntN(100)
				disk.Record()
				disk.Watch(func(faultfs.Op, string) {
					if before--; before == 0 {
						if left = w.state(); disk.PowerLoss(w.random, folder) != nil {
							t.Error("PowerLoss")
						}
					}
				})
				for step := 0; step < 12 && left == nil; step++ {
					if err := w.step(); err != nil {
						t.Fatalf("round %d: %v", round, err)
					}
				}
				disk.Watch(nil)
				if left == nil {
					continue
				}
				inside, err := filepath.Rel(w.folder, w.path)
				if err != nil {
					t.Fatal(err)
				}
				left.files = filesOf(filepath.Join(folder, inside))
				if left.files["a.db"] == nil {
					t.Fatalf("round %d: no database is left", round)
				}
				w.install(left)
				if err := w.compare(); err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
			}
		})
	}
}

// TestFaults lets single calls fail, or all from some moment on, as on a full disk: SQLite reports it, and nothing is lost or taken for damage.
func TestFaults(t *testing.T) {
	for _, mode := range []string{"wal", "delete"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorkload(t, 3, mode)
			disk, err := faultfs.Install(w.folder)
			if err != nil {
				t.Fatal(err)
			}
			defer disk.Close()
			failed := 0
			for round := range 200 {
				kinds := []faultfs.Op{faultfs.Write, faultfs.Truncate, faultfs.Sync, faultfs.Write | faultfs.Truncate | faultfs.Sync}
				disk.Inject(faultfs.Fault{
					Ops: kinds[w.random.IntN(len(kinds))], From: 1 + w.random.IntN(60), Once: w.random.IntN(2) == 0,
					Short: w.random.IntN(2) == 0, Errno: []syscall.Errno{syscall.ENOSPC, syscall.EIO}[w.random.IntN(2)],
				})
				for range 6 {
					if err := w.step(); err != nil {
						if strings.Contains(err.Error(), "8202") || strings.Contains(err.Error(), "malformed") {
							t.Fatalf("round %d: taken for damage: %v", round, err)
						}
						failed++
						break
					}
				}
				disk.Inject(faultfs.Fault{})
				if w.random.IntN(2) == 0 { // as a new process
					w.db.Close()
					w.open()
				}
				if err := w.compare(); err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
			}
			if failed < 50 {
				t.Errorf("%d steps failed", failed)
			}
		})
	}
}
