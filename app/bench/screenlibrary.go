package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
	"coppice/backend/sqlite"
)

// screenSessions holds the titles of the sessions that the screen opens, by which frontend/e2e/tree.bench.ts finds
// them.
type screenSessions struct {
	Trees []string `json:"trees"` // every operation is measured in them
	Comb  string   `json:"comb"`
	Huge  string   `json:"huge"`  // a tree that only has to open
	Lines string   `json:"lines"` // a session from a Claude Code file of 200 MB
	Small string   `json:"small"` // opened before each of the others
}

// screenLibrary fills a library with the sessions that the screen opens, and indexes it. It leaves a library that is
// filled already as it is.
func screenLibrary(ctx context.Context, p plan, path string) (screenSessions, error) {
	counts := []struct {
		shape string
		n     int
	}{
		{"agent", p.size(100_000)},
		{"chat", p.size(100_000)},
		{"bushy", p.size(100_000)},
		{"chain", p.size(100_000)},
		{"comb", p.size(10_000)},
		{"agent", p.size(1_000_000)},
		{"chat", 20},
	}
	titles := make([]string, len(counts))
	for i, c := range counts {
		titles[i] = fmt.Sprintf("%s of %d", c.shape, c.n)
	}
	sessions := screenSessions{Trees: titles[:4], Comb: titles[4], Huge: titles[5], Lines: hugeTitle, Small: titles[6]}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return sessions, err
	}
	filling := path + ".filling"
	db, err := sqlite.Open(ctx, filling, sqlite.Options{})
	if err != nil {
		return sessions, err
	}
	for i, c := range counts {
		began := time.Now()
		if err := addShape(ctx, db, c.shape, c.n); err != nil {
			return sessions, errors.Join(err, db.Close())
		}
		logf("made %s in %s", titles[i], time.Since(began).Round(time.Second))
	}
	if err := errors.Join(importHuge(ctx, p, db, filepath.Dir(path)), indexAll(ctx, db), db.Close()); err != nil {
		return sessions, err
	}
	return sessions, os.Rename(filling, path)
}

func importHuge(ctx context.Context, p plan, db *sqlite.DB, folder string) error {
	began := time.Now()
	file := filepath.Join(folder, "huge.jsonl")
	if _, err := writeHuge(file, p.size(hugeLines)); err != nil {
		return fmt.Errorf("write the lines of a session: %w", err)
	}
	im := &importer.Importer{Library: db, Formats: []importer.Format{claudecode.Format()}}
	report, err := im.Import(ctx, []string{file}, "")
	if err == nil && len(report.Sessions) != 1 {
		err = core.E(core.Internal, "%d sessions came of %s", len(report.Sessions), file)
	}
	logf("imported %d lines in %s", p.size(hugeLines), time.Since(began).Round(time.Second))
	return errors.Join(err, os.Remove(file))
}

func indexAll(ctx context.Context, db *sqlite.DB) error {
	began, told := time.Now(), time.Now()
	err := db.Index(ctx, func(at core.Progress) {
		if time.Since(told) > 10*time.Second {
			told = time.Now()
			logf("indexed %d of %d messages", at.Done, at.Total)
		}
	})
	logf("indexed all in %s", time.Since(began).Round(time.Second))
	return err
}

// logf prints the progress of a measurement on stderr.
func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, "  "+format+"\n", args...) }
