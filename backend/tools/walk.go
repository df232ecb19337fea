package tools

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"

	"coppice/backend/core"
)

// entry is a file or a folder found by a walk.
type entry struct {
	fs.DirEntry
	path  string
	depth int // 1 directly below the start of the walk
}

const maxIgnoreBytes = 1 << 20 // of a .gitignore that is read

// walk yields everything below a folder, sorted by name, each folder before its contents. It leaves out version
// control, the library and, unless all is set, ignored files; it follows no links. It does not enter folders deeper
// than maxDepth; 0: no limit. A folder that cannot be read is left out, except that the first one yields an error.
func (w *workspace) walk(ctx context.Context, from string, maxDepth int, all bool) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		first, err := w.folder(from)
		if err != nil {
			yield(entry{}, explain(err, from))
			return
		}
		type frame struct {
			entries []fs.DirEntry
			path    string
			rules   ignoreRules
		}
		stack := []frame{{first, from, w.rulesAbove(from)}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.entries) == 0 {
				stack = stack[:len(stack)-1]
				continue
			}
			next := entry{DirEntry: top.entries[0], path: path.Join(top.path, top.entries[0].Name()), depth: len(stack)}
			top.entries = top.entries[1:]
			if isVersionControl(next.Name()) || w.isLibrary(next.path) || !all && top.rules.ignores(next.path, next.IsDir()) {
				continue
			}
			if err := ctx.Err(); err != nil {
				yield(entry{}, err)
				return
			}
			if !yield(next, nil) {
				return
			}
			if !next.IsDir() || next.depth == maxDepth {
				continue
			}
			if below, err := w.folder(next.path); err == nil {
				stack = append(stack, frame{below, next.path, w.rulesIn(next.path, top.rules)})
			}
		}
	}
}

func isVersionControl(name string) bool {
	return name == ".git" || name == ".hg" || name == ".svn" || name == ".jj"
}

// folder lists a folder, sorted by name.
func (w *workspace) folder(at string) ([]fs.DirEntry, error) {
	info, err := w.root.Stat(at)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, core.E(core.Invalid, "%s is not a folder", at)
	}
	file, err := w.root.Open(at)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written to it
	entries, err := file.ReadDir(-1)
	if err != nil && len(entries) == 0 {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// rulesAbove returns the ignore rules that apply in a folder: its own, those of the folders above it, and the
// repository's.
func (w *workspace) rulesAbove(at string) ignoreRules {
	rules := ignoreRules(nil).with(".", w.small(".git/info/exclude"))
	folders := []string{at}
	for at != "." {
		at = path.Dir(at)
		folders = append(folders, at)
	}
	for _, folder := range slices.Backward(folders) {
		rules = w.rulesIn(folder, rules)
	}
	return rules
}

func (w *workspace) rulesIn(folder string, above ignoreRules) ignoreRules {
	return above.with(folder, w.small(path.Join(folder, ".gitignore")))
}

// small reads a small file; it returns nil if the file cannot be read.
func (w *workspace) small(at string) []byte {
	info, err := w.root.Stat(at)
	if err != nil || info.Size() > maxIgnoreBytes {
		return nil
	}
	file, err := core.OpenRegularIn(w.root, at)
	if err != nil {
		return nil
	}
	defer file.Close() //nolint:errcheck // nothing was written to it
	data, err := io.ReadAll(io.LimitReader(file, maxIgnoreBytes))
	if err != nil {
		return nil
	}
	return data
}
