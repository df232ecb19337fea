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

// watcher asks the system to tell of changes at places and everything below them.
type watcher struct {
	signs  *signs
	notify *fsnotify.Watcher // nil: the system tells nothing
	ask    asking            // where to ask for one folder
	done   chan struct{}

	mu     sync.Mutex
	places []string // absolute, those that are there without symbolic links
}

// asking asks the system to tell of changes in a folder; again for one that is watched changes nothing.
type asking func(folder string) error

// newWatcher begins to listen; ask is how folders are asked for, nil: as the system does.
func newWatcher(s *signs, ask asking) *watcher {
	w := &watcher{signs: s, ask: ask, done: make(chan struct{})}
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
		w.notify.Close() //nolint:errcheck,gosec // nothing is lost
	}
	<-w.done
}

// cover is how much of what was to be watched the system tells of; the larger, the less.
type cover int

const (
	whole   cover = iota
	partly        // it does not follow links
	limited       // it watches no more folders
)

// watch watches places and what came below them since.
func (w *watcher) watch(ctx context.Context, places []string) cover {
	if w.notify == nil {
		return limited
	}
	covered := whole
	var real []string
	for _, place := range places {
		path, err := resolve(place)
		if err != nil {
			path, err = filepath.Abs(place) // not there yet
		}
		if err != nil {
			return partly
		}
		real = append(real, path)
		covered = max(covered, w.beside(path), w.add(ctx, path))
	}
	w.mu.Lock()
	w.places = real
	w.mu.Unlock()
	return covered
}

// beside watches the folder a place is in, or is to be in: it may come, go and come again.
func (w *watcher) beside(path string) cover {
	for {
		folder := nearest(filepath.Dir(path))
		if covered := w.one(folder); covered != whole {
			return covered
		}
		if nearest(filepath.Dir(path)) == folder { // and nothing came before it was watched
			return whole
		}
	}
}

// one watches a folder.
func (w *watcher) one(folder string) cover {
	switch err := w.ask(folder); {
	case err == nil, errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return whole // nothing can be read there either; that it can be, or is there, the folder above it tells
	default:
		return limited
	}
}

// nearest returns the folder, or the first one above it that is there.
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
			return nil // gone meanwhile, or not for us to read: the import says so
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

// leadsOut says whether a link leads to a folder that is not below root: what is there is watched anyway, a circle of links too.
func leadsOut(link, root string) bool {
	real, err := resolve(link)
	return err == nil && isFolder(real) && !isWithin(real, root)
}

// listen turns what the system tells into signs.
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
			w.signs.addAll() // more came than it could keep
		}
	}
}

func (w *watcher) hear(event fsnotify.Event) {
	path := databaseOf(event.Name)
	within, above := w.place(path)
	gone := path == event.Name && (event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename))
	switch {
	case event.Op == fsnotify.Chmod && (!within || !isFolder(path)): // a folder may be for us to read now
	case above && (gone || event.Has(fsnotify.Create)):
		w.signs.addAll() // a place may be there now, or has gone and must be waited for further up
	case !within:
	case (event.Has(fsnotify.Create) || event.Has(fsnotify.Chmod)) && isFolder(event.Name):
		w.add(context.Background(), event.Name) // before it is looked at: what comes later is told
		fallthrough
	default:
		w.signs.add(path)
	}
}

// place says whether a path is within one of the places, or one of them within the path.
func (w *watcher) place(path string) (within, above bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, place := range w.places {
		within = within || isWithin(path, place)
		above = above || isWithin(place, path)
	}
	return within, above
}

func isWithin(path, folder string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below)
}

// databaseOf returns the database that a file beside it belongs to: what is new stands in the -wal
// first. Any other file stands for itself.
func databaseOf(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, "-wal"), "-journal")
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
