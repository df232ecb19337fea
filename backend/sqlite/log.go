package sqlite

import (
	"context"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

// logPeriod is how often the log is copied while much is written: some 10 MB of an import.
const logPeriod = 250 * time.Millisecond

// log copies the write-ahead log into the file on a connection of its own while much is written, so that the writer, which would have to do it
// itself, need not wait for the disk. It works only when it is told to.
type log struct {
	db   *sqlx.DB
	told chan struct{} // holds one while there is something to copy
	quit chan struct{}
	once sync.Once
	work sync.WaitGroup
}

func openLog(ctx context.Context, path string) (*log, error) {
	db, err := connect(ctx, path, pragmas{"busy_timeout(0)", "cache_size(-1024)"})
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	l := &log{db: db, told: make(chan struct{}, 1), quit: make(chan struct{})}
	l.work.Go(l.copy)
	return l, nil
}

// tell says that something was written. It does not wait.
func (l *log) tell() {
	select {
	case l.told <- struct{}{}:
	default:
	}
}

func (l *log) copy() {
	for {
		select {
		case <-l.told:
		case <-l.quit:
			return
		}
		// What fails here the writer does later, and says so.
		l.db.ExecContext(context.Background(), `PRAGMA wal_checkpoint(PASSIVE)`) //nolint:errcheck // see above
		select {
		case <-time.After(logPeriod):
		case <-l.quit:
			return
		}
	}
}

func (l *log) close() error {
	l.once.Do(func() { close(l.quit) })
	l.work.Wait()
	return l.db.Close()
}
