package library

import (
	"context"
	"time"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// LoadSamples adds the sample library, also samples that were removed for good. Samples that the library has already stay as they
// are.
func LoadSamples(ctx context.Context, db *sqlite.DB, now time.Time) (core.Report, error) {
	report := core.Report{Sessions: []string{}, Problems: []core.Problem{}}
	samples, err := archive.Samples(now.UnixMilli())
	if err != nil {
		return report, err
	}
	for _, sample := range samples {
		sample.Again = true
		merged, err := core.Merge(ctx, db, sample)
		if err != nil {
			return report, err
		}
		if merged.Created {
			report.Imported++
			report.Sessions = append(report.Sessions, merged.SessionID)
		} else {
			report.Unchanged++
		}
	}
	return report, nil
}
