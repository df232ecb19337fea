// Package importer finds session files of other tools and imports them into the library. Each sub-package reads the
// format of one tool.
package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
)

// Importer imports files and folders. It may be reused, but not by two goroutines at once.
type Importer struct {
	Library  Library
	Formats  []Format            // tried in this order
	Progress func(core.Progress) // may be nil; called from one goroutine at a time, a few times a second
	// Again reads every file again, and also imports the sessions that the user has removed for good.
	Again bool
}

// Import imports the sessions of files and folders; format restricts it to one format, empty means any.
//
// Files that have not changed since they were imported are not opened. Damage is listed in the Report and does not stop
// the rest. An error means that the import could not continue: the library failed, or ctx ended; the Report then covers
// what was done before, and that stays.
func (im *Importer) Import(ctx context.Context, paths []string, format core.Source) (core.Report, error) {
	formats, err := im.formats(format)
	if err != nil {
		return emptyReport(), err
	}
	w := newWalker(formats, im.Library)
	for _, path := range paths {
		if err := w.walk(ctx, path); err != nil {
			return emptyReport(), err
		}
	}
	return im.files(ctx, formats, w)
}

// files imports what a walker has found.
func (im *Importer) files(ctx context.Context, formats []Format, w *walker) (core.Report, error) {
	r := &run{library: im.Library, again: im.Again, progress: newProgress(im.Progress, w.files), report: emptyReport()}
	r.report.Problems = append(r.report.Problems, w.problems...)
	err := r.files(ctx, formats, w.files)
	if err == nil {
		err = r.mark(ctx, w)
	}
	return r.report, err
}

// Measure counts the files of a folder or file that are of the importer's formats, by their content, and their bytes. A
// file that was imported and has not changed since is not opened; unreadable ones are not counted.
func (im *Importer) Measure(ctx context.Context, path string) (files, sizeBytes int64, err error) {
	w := newWalker(im.Formats, im.Library)
	if err := w.walk(ctx, path); err != nil {
		return 0, 0, err
	}
	for some := range slices.Chunk(w.files, cursorsAtOnce) {
		cursors, err := im.Library.Cursors(ctx, pathsOf(some))
		if err != nil {
			return 0, 0, err
		}
		for _, f := range some {
			if ctx.Err() != nil {
				return 0, 0, ctx.Err()
			}
			s := &source{candidate: f}
			if cursor, known := cursors[f.path]; (known && cursor.Format != foreign && s.same(cursor, im.Formats)) || s.isOf(im.Formats) {
				files++
				sizeBytes += f.size
			}
		}
	}
	return files, sizeBytes, nil
}

func (im *Importer) formats(name core.Source) ([]Format, error) {
	if name == "" {
		return im.Formats, nil
	}
	for _, f := range im.Formats {
		if f.Name == name {
			return []Format{f}, nil
		}
	}
	known := ""
	for i, f := range im.Formats {
		if i > 0 {
			known += ", "
		}
		known += string(f.Name)
	}
	return nil, core.E(core.Invalid, "unknown format %q", name).WithHint("one of: %s", known)
}

func emptyReport() core.Report {
	return core.Report{Sessions: []string{}, Problems: []core.Problem{}}
}

// run is one import.
type run struct {
	library  Library
	again    bool
	progress *progress
	report   core.Report
}

// The limits of reading ahead: some files, or fewer large ones, so that one large file is read while another is written.
const (
	aheadRoom  = 8
	aheadBytes = 4 << 20 // of a file for each room it takes
	mostRooms  = aheadRoom / 2
)

// rooms returns how many of aheadRoom a file takes. The size of a compressed file is no measure: only one is open at a
// time.
func (f *candidate) rooms() int {
	switch strings.ToLower(filepath.Ext(f.path)) {
	case ".zip", ".gz", ".zst", ".db":
		return aheadRoom
	default:
		return int(min(max(1, f.size/aheadBytes), mostRooms))
	}
}

// files imports files in order. One goroutine opens the next files while this one writes.
func (r *run) files(ctx context.Context, formats []Format, files []candidate) error {
	ctx, cancel := context.WithCancel(ctx)
	sources := make(chan *source, aheadRoom)
	taken := make(chan struct{}, aheadRoom) // holds one for each room that is taken
	done := make(chan struct{})
	defer func() {
		cancel()
		for s := range sources {
			s.close()
		}
		<-done
	}()
	var failed error // read after sources is closed
	go func() {
		defer close(done)
		defer close(sources)
		failed = r.look(ctx, formats, files, taken, sources)
	}()
	for s := range sources {
		r.progress.starts(s.candidate)
		err := r.take(ctx, s)
		s.close()
		for range s.rooms() {
			<-taken
		}
		if err != nil {
			return err
		}
		r.progress.done(s.candidate)
	}
	return errors.Join(failed, ctx.Err())
}

