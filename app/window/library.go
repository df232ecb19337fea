package window

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"coppice/app/internal/library"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

// reopenAfter is the minimum time between two attempts to open a library, so that a page with many simultaneous requests, or
// a user who retries, does not open it again and again.
const reopenAfter = 2 * time.Second

// libraryHandle is the library of the window. The library opens after the window, which shows its errors. After an error, a
// later call retries. It is safe for concurrent use.
type libraryHandle struct {
	opened  func(context.Context, *sqlite.DB) // called once it is open
	started chan struct{}                     // closed by start or stop, whichever comes first

	mu      sync.Mutex
	path    string
	ctx     context.Context
	cancel  context.CancelFunc
	db      *sqlite.DB
	err     error
	damage  []string // problems that a check has found in the open library
	triedAt time.Time
	begun   bool

	base      context.Context // ends when the window closes
	replacing bool
	locked    bool // the user has locked the library: its key in the keyring is not used unasked
}

func newLibraryHandle(opened func(context.Context, *sqlite.DB)) *libraryHandle {
	return &libraryHandle{opened: opened, started: make(chan struct{})}
}

// start sets the path of the library and opens it. Methods that were called before wait for start.
func (l *libraryHandle) start(ctx context.Context, path string) {
	l.mu.Lock()
	l.path, l.base = path, ctx
	l.ctx, l.cancel = context.WithCancel(ctx)
	l.begin()
	l.mu.Unlock()
	_, _, _ = l.get() // the next call returns the error
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
		prices, err := launch.Prices()
		if err != nil {
			slog.Warn("estimating costs without the user's own prices", slog.Any("error", err))
		}
		if !l.locked {
			l.unlockByKeyring()
		}
		l.db, l.err = sqlite.Open(l.ctx, l.path, sqlite.Options{Fallback: true, Prices: prices})
		l.triedAt = time.Now()
		if l.err == nil && l.opened != nil {
			l.opened(l.ctx, l.db)
		}
	}
	return l.ctx, l.db, l.err
}

// unlockByKeyring unlocks an encrypted library if the keyring has its key. Otherwise opening it returns the error.
func (l *libraryHandle) unlockByKeyring() {
	if locked, err := sqlite.IsLocked(l.path); err != nil || !locked {
		return
	}
	if err := library.UnlockByKeyring(l.ctx, l.path); err != nil {
		slog.Info("not unlocking the library by the keyring", slog.Any("error", err))
	}
}

// lock makes the next get return that the library is locked.
func (l *libraryHandle) lock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.locked = true
}

// unlocked opens a library whose key became known.
func (l *libraryHandle) unlocked() (context.Context, *sqlite.DB, error) {
	l.mu.Lock()
	l.locked, l.triedAt = false, time.Time{}
	l.mu.Unlock()
	return l.get()
}

// replacingHint is the hint of the error while another file replaces the library.
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

// noteDamage stores the problems that a check has found in the open library. It does nothing if another library has been
// opened since.
func (l *libraryHandle) noteDamage(db *sqlite.DB, problems []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db == db {
		l.damage = problems
	}
}

// damages returns the problems that a check has found in the open library. It returns nil if none are known.
func (l *libraryHandle) damages() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.damage
}

// replace closes the library, calls work to replace its file, and opens the new file. settle must return only when nothing
// uses the closed library. If work fails, the library is opened again as it is.
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
	if core.CodeOf(err) == core.Corrupt { // the damage is the reason to replace it
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
	_, _, _ = l.get() // the next call returns the error
	return err
}

// stop ends the library's context. From then on get returns an error.
func (l *libraryHandle) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin()
	if l.cancel != nil {
		l.cancel()
	}
}

// close closes the library. Call stop first.
func (l *libraryHandle) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db == nil {
		return nil
	}
	return l.db.Close()
}
