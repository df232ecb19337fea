package app

import (
	"context"
	"log/slog"
	"time"

	"coppice/backend/sqlite"
)

// watchEvery is how often the window looks whether another process has written. It costs one pragma.
const watchEvery = time.Second

// watchLibrary tells the window when another process has written, such as the command line, until ctx ends.
func watchLibrary(ctx context.Context, db *sqlite.DB, c *changes, x *indexing) {
	last := int64(-1)
	for ticker := time.NewTicker(watchEvery); ; {
		version, err := db.DataVersion(ctx)
		switch {
		case ctx.Err() != nil:
			ticker.Stop()
			return
		case err != nil:
			slog.Warn("looking for changes of others", slog.Any("error", err)) // the next look may succeed
		case last >= 0 && version != last:
			c.tellAll()
			x.wake()
			fallthrough
		default:
			last = version
		}
		select {
		case <-ctx.Done():
			ticker.Stop()
			return
		case <-ticker.C:
		}
	}
}
