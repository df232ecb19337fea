package sqlite

import (
	"context"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

// logPeriod is how often the log is copied while much is written: after some 10 MB of an import.
const logPeriod = 250 * time.Millisecond

// log copies the write-ahead log into the file on a connection of its own while much is written, so that the writer, which would have to do it
// itself, need not wait for the disk. It works only when it is told to.
type log struct {
	path string
	told chan struct{} // holds one while there is something to copy
	quit chan struct{}
	once sync.Once
	work sync.WaitGroup
	err  error // of closing its connection
}

func newLog(path string) *log {
	l := &log{path: path, told: make(chan struct{}, 1), quit: make(chan struct{})}
	l.work.Go(l.run)
	return l
}

// tell says that something was written. It does not wait.
func (l *log) tell() {
	select {
	case l.told <- struct{}{}:
	default:
	}
}

// run copies until the end. What fails here the writer does later, and says so.
func (l *log) run() {
	ctx := context.Background()
	var db *sqlx.DB
	for await(l, l.told) {
		if db == nil {
			db, _ = connect(ctx, l.path, pragmas{"busy_timeout(0)", "cache_size(-1024)"})
		}
		if db != nil {
			db.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`) //nolint:errcheck // see above
		}
		if !await(l, time.After(logPeriod)) {
			break
		}
	}
	if db != nil {
		l.err = db.Close()
	}
}

// await waits; false at the end.
func await[T any](l *log, what <-chan T) bool {
	select {
	case <-what:
		return true
	case <-l.quit:
		return false
	}
}

func (l *log) close() error {
	l.once.Do(func() { close(l.quit) })
	l.work.Wait()
	return l.err
}
