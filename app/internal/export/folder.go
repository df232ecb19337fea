package export

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"coppice/app/internal/guard"
	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// maxPageBytes is the largest page that browsers open well. A larger one becomes a folder.
const maxPageBytes = 25 << 20

var errLargePage = errors.New("the page is too large")

// limitedWriter stops an export, by canceling it, when a page becomes too large.
type limitedWriter struct {
	to   io.Writer
	left int64
	stop context.CancelCauseFunc
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.left -= int64(len(p)); w.left < 0 {
		w.stop(errLargePage)
		return 0, errLargePage
	}
	return w.to.Write(p)
}

// pageOrFolder writes a page to a file, or if that would be larger than limit, an index and several pages to a folder of
// that name without the extension. It returns the path of the page or of the index.
func (e Plan) pageOrFolder(ctx context.Context, db *sqlite.DB, path string) (string, error) {
	done := int64(0)
	one := e
	one.Progress = func(p core.Progress) {
		done = p.Done
		if e.Progress != nil {
			e.Progress(p)
		}
	}
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err := one.toFile(db, path, func(w io.Writer) error {
		return one.transcript(limited, db, &limitedWriter{w, e.pageBytes(), stop}, e.Sessions[0], nil)
	})
	if err == nil || !errors.Is(context.Cause(limited), errLargePage) {
		return path, err
	}
	folder := strings.TrimSuffix(path, filepath.Ext(path))
	// A page had done messages at most: a quarter of that is read with ease.
	if err := e.pages(ctx, db, folder, max(50, done/4)); err != nil {
		return path, core.Wrap(core.CodeOf(err), err, "export to %s", folder)
	}
	return filepath.Join(folder, render.IndexFile), nil
}

func (e Plan) pageBytes() int64 {
	if e.maxBytes > 0 {
		return e.maxBytes
	}
	return maxPageBytes
}

// pages writes a session as several pages to a new folder. They are written beside it first, so that the folder is whole
// or missing.
func (e Plan) pages(ctx context.Context, db *sqlite.DB, folder string, perPart int64) (err error) {
	if _, err := os.Lstat(folder); err == nil {
		return core.E(core.Invalid, "the page is larger than %d MB and needs a folder, but %s exists", e.pageBytes()>>20, filepath.Base(folder)).
			WithHint("choose another name")
	}
	beside, err := os.MkdirTemp(filepath.Dir(folder), ".coppice-*")
	if err != nil {
		return core.Wrap(core.Unavailable, err, "make a folder")
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(beside))
		}
	}()
	files := folderWriter{folder: beside}
	err = guard.Run(func() error {
		return render.New().HTMLFolder(ctx, files.next, db, e.Sessions[0].ID, perPart, e.rendering(ctx, db, e.Sessions[0]))
	})
	if err := errors.Join(err, files.close()); err != nil {
		return err
	}
	return core.Wrap(core.Unavailable, os.Rename(beside, folder), "name the folder")
}

// folderWriter writes one file after the other.
type folderWriter struct {
	folder string
	file   *os.File
	out    *bufio.Writer
}

func (f *folderWriter) next(name string) (io.Writer, error) {
	if err := f.close(); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(f.folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "make %s", name)
	}
	f.file, f.out = file, bufio.NewWriter(file)
	return f.out, nil
}

func (f *folderWriter) close() error {
	if f.file == nil {
		return nil
	}
	err := errors.Join(f.out.Flush(), f.file.Sync(), f.file.Close())
	f.file = nil
	return core.Wrap(core.Unavailable, err, "write a page")
}
