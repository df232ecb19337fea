package importer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// watcher receives the system's notifications of changes in folders and everything below them.
type watcher struct {
	changes *changes
	notify  *fsnotify.Watcher // nil: no notifications
	ask     asking            // asks for one folder
	done    chan struct{}

	mu      sync.Mutex
	folders []string // absolute, existing ones without symbolic links
}

// asking requests notifications for a folder; repeating it for a watched folder changes nothing.
type asking func(folder string) error

// newWatcher starts to listen; ask requests a folder, nil: from the system.
func newWatcher(s *changes, ask asking) *watcher {
	w := &watcher{changes: s, ask: ask, done: make(chan struct{})}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		close(w.done)
		return w
	}
	w.notify = notify
	if w.ask == nil {
		w.ask = notify.Add
	}
	go w.listen()
	return w
}

func (w *watcher) close() {
	if w.notify != nil {
		w.notify.Close() //nolint:errcheck // nothing is lost
	}
	<-w.done
}

// cover is how much of what was to be watched the system reports; the larger, the less.
type cover int

const (
	whole   cover = iota
	partly        // it does not follow links
	limited       // it cannot watch more folders
)

// watch watches folders and what was created below them since.
func (w *watcher) watch(ctx context.Context, places []string) cover {
	if w.notify == nil {
		return limited
	}
	covered := whole
	var real []string
	for _, folder := range places {
		path, err := resolve(folder)
		if err != nil {
			path, err = filepath.Abs(folder) // does not exist yet
		}
		if err != nil {
			return partly
		}
		real = append(real, path)
		covered = max(covered, w.beside(path), w.add(ctx, path))
	}
	w.mu.Lock()
	w.folders = real
	w.mu.Unlock()
	return covered
}

// beside watches the folder that contains a place, even if the place is missing: it may be created and removed
// repeatedly.
func (w *watcher) beside(path string) cover {
	for {
		folder := nearest(filepath.Dir(path))
		if covered := w.one(folder); covered != whole {
			return covered
		}
		if nearest(filepath.Dir(path)) == folder { // nothing was created before the watch began
			return whole
		}
	}
}

// one watches a folder.
func (w *watcher) one(folder string) cover {
	switch err := w.ask(folder); {
	case err == nil, errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return whole // it cannot be read either; the watch on its parent reports when it can be
	default:
		return limited
	}
}

// nearest returns the folder, or its first ancestor that exists.
func nearest(folder string) string {
	for !isFolder(folder) && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
	}
	return folder
}

// add watches a folder and those below it.
func (w *watcher) add(ctx context.Context, root string) cover {
	covered := whole
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // removed meanwhile, or unreadable: the import reports it
		case path != root && entry.Type()&fs.ModeSymlink != 0:
			if leadsOut(path, root) {
				covered = max(covered, partly)
			}
		case entry.IsDir():
			covered = max(covered, w.one(path))
		}
		return nil
	})
	if err != nil {
		return max(covered, partly)
	}
	return covered
}

// leadsOut reports whether a link leads to a folder that is not below root: what is below root is watched anyway, a circle of
// links too.
func leadsOut(link, root string) bool {
	real, err := resolve(link)
	return err == nil && isFolder(real) && !isWithin(real, root)
}

// listen turns notifications into changes.
func (w *watcher) listen() {
	defer close(w.done)
	for {
		select {
		case event, more := <-w.notify.Events:
			if !more {
				return
			}
			w.hear(event)
		case _, more := <-w.notify.Errors:
			if !more {
				return
			}
			w.changes.addAll() // more events than its buffer holds
		}
	}
}

func (w *watcher) hear(event fsnotify.Event) {
	path := databaseOf(event.Name)
	within, above := w.covers(path)
	gone := path == event.Name && (event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename))
	switch {
	case event.Op == fsnotify.Chmod && (!within || !isFolder(path)): // a folder may have become readable
	case above && (gone || event.Has(fsnotify.Create)):
		w.changes.addAll() // a place may exist now, or be gone so that one of its ancestors must be watched
	case !within:
	case (event.Has(fsnotify.Create) || event.Has(fsnotify.Chmod)) && isFolder(event.Name):
		w.add(context.Background(), event.Name) // before it is scanned: later changes are reported
		fallthrough
	default:
		w.changes.add(path)
	}
}

// covers reports whether a path is within one of the places, or one of them within the path.
func (w *watcher) covers(path string) (within, above bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, folder := range w.folders {
		within = within || isWithin(path, folder)
		above = above || isWithin(folder, path)
	}
	return within, above
}

func isWithin(path, folder string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below)
}

// databaseOf returns the database that a file beside it belongs to: new data is in the -wal first. Any other file is
// returned as it is.
func databaseOf(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, "-wal"), "-journal")
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
