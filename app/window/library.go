package window

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// reopenAfter is how long a library that could not be opened is left alone, so that a page that asks for
// many things at once, or a person who tries again, does not open it over and over.
const reopenAfter = 2 * time.Second

// libraryHandle is the library of the window. It opens after the window, which shows what goes wrong
// with it; a later call tries again. It is safe for concurrent use.
type libraryHandle struct {
	opened  func(context.Context, *sqlite.DB) // called once it is open
	started chan struct{}                     // closed by start or stop, whichever comes first

	mu      sync.Mutex
	path    string
	ctx     context.Context
	cancel  context.CancelFunc
	db      *sqlite.DB
	err     error
	damage  []string // what a check has found of the open library
	triedAt time.Time
	begun   bool

	base      context.Context // ends when the window closes
	replacing bool
}

func newLibraryHandle(opened func(context.Context, *sqlite.DB)) *libraryHandle {
	return &libraryHandle{opened: opened, started: make(chan struct{})}
}

// start says where the library is. Methods called before wait for it.
func (l *libraryHandle) start(ctx context.Context, path string) {
	l.mu.Lock()
	l.path, l.base = path, ctx
	l.ctx, l.cancel = context.WithCancel(ctx)
	l.begin()
	l.mu.Unlock()
	_, _, _ = l.get() // who asks for something is told
}

func (l *libraryHandle) begin() {
	if !l.begun {
		l.begun = true
		close(l.started)
	}
}

// get returns the open library and a context that ends when the window closes.
func (l *libraryHandle) get() (context.Context, *sqlite.DB, error) {
	<-l.started
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.replacing {
		return nil, nil, core.E(core.Busy, "the library is being replaced").WithHint(replacingHint)
	}
	if l.ctx == nil || l.ctx.Err() != nil {
		return nil, nil, core.E(core.Canceled, "the window is closing")
	}
	if l.db == nil && time.Since(l.triedAt) > reopenAfter {
		l.db, l.err = sqlite.Open(l.ctx, l.path, sqlite.Options{Fallback: true})
		l.triedAt = time.Now()
		if l.err == nil && l.opened != nil {
			l.opened(l.ctx, l.db)
		}
	}
	return l.ctx, l.db, l.err
}

// replacingHint is what to do while another file takes the library's place.
const replacingHint = "wait until that is done"

// where returns the library's path.
func (l *libraryHandle) where() string {
	<-l.started
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.path
}

// lasting returns a context that ends when the window closes, and not when the library is replaced.
func (l *libraryHandle) lasting() context.Context {
	<-l.started
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.base == nil {
		return context.Background()
	}
	return l.base
}

// noteDamage stores what a check has found of the open library. It does nothing if another one is open by now.
func (l *libraryHandle) noteDamage(db *sqlite.DB, problems []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db == db {
		l.damage = problems
	}
}

// damages returns what a check has found of the open library; none if it is sound as far as is known.
func (l *libraryHandle) damages() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.damage
}

// replace closes the library, lets work put another file in its place, and opens that. settle returns when nothing works with the
// libraryHandle any more whose context has ended. If work fails, the library is opened as it is.
func (l *libraryHandle) replace(settle func(), work func(path string) error) error {
	<-l.started
	l.mu.Lock()
	if l.replacing || l.base == nil || l.base.Err() != nil {
		l.mu.Unlock()
		return core.E(core.Busy, "the library is being replaced").WithHint(replacingHint)
	}
	l.replacing = true
	l.cancel()
	db, path := l.db, l.path
	l.mu.Unlock()
	settle()
	err := error(nil)
	if db != nil {
		err = db.Close()
	}
	if core.CodeOf(err) == core.Corrupt { // which is why it is replaced
		slog.Warn("closing the damaged library", slog.Any("error", err))
		err = nil
	}
	if err == nil {
		err = work(path)
	}
	l.mu.Lock()
	l.ctx, l.cancel = context.WithCancel(l.base)
	l.db, l.err, l.damage, l.triedAt, l.replacing = nil, nil, nil, time.Time{}, false
	l.mu.Unlock()
	_, _, _ = l.get() // who asks for something is told
	return err
}

// stop ends what is going on; no method gets the library any more.
func (l *libraryHandle) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin()
	if l.cancel != nil {
		l.cancel()
	}
}

// close closes the file, after stop.
func (l *libraryHandle) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db == nil {
		return nil
	}
	return l.db.Close()
}
