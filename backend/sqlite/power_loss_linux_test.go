package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/faultfs"
	"coppice/backend/sqlite/internal/merge"
)

// someCuts is how many power losses there are of each workload; all system calls have one with everyFault.
const someCuts = 12

// powerCut is a power loss.
type powerCut struct {
	folder string // what it left
	acked  held   // what was acknowledged before it
	at     string
}

// powerSwitch makes power losses while a library is written to.
type powerSwitch struct {
	t      *testing.T
	disk   *faultfs.Disk
	chance *rand.Rand
	folder string
	share  float64 // of the system calls, how many have one
	acked  held
	calls  int
	cuts   []powerCut
}

// newPowerSwitch watches the files of a folder. An fsync has one more often: most changes wait there.
func newPowerSwitch(t *testing.T, folder string, seed uint64, share float64) *powerSwitch {
	t.Helper()
	c := &powerSwitch{
		t: t, disk: must(faultfs.Install(folder))(t), chance: rand.New(rand.NewPCG(seed, 1)), folder: t.TempDir(), share: share, acked: held{},
	}
	c.disk.Record()
	c.disk.Watch(func(op faultfs.Op, path string) {
		c.calls++
		share := c.share
		if op == faultfs.Sync {
			share *= 5
		}
		if c.chance.Float64() < share {
			c.cut(fmt.Sprintf("call %d, of kind %d on %s", c.calls, op, filepath.Base(path)))
		}
	})
	return c
}

func (c *powerSwitch) cut(at string) {
	to := filepath.Join(c.folder, fmt.Sprint(len(c.cuts)))
	if err := c.disk.PowerLoss(c.chance, to); err != nil {
		c.t.Error(err)
	}
	c.cuts = append(c.cuts, powerCut{to, maps.Clone(c.acked), at})
}

// end stops the power losses and has one more, at the end.
func (c *powerSwitch) end() {
	c.disk.Watch(nil)
	c.cut("the end")
	check(c.t, c.disk.Close())
}

// After a power loss at any moment every commit of the engine that was acknowledged is there, and the library is sound.
func TestPowerLossKeepsCommits(t *testing.T) {
	for seed := range uint64(2) {
		folder := t.TempDir()
		db := openAt(t, filepath.Join(folder, "coppice.db"))
		id := merged(t, db, incoming("one", chain(3)...))
		must(db.Append(t.Context(), id, say("first", "u2", core.RoleUser)))(t) // its commit makes the import durable
		c := newPowerSwitch(t, folder, seed, shareOfCuts(400))
		parent := "first"
		for i := range 25 {
			m := say(fmt.Sprintf("new%d", i), parent, core.RoleUser)
			m.Parts[0].Text = noise(100 + c.chance.IntN(60_000))
			m = must(db.Append(t.Context(), id, m))(t)
			c.acked["one/"+m.UID] = storedHash(t, db, m.UID)
			parent = m.UID
			if i%8 == 7 { // the writer copies the log into the file
				must(writerOf(t, db).ExecContext(t.Context(), `PRAGMA wal_checkpoint(RESTART)`))(t)
			}
		}
		check(t, db.Close())
		c.end()
		wantAcked(t, seed, c.cuts, nil)
	}
}

// After a power loss during an import the library is sound and has what was there before; importing again completes it.
func TestPowerLossDuringImport(t *testing.T) {
	for seed := range uint64(2) {
		folder := t.TempDir()
		path := filepath.Join(folder, "coppice.db")
		db := openAt(t, path)
		id := merged(t, db, incoming("one", chain(3)...))
		must(db.Append(t.Context(), id, say("first", "u2", core.RoleUser)))(t)
		before := holdings(t, path)
		c := newPowerSwitch(t, folder, seed, shareOfCuts(3000))
		maps.Copy(c.acked, before)
		bring := func(ctx context.Context, db *DB) error {
			merge.SetPatience(db.importStore, 0) // in pieces
			_, err := core.Merge(ctx, db, incoming("two", noisy(80)...))
			return errors.Join(err, db.Index(ctx, nil))
		}
		check(t, bring(t.Context(), db))
		check(t, db.Close())
		c.end()
		want := holdings(t, path)
		wantAcked(t, seed, c.cuts, func(cut powerCut) {
			again := openAt(t, filepath.Join(cut.folder, "coppice.db"))
			check(t, bring(t.Context(), again))
			wantSound(t, again)
			check(t, again.Close())
			if got := holdings(t, filepath.Join(cut.folder, "coppice.db")); !maps.Equal(got, want) {
				t.Errorf("seed %d, %s: the import that was repeated has %d messages, want %d", seed, cut.at, len(got), len(want))
			}
		})
	}
}