// cursorsAtOnce is how many cursors are read at a time: checking thousands of unchanged files costs a few queries.
const cursorsAtOnce = 1000

// look opens files in order and passes them on. It returns an error if the library failed.
func (r *run) look(ctx context.Context, formats []Format, files []candidate, taken chan<- struct{}, sources chan<- *source) error {
	for some := range slices.Chunk(files, cursorsAtOnce) {
		cursors, err := r.library.Cursors(ctx, pathsOf(some))
		if err != nil {
			return err
		}
		for _, f := range some {
			for range f.rooms() {
				select {
				case taken <- struct{}{}:
				case <-ctx.Done():
					return nil
				}
			}
			s := &source{candidate: f, library: r.library, progress: r.progress}
			cursor, known := cursors[f.path]
			s.open(ctx, formats, cursor, known && !r.again)
			sources <- s // there is room
		}
	}
	return nil
}

func pathsOf(files []candidate) []string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.path
	}
	return paths
}

// take writes the sessions of a source.
func (r *run) take(ctx context.Context, s *source) error {
	defer func() { r.report.Problems = append(r.report.Problems, s.allProblems()...) }()
	if s.unchanged {
		switch {
		case s.foreign:
			r.skip(s.path, skippedForeign)
		case s.removed > 0:
			r.skipRemoved(s.path)
		default:
			r.report.Unchanged++
		}
		return nil
	}
	sessions := int64(0)
	for d := range s.sessions(ctx) {
		if err := r.commit(ctx, s, d, sessions == 0); err != nil {
			return err
		}
		sessions++
	}
	if sessions > s.removed || ctx.Err() != nil {
		return nil
	}
	if sessions == 0 {
		r.skip(s.path, s.whyEmpty())
	}
	if s.failed {
		return nil
	}
	c := s.cursorAt(0) // nothing of it is in the library: not opened again while unchanged
	if sessions > 0 {
		c.Format = removedMark + c.Format
	}
	return r.library.PutCursor(ctx, c)
}

// commit writes one session. It returns an error if the import cannot continue.
func (r *run) commit(ctx context.Context, s *source, d *delivery, first bool) error {
	r.adopt(ctx, &d.Header)
	d.Again = r.again
	if d.Cursor != nil {
		c := s.cursorAt(d.Cursor.OffsetBytes)
		d.Cursor = &c
	}
	merged, err := d.commit(ctx)
	if err != nil {
		return r.judge(ctx, s, err)
	}
	if merged.Removed {
		return r.omit(ctx, s, d, first)
	}
	if n := merged.Bounded; n > 0 {
		s.report(core.Problem{Path: s.path, Message: fmt.Sprintf("limited impossible token counts or costs, messages: %d", n)})
	}
	r.addUnknown(s.format.Name, d.unknown)
	changed := merged.Created || merged.Added+merged.Updated+merged.Moved > 0
	if changed && !slices.Contains(r.report.Sessions, merged.SessionID) {
		r.report.Sessions = append(r.report.Sessions, merged.SessionID)
	}
	if !first && d.Session.Relation == core.RelationSubagent {
		return nil // counts with the session it belongs to
	}
	switch {
	case merged.Created:
		r.report.Imported++
	case changed:
		r.report.Updated++
	default:
		r.report.Unchanged++
	}
	return nil
}

func (r *run) addUnknown(format core.Source, counts map[string]int64) {
	for kind, n := range counts {
		at, found := slices.BinarySearchFunc(r.report.UnknownRecords, kind, func(u core.UnknownRecords, kind string) int {
			return cmp.Or(cmp.Compare(u.Source, format), cmp.Compare(u.Type, kind))
		})
		if !found {
			r.report.UnknownRecords = slices.Insert(r.report.UnknownRecords, at, core.UnknownRecords{Source: format, Type: kind})
		}
		r.report.UnknownRecords[at].Count += n
	}
}

// adopt sets the parent of a session to its id in the library. A child whose parent is not imported yet is shown by
// itself until then; see core.Header.Spawned.
func (r *run) adopt(ctx context.Context, in *core.Header) {
	if in.ParentSourceID == "" {
		return
	}
	parent, err := r.library.Session(ctx, in.ParentSourceID)
	if err == nil && !strings.HasPrefix(parent.SourceID, in.ParentSourceID+"/") { // otherwise it is a child, whose id begins the same way
		in.Session.ParentID = parent.ID
	}
	if in.Session.ParentID == "" {
		in.Session.Relation = core.RelationNone
	}
}

// judge turns an error of one session into a Problem, and returns an error that ends the import.
func (r *run) judge(ctx context.Context, s *source, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch core.CodeOf(err) {
	case core.Invalid, core.Conflict, core.TooNew:
		problem := problemOf(s.path, err)
		s.report(problem)
		r.skip(s.path, problem.Message)
		return nil
	default:
		return core.Wrap(core.CodeOf(err), err, "importing %s", s.path)
	}
}
