package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
)

// measureImport imports a folder of Claude Code sessions into an empty library, and again when nothing has changed. The
// reference is the least work that reading JSON lines needs: checking that each line is valid.
func measureImport(ctx context.Context, p plan, folder string) ([]row, error) {
	paths, sizeBytes, err := sessionFiles(p.samples)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		fmt.Fprintf(os.Stderr, "no sessions in %s: the import is not measured\n", p.samples)
		return nil, nil
	}
	validate := &sample{run: func() error { return validLines(paths) }}
	n := 0
	var last *importer.Importer
	cold := &sample{run: func() error {
		n++
		db, err := openLibrary(ctx, folder, fmt.Sprintf("import-%d", n))
		if err != nil {
			return err
		}
		// The last library stays open for the second import.
		last = &importer.Importer{Library: db, Formats: []importer.Format{claudecode.Format()}}
		_, err = last.Import(ctx, []string{p.samples}, "")
		return err
	}}
	if err := alternate(ctx, 3, validate, cold); err != nil {
		return nil, err
	}
	again := &sample{run: func() error {
		_, err := last.Import(ctx, []string{p.samples}, core.SourceClaudeCode)
		return err
	}}
	if err := alternate(ctx, 20, again); err != nil {
		return nil, err
	}
	imported := compare(fmt.Sprintf("import %d files, %s", len(paths), megabytes(sizeBytes)), cold, "checking that the lines are JSON:", validate, 0)
	imported.figure += ", " + rate(sizeBytes, cold.median())
	return []row{imported, compare("the same, nothing changed", again, "first import:", cold, 0.1)}, nil
}

func sessionFiles(folder string) (paths []string, sizeBytes int64, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		paths, sizeBytes = append(paths, path), sizeBytes+info.Size()
		return nil
	})
	if os.IsNotExist(err) {
		return nil, 0, nil
	}
	return paths, sizeBytes, err
}

func validLines(paths []string) error {
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(make([]byte, 0, 1<<20), 64<<20)
		valid := 0
		for lines.Scan() {
			if json.Valid(lines.Bytes()) {
				valid++
			}
		}
		f.Close()
		if err := lines.Err(); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if valid == 0 {
			return fmt.Errorf("%s has no line of JSON", path)
		}
	}
	return nil
}

func megabytes(sizeBytes int64) string { return fmt.Sprintf("%.1f MB", float64(sizeBytes)/1e6) }

func rate(sizeBytes int64, d time.Duration) string {
	return fmt.Sprintf("%.0f MB/s", float64(sizeBytes)/1e6/d.Seconds())
}
