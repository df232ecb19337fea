package conn

import (
	"context"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

// checkpointPeriod is the least time between two checkpoints: some 10 MB of an import.
const checkpointPeriod = 250 * time.Millisecond

// checkpointer copies the write-ahead log into the file on a connection of its own while much is written. Otherwise the
// writer would do it, and wait for the disk. It works only after wake.
type checkpointer struct {
	path  string
	woken chan struct{} // holds an element while there is something to copy
	quit  chan struct{}
	once  sync.Once
	work  sync.WaitGroup
	err   error // of closing its connection
}

func newCheckpointer(path string) *checkpointer {
	c := &checkpointer{path: path, woken: make(chan struct{}, 1), quit: make(chan struct{})}
	c.work.Go(c.run)
	return c
}

// wake starts a checkpoint. It does not wait.
func (c *checkpointer) wake() {
	select {
	case c.woken <- struct{}{}:
	default:
	}
}

// run copies until close. If a checkpoint fails here, the writer repeats it and returns the error.
func (c *checkpointer) run() {
	ctx := context.Background()
	var db *sqlx.DB
	for await(c, c.woken) {
		if db == nil {
			db, _ = Connect(ctx, c.path, Pragmas{"busy_timeout(0)", "cache_size(-1024)"})
		}
		if db != nil {
			db.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`) //nolint:errcheck // see above
		}
		if !await(c, time.After(checkpointPeriod)) {
			break
		}
	}
	if db != nil {
		c.err = db.Close()
	}
}

// await waits; false after close.
func await[T any](c *checkpointer, what <-chan T) bool {
	select {
	case <-what:
		return true
	case <-c.quit:
		return false
	}
}

func (c *checkpointer) close() error {
	c.once.Do(func() { close(c.quit) })
	c.work.Wait()
	return c.err
}
