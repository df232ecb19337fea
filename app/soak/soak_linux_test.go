package soak

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"golang.org/x/sys/unix"
)

var (
	soakFor = flag.Duration("soak", 0, "how long to run; 0: a few rounds")             // how flags work
	seed    = flag.Uint64("seed", 1, "repeats what the processes do")                  // how flags work
	drop    = flag.Bool("drop", true, "processes drop their own locks on the library") // how flags work
	program = flag.String("program", "", "a Coppice with a window; empty: no windows") // how flags work
)

// shortRounds is the number of rounds of a short run. A long run begins a new library after messagesPerLibrary.
const (
	shortRounds        = 2
	messagesPerLibrary = 8000
	diskBytes          = "192m"
)

// figures are the counts in the table at the end.
type figures struct {
	rounds, libraries, processes, kills, full, failing, drops, dialogs, restores, lost, problems int
	acked                                                                                        int
}

// run is a random-fault run.
type run struct {
	t    *testing.T
	work string // the folder for everything outside the library

	library   string
	script    string
	workspace string
	env       []string
	drops     bool

	killWithinMs int
	labelled     atomic.Int64
	trashing     sync.Mutex
	screen       *screen    // nil: no windows
	windowing    sync.Mutex // held while a window is open
	*journal

	counting sync.Mutex
	figures  figures
	isFull   atomic.Bool
}

// TestSoak requires that no acknowledged data is lost.
func TestSoak(t *testing.T) {
	r := newRun(t)
	began := time.Now()
	for r.figures.rounds = 0; r.more(began); r.figures.rounds++ {
		if err := r.round(t.Context()); err != nil {
			t.Error(err)
			break
		}
		if len(r.acked) > messagesPerLibrary {
			r.begin()
		}
	}
	r.figures.acked = r.total
	r.report(time.Since(began))
	if r.figures.lost > 0 || r.figures.problems > 0 {
		t.Errorf("%d lost, %d problems: see above", r.figures.lost, r.figures.problems)
	}
}

func (r *run) more(began time.Time) bool {
	if *soakFor == 0 {
		return r.figures.rounds < shortRounds
	}
	return time.Since(began) < *soakFor
}