// A new library that loses power while it is made is a library or nothing: opening it again succeeds.
func TestPowerLossDuringFirstOpen(t *testing.T) {
	for seed := range uint64(2) {
		folder := t.TempDir()
		c := newPowerSwitch(t, folder, seed, shareOfCuts(6000))
		check(t, openOnce(t.Context(), filepath.Join(folder, "coppice.db")))
		c.end()
		wantAcked(t, seed, c.cuts, nil)
	}
}

// A process that is killed while an empty file becomes a library leaves a rollback journal that only a writer can play back.
func TestOpenWithHotJournal(t *testing.T) {
	folder, copies := t.TempDir(), t.TempDir()
	disk := must(faultfs.Install(folder))(t)
	left := []string{}
	disk.Watch(func(op faultfs.Op, path string) {
		if strings.HasSuffix(path, "-journal") && op == faultfs.Remove {
			left = append(left, filepath.Join(copies, fmt.Sprint(len(left))))
			check(t, os.CopyFS(left[len(left)-1], os.DirFS(folder)))
		}
	})
	check(t, openOnce(t.Context(), filepath.Join(folder, "coppice.db")))
	check(t, disk.Close())
	if len(left) == 0 {
		t.Fatal("SQLite used no rollback journal")
	}
	for _, folder := range left {
		db := openAt(t, filepath.Join(folder, "coppice.db"))
		wantSound(t, db)

	}
}

// What a backup is renamed to its name from is on the disk, and so is its name.
func TestBackupIsDurable(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "coppice.db")
	withSessions(2)(t, path)
	db := openAt(t, path)
	disk := must(faultfs.Install(folder))(t)
	defer func() { check(t, disk.Close()) }()
	disk.Record()
	check(t, db.Backup(t.Context(), path+".copy"))
	parts := 0
	for _, name := range disk.Changed() {
		if strings.HasSuffix(name, ".part/copy.db") {
			parts++
		}
		if n := disk.Pending(name); n > 0 && strings.HasSuffix(name, ".part/copy.db") {
			t.Errorf("%d changes of %s need not be on the disk", n, filepath.Base(name))
		}
	}
	if parts == 0 {
		t.Error("the backup was not seen")
	}
}

// shareOfCuts returns which share of the system calls of a workload has a power loss.
func shareOfCuts(calls int) float64 {
	if os.Getenv(everyFault) != "" {
		return 1
	}
	return someCuts / float64(calls)
}

func storedHash(t *testing.T, db *DB, uid string) (hash string) {
	t.Helper()
	check(t, readerOf(t, db).Get(&hash, `SELECT hex(content_hash) FROM messages WHERE uid = ?`, uid))
	return hash
}

// wantAcked opens what each power loss left.
func wantAcked(t *testing.T, seed uint64, cuts []powerCut, more func(powerCut)) {
	t.Helper()
	if len(cuts) < 2 {
		t.Errorf("seed %d: %d power losses only", seed, len(cuts))
	}
	for _, cut := range cuts {
		path := filepath.Join(cut.folder, "coppice.db")
		at := fmt.Sprintf("seed %d, %s", seed, cut.at)
		db, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		wantSound(t, db)
		check(t, db.Close())
		cut.acked.wantIn(t, at, holdings(t, path), "")
		if more != nil {
			more(cut)
		}
	}
}
