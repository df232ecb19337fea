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
	// Paths are files and folders; a missing one is followed once it exists.
	Paths []string
	// Report is called after each scan that imported something or found a new problem, and with the error of a scan that
	// failed and will be retried. It may be nil.
	Report func(core.Report, error)

	ask asking // nil: the system reports which folders change
}

// Follow scans all paths, then what changes there, until ctx ends. What is appended to a file is in the library less
// than a second later; while nothing is written it waits.
func (f *Follower) Follow(ctx context.Context) {
	changes := newChanges()
	watcher := newWatcher(changes, f.ask)
	defer watcher.close()
	reporter := reporter{report: f.Report}
	for {
		covered := watcher.watch(ctx, f.Paths)
		report, err := f.look(ctx, changes, f.Paths)
		if covered == limited {
			report.Problems = append(report.Problems, unwatched(f.Paths))
		}
		reporter.scan(report, err)
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
			case <-changes.ready:
				wait(ctx, settle)
				var paths []string
				if paths, everything = changes.take(); !everything {
					reporter.scan(f.look(ctx, changes, paths))
				}
			}
		}
		again.Stop()
	}
}

// look imports what has changed at or below paths. A file that no longer exists, or is of no known format, is not a
// problem.
func (f *Follower) look(ctx context.Context, changes *changes, paths []string) (core.Report, error) {
	w := newWalker(f.Importer.Formats, f.Importer.Library)
	for _, path := range paths {
		if err := w.revisit(ctx, path); err != nil {
			return emptyReport(), err
		}
	}
	report, err := f.Importer.files(ctx, f.Importer.Formats, w)
	report.Problems = slices.DeleteFunc(report.Problems, func(p core.Problem) bool { return passes(p, changes) })
	return report, err
}

// passes reports whether a problem may be over once the file is written, and schedules another look at it then. It must
// be a problem of the whole file: such a file is read again even if it has not changed.
func passes(p core.Problem, changes *changes) bool {
	info, err := os.Stat(p.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if p.Line > 0 || err != nil || info.IsDir() || time.Since(info.ModTime()).Abs() > young {
		return false
	}
	time.AfterFunc(young, func() { changes.add(p.Path) })
	return true
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// reporter passes on what is new in a scan.
type reporter struct {
	report func(core.Report, error)
	before []core.Problem // of earlier scans: each is reported once while it remains
}

// scan reports a scan, if there is something to report.
func (r *reporter) scan(report core.Report, err error) {
	if r.report == nil || core.CodeOf(err) == core.Canceled {
		return
	}
	report.Problems = slices.DeleteFunc(report.Problems, func(p core.Problem) bool {
		return slices.Contains(r.before, p)
	})
	r.before = append(r.before, report.Problems...)
	r.before = r.before[max(0, len(r.before)-keptProblems):]
	if err != nil || report.Imported+report.Updated+report.Gone+report.Back > 0 || len(report.Problems) > 0 {
		r.report(report, err)
	}
}

// keptProblems bounds how many reported problems are remembered.
const keptProblems = 1000