func newRun(t *testing.T) *run {
	t.Helper()
	work := t.TempDir()
	r := &run{t: t, work: work, script: filepath.Join(work, "echo.json"), workspace: filepath.Join(work, "workspace"), drops: *drop, killWithinMs: 1500}
	disk := filepath.Join(work, "disk")
	for _, folder := range []string{disk, r.workspace, filepath.Join(work, "sessions")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(r.script, []byte(`{"name":"echo","turns":[{"alternatives":[[{"text":"You said: {{prompt}}"}]]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size="+diskBytes); err != nil {
		t.Logf("no small disk (%v): disks are full in the fault layer only", err)
	} else {
		t.Cleanup(func() {
			if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
				t.Error(err)
			}
		})
	}
	var err error
	if r.journal, err = newJournal(filepath.Join(work, "journal.jsonl")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.close() })
	if *program != "" {
		r.screen = openScreen(t)
	}
	r.begin()
	return r
}

// begin starts a new library.
func (r *run) begin() {
	disk := filepath.Join(r.work, "disk")
	if r.library != "" {
		_ = os.RemoveAll(filepath.Dir(r.library))
	}
	r.figures.libraries++
	r.library = filepath.Join(disk, fmt.Sprint(r.figures.libraries), "coppice.db")
	_ = os.MkdirAll(filepath.Dir(r.library), 0o700)
	clear(r.acked)
	clear(r.seen)
	r.env = []string{
		"COPPICE_DB=" + r.library, "HOME=" + r.work, "XDG_DATA_HOME=" + filepath.Join(r.work, "data"), "XDG_CONFIG_HOME=" + filepath.Join(r.work, "config"),
		"XDG_STATE_HOME=" + filepath.Join(r.work, "state"), "XDG_CACHE_HOME=" + filepath.Join(r.work, "cache"), "NO_COLOR=1",
	}
}

// round runs two to four actors, fills the disk in the middle of some rounds, and checks everything at the end.
func (r *run) round(ctx context.Context) error {
	chance := rand.New(rand.NewPCG(*seed, uint64(r.figures.rounds)))
	r.labelled.Store(0)
	var group sync.WaitGroup
	actors := 2 + chance.IntN(3)
	errs := make([]error, actors)
	for i := range actors {
		a := &actor{run: r, name: fmt.Sprintf("%dx%d", r.figures.rounds, i), chance: rand.New(rand.NewPCG(*seed, uint64(r.figures.rounds*10+i+1)<<8))}
		steps := 3 + chance.IntN(4)
		group.Go(func() {
			for range steps {
				if errs[i] = a.act(ctx); errs[i] != nil {
					return
				}
			}
		})
	}
	ended := make(chan struct{})
	if chance.IntN(2) == 0 {
		group.Go(func() {
			r.fillDisk(time.Duration(chance.IntN(2000))*time.Millisecond, time.Duration(chance.IntN(2000))*time.Millisecond)
		})
	}
	go func() { group.Wait(); close(ended) }()
	<-ended
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := r.verify(ctx); err != nil || chance.IntN(4) > 0 {
		return err
	}
	return r.restore(ctx, chance)
}

// fillDisk fills the small disk after a delay, and frees it after hold.
func (r *run) fillDisk(after, hold time.Duration) {
	time.Sleep(after)
	path := filepath.Join(r.work, "disk", "filler")
	f, err := os.Create(path)
	if err != nil {
		return
	}
	var info unix.Statfs_t
	small := unix.Statfs(filepath.Dir(path), &info) == nil && info.Blocks*uint64(info.Bsize) < 1<<30
	if small {
		r.isFull.Store(true)
		for block := make([]byte, 64<<10); err == nil; {
			_, err = f.Write(block)
		}
		for err = nil; err == nil; {
			_, err = f.Write([]byte("x"))
		}
		r.counting.Lock()
		r.figures.full++
		r.counting.Unlock()
		time.Sleep(hold)
	}
	_ = f.Close()
	_ = os.Remove(path)
}

// verify checks that the library is intact and has everything that was acknowledged.
func (r *run) verify(ctx context.Context) error {
	r.isFull.Store(false)
	p, err := start(append(r.env, roleVar+"="+roleCLI), 0, nil, "db", "check")
	if err != nil {
		return err
	}
	if p.code != 0 {
		r.complain("db check: " + p.out + p.err)
		return r.keep()
	}
	lost, err := r.journal.verify(ctx, r.library)
	if err != nil {
		return errors.Join(err, r.keep())
	}
	for _, l := range lost {
		r.t.Errorf("round %d: lost: %s", r.figures.rounds, l)
	}
	r.figures.lost += len(lost)
	if len(lost) > 0 {
		return r.keep()
	}
	return nil
}

// keep copies the library beside the temporary folder, so that it can be examined.
func (r *run) keep() error {
	to, err := os.MkdirTemp("", "soak-lost-")
	if err != nil {
		return err
	}
	return errors.Join(errDamaged, os.CopyFS(filepath.Join(to, "library"), os.DirFS(filepath.Dir(r.library))), fmt.Errorf("a copy is in %s", to))
}

// count counts the ways in which processes ended, and reports an end that no fault explains.
func (r *run) count(p process, env, args []string) {
	r.counting.Lock()
	r.figures.processes++
	if p.killed {
		r.figures.kills++
	}
	if len(env) > 0 {
		r.figures.failing++
	}
	r.counting.Unlock()
	text := p.err
	for _, bad := range []string{"malformed", "panic:", "fatal error", "corrupt"} {
		if strings.Contains(text, bad) {
			r.complain(strings.Join(args, " ") + ": " + text)
		}
	}
	if *soakFor == 0 || p.code == 0 || p.killed || len(env) > 0 || r.isFull.Load() {
		return
	}
	r.t.Logf("round %d: %s: exit %d: %.200s", r.figures.rounds, strings.Join(args[:1], " "), p.code, text)
}

func (r *run) dropped(n int) {
	r.counting.Lock()
	r.figures.drops += n
	r.counting.Unlock()
}

func (r *run) complain(what string) {
	r.counting.Lock()
	r.figures.problems++
	r.counting.Unlock()
	r.t.Errorf("round %d: %.1000s", r.figures.rounds, what)
}

// has reports whether a text is acknowledged.
func (r *run) has(text string) bool {
	_, ok := r.snapshot()[text]
	return ok
}

func (r *run) report(took time.Duration) {
	f := r.figures
	table := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', 0)
	for _, row := range [][2]any{
		{"seed", *seed},
		{"rounds", f.rounds},
		{"libraries", f.libraries},
		{"processes", f.processes},
		{"killed", f.kills},
		{"disk full", f.full},
		{"disks that failed in a process", f.failing},
		{"locks dropped", f.drops},
		{"file dialogs of a window", f.dialogs},
		{"backups restored", f.restores},
		{"messages acknowledged", f.acked},
		{"messages lost", f.lost},
		{"other problems", f.problems},
		{"seconds", int(took.Seconds())},
	} {
		fmt.Fprintf(table, "%v\t%v\n", row[0], row[1])
	}
	table.Flush()
}
