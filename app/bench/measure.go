package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// plan describes what to measure, and how much of it.
type plan struct {
	samples string
	quick   bool
	large   bool
	only    string // the measurement to run; empty: all
	// screenLibrary is the path of the library for the screen, which later runs use again; empty: a temporary library.
	screenLibrary string
}

// size returns n, or a tenth of it for a quick run.
func (p plan) size(n int) int {
	if p.quick {
		return max(n/10, 1)
	}
	return n
}

// measure runs every measurement in a folder of its own and returns the rows in the order of the table. On an error it
// also returns the rows measured before.
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
		{"start", measureStart},
		{"append", measureAppend},
		{"step", measureStep},
		{"checkpoints", measureCheckpoints},
		{"branch", measureBranch},
		{"window", measureWindow},
		{"list", measureList},
		{"import", measureImport},
		{"library", measureLibrary},
		{"encrypted", measureEncrypted},
		{"follow", measureFollow},
		{"huge", measureHuge},
		{"codex", measureCodex},
		{"export", measureExport},
		{"redact", measureRedact},
		{"pages", measurePages},
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

// sample is an operation to measure.
type sample struct {
	run       func() error
	times     []time.Duration
	processor []time.Duration // processor time of the process, for each run
}

// alternate runs the samples in turn, round after round, so that noise affects all of them.
func alternate(ctx context.Context, rounds int, samples ...*sample) error {
	for range rounds {
		for _, s := range samples {
			if err := ctx.Err(); err != nil {
				return err
			}
			start, spent := time.Now(), processorTime()
			if err := s.run(); err != nil {
				return err
			}
			s.times = append(s.times, time.Since(start))
			s.processor = append(s.processor, processorTime()-spent)
		}
	}
	return nil
}

// median returns the median time of the runs.
func (s *sample) median() time.Duration { return median(s.times) }

// medianProcessor returns the median processor time of the runs.
func (s *sample) medianProcessor() time.Duration { return median(s.processor) }

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

// compare returns the row that compares a sample with a reference.
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
