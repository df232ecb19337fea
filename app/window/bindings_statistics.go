package window

import (
	"context"
	"log/slog"
	"os"
	"time"

	"coppice/app/internal/export"
	"coppice/app/internal/guard"
	"coppice/app/internal/statistics"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/durable"
	"coppice/backend/sqlite"
)

// StatisticsBindings return and export statistics.
type StatisticsBindings struct{ *program }

// GetStatistics returns totals by day in the user's time zone.
func (b *StatisticsBindings) GetStatistics(query core.StatisticsQuery) (core.Statistics, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Statistics, error) {
		return statistics.Of(ctx, db, query, time.Now())
	})
}

// ExportStatistics asks for a file and writes one dimension of the statistics to it as CSV. It returns the file's path, or
// an empty path if the user closed the dialog.
func (b *StatisticsBindings) ExportStatistics(query core.StatisticsQuery, by string) (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		dimension := core.Dimension(by)
		if err := statistics.CheckDimension(dimension); err != nil {
			return "", err
		}
		sums, err := statistics.Of(ctx, db, query, time.Now())
		if err != nil {
			return "", err
		}
		path, err := b.host.saveFile(b.texts.Now().ExportStatistics, "coppice-by-"+by+".csv")
		if err != nil || path == "" {
			return "", err
		}
		if err := export.MustNotOwn(db, path); err != nil {
			return "", err
		}
		err = durable.Write(path, func(file *os.File) error { return statistics.WriteCSV(file, sums, dimension) })
		return path, core.Wrap(core.Unavailable, err, "export to %s", path)
	})
}

// countActivity estimates the costs and counts the sessions of a library from an older version. It estimates again after the
// prices have changed.
func countActivity(ctx context.Context, db *sqlite.DB, c *change.Notifier) {
	for ctx.Err() == nil {
		counted := int64(0)
		err := guard.Run(func() error {
			err := db.EstimateCosts(ctx, func(p core.Progress) {
				if p.Done%countedAtOnce == 0 || p.Done == p.Total {
					c.Library(change.List, change.Statistics)
				}
			})
			if err != nil {
				return err
			}
			return db.CountActivity(ctx, func(p core.Progress) {
				if counted = p.Done; counted%countedAtOnce == 0 {
					c.Library(change.Statistics)
				}
			})
		})
		if counted > 0 {
			c.Library(change.Statistics)
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		slog.Warn("counting for the statistics", slog.Any("error", err)) // the next attempt may succeed
		select {
		case <-ctx.Done():
		case <-time.After(countRest):
		}
	}
}

// countRest is the delay before the window counts again after an error.
const countRest = 5 * time.Second

// countedAtOnce is the number of sessions that are counted between two notifications of the page.
const countedAtOnce = 256
