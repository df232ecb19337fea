package importer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
)

// candidate is a file to import.
type candidate struct {
	path       string // absolute, without symbolic links
	size       int64
	modifiedNs int64
	named      bool // by the user, not through a folder
}

// walker collects files. It follows symbolic links, but visits nothing twice, so a loop ends.
type walker struct {
	extensions []string
	own        []fs.FileInfo // the library's files, which only SQLite may open
	roots      []string      // the paths to walk, absolute
	seen       map[string]bool
	files      []candidate
	problems   []core.Problem
}

func newWalker(formats []Format, library Library) *walker {
	w := &walker{seen: map[string]bool{}}
	for _, suffix := range []string{"", "-wal", "-shm", ".lock", ".window"} {
		if info, err := os.Stat(library.FilePath() + suffix); err == nil {
			w.own = append(w.own, info)
		}
	}
	for _, f := range formats {
		w.extensions = append(w.extensions, f.Extensions...)
	}
	return w
}

func (w *walker) problem(path string, err error) {
	w.problems = append(w.problems, problemOf(path, err))
}

// walk collects the files of a path: itself, or all below it in natural order, the files of a folder before its
// folders. It returns an error only if ctx has ended.
func (w *walker) walk(ctx context.Context, path string) error { return w.collect(ctx, path, true) }

// revisit is walk for a path that the user did not name: it may be missing, and hold anything.
func (w *walker) revisit(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		w.root(path)
		return nil
	}
	return w.collect(ctx, path, false)
}

func (w *walker) collect(ctx context.Context, path string, named bool) error {
	w.root(path)
	pending := []string{path}
	for ; len(pending) > 0; named = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := pending[len(pending)-1]
		pending = append(pending[:len(pending)-1], w.visit(next, named)...)
	}
	return nil
}

func (w *walker) root(path string) {
	real, err := resolve(path)
	if err != nil {
		real, err = filepath.Abs(path) // it may be missing
	}
	if err == nil {
		w.roots = append(w.roots, real)
	}
}

// visit adds a file, or returns the entries of a folder, the first one last.
func (w *walker) visit(path string, named bool) []string {
	real, err := resolve(path)
	if err != nil {
		w.problem(path, err)
		return nil
	}
	if w.seen[real] {
		return nil
	}
	info, err := os.Stat(real)
	if err != nil {
		w.problem(path, err)
		return nil
	}
	if info.IsDir() {
		w.seen[real] = true
		return w.entries(real)
	}
	if err := core.CheckRegular(real, info); err != nil {
		if named {
			w.problem(path, err)
		}
		return nil
	}
	if named || w.wanted(real) {
		w.seen[real] = true
		w.add(real, info, named)
	}
	return nil
}

// entries adds the plain files of a folder and returns what is left to visit, the first one last.
func (w *walker) entries(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		w.problem(folder, err) // the readable entries are kept
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return compareNatural(a.Name(), b.Name()) })
	var left []string
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if !e.Type().IsRegular() {
			left = append(left, path)
			continue
		}
		if !w.wanted(path) || w.seen[path] {
			continue
		}
		info, err := e.Info()
		if err != nil {
			w.problem(path, err)
			continue
		}
		w.seen[path] = true
		w.add(path, info, false)
	}
	slices.Reverse(left)
	return left
}

func (w *walker) add(path string, info fs.FileInfo, named bool) {
	if slices.ContainsFunc(w.own, func(own fs.FileInfo) bool { return os.SameFile(info, own) }) {
		if named {
			w.problem(path, core.E(core.Invalid, "this is the library itself"))
		}
		return
	}
	w.files = append(w.files, candidate{path: path, size: info.Size(), modifiedNs: modifiedNs(path, info), named: named})
}

// modifiedNs returns when a file, or its log, was last written: new data of a database is in its write-ahead log first.
func modifiedNs(path string, info fs.FileInfo) int64 {
	last := info.ModTime().UnixNano()
	if !strings.EqualFold(filepath.Ext(path), ".db") {
		return last
	}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		last = max(last, log.ModTime().UnixNano())
	}
	return last
}

func (w *walker) wanted(path string) bool {
	return slices.Contains(w.extensions, strings.ToLower(filepath.Ext(path)))
}

func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
