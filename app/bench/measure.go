package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// plan says what to measure and how much of it.
type plan struct {
	samples string
	quick   bool
	large   bool
	only    string // the measurement to run; empty: all
	// screenLibrary is where the library of the screen is kept, and found again; empty: nowhere.
	screenLibrary string
}

// size returns n, or a tenth of it for a quick run.
func (p plan) size(n int) int {
	if p.quick {
		return max(n/10, 1)
	}
	return n
}

// measure runs every measurement in a folder of its own and returns the rows in the order of the
// table. The rows measured before an error come with it.
func measure(ctx context.Context, p plan) ([]row, error) {
	dir, err := os.MkdirTemp("", "coppice-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder to measure in: %w", err)
	}
	defer os.RemoveAll(dir)
	steps := []struct {
		name string
		run  func(context.Context, plan, string) ([]row, error)
	}{
		{"append", measureAppend},
		{"step", measureStep},
		{"branch", measureBranch},
		{"window", measureWindow},
		{"list", measureList},
		{"import", measureImport},
		{"library", measureLibrary},
		{"follow", measureFollow},
		{"huge", measureHuge},
		{"codex", measureCodex},
		{"screen", measureScreen},
	}
	var rows []row
	for _, s := range steps {
		if p.only != "" && p.only != s.name {
			continue
		}
		folder := filepath.Join(dir, s.name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			return rows, fmt.Errorf("make a folder for %s: %w", s.name, err)
		}
		fmt.Fprintf(os.Stderr, "measuring %s …\n", s.name)
		more, err := s.run(ctx, p, folder)
		rows = append(rows, more...)
		if err != nil {
			return rows, fmt.Errorf("measure %s: %w", s.name, err)
		}
	}
	return rows, nil
}

// sample is something that is timed.
type sample struct {
	run   func() error
	times []time.Duration
}

// alternate runs the samples in turn, round after round, so that a noisy moment hits all of them.
func alternate(ctx context.Context, rounds int, samples ...*sample) error {
	for range rounds {
		for _, s := range samples {
			if err := ctx.Err(); err != nil {
				return err
			}
			start := time.Now()
			if err := s.run(); err != nil {
				return err
			}
			s.times = append(s.times, time.Since(start))
		}
	}
	return nil
}

// median is the time that half of the runs stayed below.
func (s *sample) median() time.Duration {
	sorted := slices.Sorted(slices.Values(s.times))
	return sorted[len(sorted)/2]
}

// compare makes the row that sets one sample against another.
func compare(what string, s *sample, referenceName string, reference *sample, limit float64) row {
	return row{
		what:      what,
		figure:    show(s.median()),
		reference: referenceName + " " + show(reference.median()),
		ratio:     float64(s.median()) / float64(reference.median()),
		limit:     limit,
	}
}

func show(d time.Duration) string {
	if d < time.Millisecond {
		return fmt.Sprintf("%.1f µs", float64(d)/float64(time.Microsecond))
	}
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
