package app

import (
	"context"
	"os"
	"time"

	"coppice/backend/core"
	"coppice/backend/durable"
	"coppice/backend/sqlite"
)

// GetStatistics adds up what was done, by the days of the person's time zone.
func (b *Bindings) GetStatistics(query core.StatisticsQuery) (core.Statistics, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (core.Statistics, error) {
		return statistics(ctx, db, query, time.Now())
	})
}

// ExportStatistics asks for a file and writes one dimension of statistics to it as CSV. It returns the file's path, empty where the
// dialog was closed.
func (b *Bindings) ExportStatistics(query core.StatisticsQuery, by string) (string, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		dimension := core.Dimension(by)
		if err := checkDimension(dimension); err != nil {
			return "", err
		}
		sums, err := statistics(ctx, db, query, time.Now())
		if err != nil {
			return "", err
		}
		path, err := b.host.saveFile("Export Statistics", "coppice-by-"+by+".csv")
		if err != nil || path == "" {
			return "", err
		}
		if err := mustNotOwn(db, path); err != nil {
			return "", err
		}
		err = durable.Write(path, func(file *os.File) error { return writeStatistics(file, sums, dimension) })
		return path, core.Wrap(core.Unavailable, err, "export to %s", path)
	})
}
