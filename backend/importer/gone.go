package importer

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// mark marks the previously imported files below a walker's roots that no longer exist, and unmarks those that exist again.
func (r *run) mark(ctx context.Context, w *walker) error {
	var gone, back []string
	for _, root := range w.roots {
		known, err := r.library.Sources(ctx, root)
		if err != nil {
			return err
		}
		for path, marked := range known {
			if missing := !w.seen[path] && isGone(path); missing && !marked {
				gone = append(gone, path)
			} else if !missing && marked {
				back = append(back, path)
			}
		}
	}
	if len(gone) > 0 {
		if err := r.library.MarkSources(ctx, gone, true); err != nil {
			return err
		}
	}
	if len(back) > 0 {
		if err := r.library.MarkSources(ctx, back, false); err != nil {
			return err
		}
	}
	r.report.Gone, r.report.Back = int64(len(gone)), int64(len(back))
	return nil
}

func isGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
