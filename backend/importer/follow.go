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

// The times of following. Settle is how long after the first sign of a change files are read, since a
// tool writes in several goes. Everything is looked at again in case a sign was lost, more often
// where the system gives none. A file that cannot be read while it is young may be half-written.
const (
	settle    = 150 * time.Millisecond
	lookEvery = time.Minute
	pollEvery = 2 * time.Second
	young     = 2 * time.Second
)

// Follower keeps the library in step with folders that other tools write to. It only reads there.
type Follower struct {
	Importer Importer
	// Places are files and folders; one that is not there yet is followed from when it is.
	Places []string
	// Told is called after each look that brought something or found a new problem, and with the
	// error of one that could not be finished and will be tried again. Nil: nobody listens.
	Told func(core.Report, error)

	ask asking // nil: the system is asked which folders change
}

// Follow looks at all places, then at what changes there, until ctx ends. What is appended to a file
// is in the library less than a second later; while nothing is written it waits.
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

// look imports what has changed at or below paths. What is gone, or of no known format, is no problem.
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

// passes says whether a problem may be over when the file is written, and has it looked at again then.
// It must be one of the whole file: such a file is read again even if it stays as it is.
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

// told tells a listener what is new.
type told struct {
	tell   func(core.Report, error)
	before []core.Problem // of the former looks: one that stays is told once
}

// about tells of a look, if there is something to tell.
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

// keptProblems bounds what is remembered of problems that were told.
const keptProblems = 1000
