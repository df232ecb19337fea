package importer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"coppice/backend/core"
)

// The times of following. Files are read Settle after the first sign of a change, since a tool writes in several steps.
// Everything is scanned again in case a sign was lost, more often if the system sends none. A file that cannot be read
// while it is young may be half-written.
const (
	settle    = 150 * time.Millisecond
	lookEvery = time.Minute
	pollEvery = 2 * time.Second
	young     = 2 * time.Second
)

// Follower keeps the library up to date with folders that other tools write to. It only reads there.
type Follower struct {
	Importer Importer
	// Places are files and folders; a missing one is followed once it exists.
	Places []string
	// Told is called after each scan that imported something or found a new problem, and with the error of a scan that
	// failed and will be retried. It may be nil.
	Told func(core.Report, error)

	ask asking // nil: the system reports which folders change
}

// Follow scans all places, then what changes there, until ctx ends. What is appended to a file is in the library less
// than a second later; while nothing is written it waits.
func (f *Follower) Follow(ctx context.Context) {
	signs := newSigns()
	watcher := newWatcher(signs, f.ask)
	defer watcher.close()
	told := told{tell: f.Told}
	for {
		covered := watcher.watch(ctx, f.Places)
		report, err := f.look(ctx, signs, f.Places)
		if covered == limited {
			report.Problems = append(report.Problems, unwatched(f.Places))
		}
		told.about(report, err)
		again := time.NewTimer(lookEvery)
		if covered != whole {
			again.Reset(pollEvery)
		}
		for everything := false; !everything; {
			select {
			case <-ctx.Done():
				again.Stop()
				return
			case <-again.C:
				everything = true
			case <-signs.come:
				wait(ctx, settle)
				var paths []string
				if paths, everything = signs.take(); !everything {
					told.about(f.look(ctx, signs, paths))
				}
			}
		}
		again.Stop()
	}
}

// look imports what has changed at or below paths. A file that no longer exists, or is of no known format, is not a
// problem.
func (f *Follower) look(ctx context.Context, signs *signs, paths []string) (core.Report, error) {
	w := newWalker(f.Importer.Formats, f.Importer.Library)
	for _, path := range paths {
		if err := w.revisit(ctx, path); err != nil {
			return emptyReport(), err
		}
	}
	report, err := f.Importer.files(ctx, f.Importer.Formats, w)
	report.Problems = slices.DeleteFunc(report.Problems, func(p core.Problem) bool { return passes(p, signs) })
	return report, err
}

// passes reports whether a problem may be over once the file is written, and schedules another look at it then. It must
// be a problem of the whole file: such a file is read again even if it has not changed.
func passes(p core.Problem, signs *signs) bool {
	info, err := os.Stat(p.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if p.Line > 0 || err != nil || info.IsDir() || time.Since(info.ModTime()).Abs() > young {
		return false
	}
	time.AfterFunc(young, func() { signs.add(p.Path) })
	return true
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// told reports what is new to a listener.
type told struct {
	tell   func(core.Report, error)
	before []core.Problem // of earlier scans: one that remains is reported once
}

// about reports a scan, if there is something to report.
func (t *told) about(report core.Report, err error) {
	if t.tell == nil || core.CodeOf(err) == core.Canceled {
		return
	}
	report.Problems = slices.DeleteFunc(report.Problems, func(p core.Problem) bool {
		return slices.Contains(t.before, p)
	})
	t.before = append(t.before, report.Problems...)
	t.before = t.before[max(0, len(t.before)-keptProblems):]
	if err != nil || report.Imported+report.Updated+report.Gone+report.Back > 0 || len(report.Problems) > 0 {
		t.tell(report, err)
	}
}

// keptProblems bounds how many reported problems are remembered.
const keptProblems = 1000
