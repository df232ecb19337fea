package tools

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"coppice/backend/core"
)

// workspace is the folder that the tools work in. Nothing outside it can be opened through root, whatever links it has
// and however they change meanwhile.
type workspace struct {
	root *os.Root
	path string // absolute, as it was given
	real string // without links

	// library is the path of Coppice's own library in the workspace; empty if it is elsewhere. Its files are never
	// opened: on systems where locks belong to processes, closing one releases SQLite's locks on it for the whole
	// process.
	library string
}

// openWorkspace opens a folder that must exist. The library need not exist.
func openWorkspace(folder, library string) (*workspace, error) {
	at, err := filepath.Abs(folder)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "workspace %s", folder)
	}
	real, err := filepath.EvalSymlinks(at)
	if err != nil {
		return nil, core.Wrap(codeOf(err), err, "workspace %s", folder)
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, core.Wrap(codeOf(err), err, "workspace %s", folder)
	}
	return &workspace{root: root, path: at, real: real, library: libraryIn(real, library)}, nil
}

// libraryIn returns the path of a library relative to a folder that is given without links; empty if it is not in it.
func libraryIn(folder, library string) string {
	if library == "" {
		return ""
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(library))
	if err != nil {
		return ""
	}
	at, err := filepath.Rel(folder, filepath.Join(parent, filepath.Base(library)))
	if err != nil || !filepath.IsLocal(at) {
		return ""
	}
	return filepath.ToSlash(at)
}

// isLibrary reports whether a path of the workspace is one of the library's files: the database, its log, its locks, copies beside it.
func (w *workspace) isLibrary(at string) bool {
	return w.library != "" && strings.HasPrefix(at, w.library)
}

// codeOf returns the code of a file system error.
func codeOf(err error) core.Code {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return core.NotFound
	case errors.Is(err, fs.ErrExist):
		return core.Conflict
	default:
		return core.Unavailable
	}
}

const maxLinks = 40 // followed in one path, as Linux does

// locate returns the target of a path given by a model: relative to the workspace, slash-separated, clean and without
// links. The target need not exist. A path that leads outside is an error of code Denied.
func (w *workspace) locate(given string) (string, error) {
	if given == "" {
		return "", core.E(core.Invalid, "the path is empty")
	}
	if strings.ContainsRune(given, 0) {
		return "", core.E(core.Invalid, "the path contains a NUL character")
	}
	rest, err := w.relative(given)
	if err != nil {
		return "", err
	}
	at := "."
	links := 0
	for rest != "" {
		name, tail, _ := strings.Cut(rest, "/")
		rest = tail
		switch name {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return "", outside(given)
			}
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, name)
		info, err := w.root.Lstat(next)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			at = next // the caller reports that it is missing
			continue
		}
		if links++; links > maxLinks {
			return "", core.E(core.Invalid, "%s goes through too many links", given)
		}
		target, err := w.root.Readlink(next)
		if err != nil {
			return "", core.Wrap(core.Unavailable, err, "read the link %s", next)
		}
		target = filepath.ToSlash(target)
		if path.IsAbs(target) || filepath.IsAbs(target) {
			if target, err = w.relative(target); err != nil {
				return "", outside(given)
			}
			at = "."
		}
		rest = target + "/" + rest
	}
	if w.isLibrary(at) {
		return "", core.E(core.Denied, "%s belongs to Coppice's library, which no tool may open", given)
	}
	return at, nil
}

// relative returns a path relative to the workspace, not yet cleaned: .. after a link has another meaning than before
// it.
func (w *workspace) relative(given string) (string, error) {
	if !filepath.IsAbs(given) {
		return filepath.ToSlash(given), nil
	}
	for _, base := range []string{w.path, w.real} {
		if rest, ok := strings.CutPrefix(given, strings.TrimSuffix(base, string(filepath.Separator))); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			return strings.TrimLeft(filepath.ToSlash(rest), "/"), nil
		}
	}
	return "", outside(given)
}

func outside(given string) error {
	return core.E(core.Denied, "%s is outside the workspace: use a path inside it, relative to it", given)
}

// explain returns a file system error in words for the model. An escape that only the system detects is reported as
// one.
func explain(err error, at string) error {
	if _, ok := errors.AsType[*core.Error](err); ok {
		return err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return core.E(core.NotFound, "%s does not exist", at)
	case errors.Is(err, fs.ErrPermission):
		return core.E(core.Unavailable, "open %s: permission denied", at)
	case strings.Contains(err.Error(), "escapes from parent"): // os.Root does not export this error
		return outside(at)
	}
	return core.Wrap(core.Unavailable, err, "%s", at)
}

// folderPrefix returns the permission that covers all of the folder of a path.
func folderPrefix(at string) string { return below(path.Dir(at)) }

// below returns the permission that covers everything below a folder.
func below(folder string) string {
	if folder == "." {
		return core.EveryFile
	}
	return folder + "/**"
}
