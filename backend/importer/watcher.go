package importer

import (
	"context"
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
	done   chan struct{}

	mu     sync.Mutex
	places []string // absolute, those that are there without symbolic links
}

func newWatcher(s *signs) *watcher {
	w := &watcher{signs: s, done: make(chan struct{})}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		close(w.done)
		return w
	}
	w.notify = notify
	go w.listen()
	return w
}

func (w *watcher) close() {
	if w.notify != nil {
		w.notify.Close() //nolint:errcheck,gosec // nothing is lost
	}
	<-w.done
}

// watch watches places, what came below them since, and says whether all changes there will be told.
func (w *watcher) watch(ctx context.Context, places []string) bool {
	if w.notify == nil {
		return false
	}
	complete := true
	var real []string
	for _, place := range places {
		path, err := resolve(place)
		if err != nil {
			path, err = filepath.Abs(place) // not there yet
		}
		if err != nil {
			return false
		}
		real = append(real, path)
		complete = w.beside(path) && complete
		complete = w.add(ctx, path) && complete
	}
	w.mu.Lock()
	w.places = real
	w.mu.Unlock()
	return complete
}

// beside watches the folder a place is in, or is to be in: it may come, go and come again.
func (w *watcher) beside(path string) bool {
	for {
		folder := nearest(filepath.Dir(path))
		if w.notify.Add(folder) != nil {
			return false
		}
		if nearest(filepath.Dir(path)) == folder { // and nothing came before it was watched
			return true
		}
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
func (w *watcher) add(ctx context.Context, root string) bool {
	complete := true
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // gone meanwhile, or not for us to read: the import says so
		case path != root && entry.Type()&fs.ModeSymlink != 0:
			complete = complete && !isFolder(path) // the system does not follow links
		case entry.IsDir():
			complete = w.notify.Add(path) == nil && complete // the number of watches is limited
		}
		return nil
	})
	return complete && err == nil
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
	case event.Op == fsnotify.Chmod:
	case above && (gone || event.Has(fsnotify.Create)):
		w.signs.addAll() // a place may be there now, or has gone and must be waited for further up
	case !within:
	case event.Has(fsnotify.Create) && isFolder(event.Name):
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
