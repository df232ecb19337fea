package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// measureScreen measures the page of the window, in Chromium and in the real window on a virtual screen. If a program
// or a file is missing, it returns a row that names it. frontend/e2e/tree.bench.ts takes the measurements.
func measureScreen(ctx context.Context, p plan, folder string) ([]row, error) {
	if missing := missingForScreen(); missing != "" {
		return []row{{what: "the screen", figure: "skipped: no " + missing + " (make e2e makes it)"}}, nil
	}
	library, err := filepath.Abs(cmp.Or(p.screenLibrary, filepath.Join(folder, "screen.db")))
	if err != nil {
		return nil, fmt.Errorf("find the library of the screen: %w", err)
	}
	sessions, err := screenLibrary(ctx, p, library)
	if err != nil {
		return nil, fmt.Errorf("make the library of the screen: %w", err)
	}
	titles, err := json.Marshal(sessions)
	if err != nil {
		return nil, fmt.Errorf("name the sessions of the screen: %w", err)
	}
	return runScreen(ctx, folder, []string{"e2e/tree.bench.ts", "e2e/live-tail.test.ts"}, "COPPICE_BENCH_LIBRARY="+library, "COPPICE_BENCH_SESSIONS="+string(titles))
}

// runScreen runs files of measurements of the frontend and returns their rows.
func runScreen(ctx context.Context, folder string, files []string, variables ...string) ([]row, error) {
	file := filepath.Join(folder, "rows.jsonl")
	cmd := exec.CommandContext(ctx, "npx", append([]string{"vitest", "run", "--config", "vitest.bench.config.ts"}, files...)...)
	cmd.Dir = "frontend"
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // the process ends the windows that it opened
	cmd.WaitDelay = 30 * time.Second
	cmd.Env = append(append(os.Environ(), "COPPICE_BENCH_ROWS="+file), variables...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	failed := cmd.Run()
	rows, err := readRows(file)
	return rows, errors.Join(failed, err)
}

func missingForScreen() string {
	if program := missingPrograms("npx", "Xvfb"); program != "" {
		return program
	}
	for _, file := range []string{"build/bin/coppice", "build/bin/coppice-dev", "frontend/node_modules", "frontend/dist/index.html"} {
		if _, err := os.Stat(file); err != nil {
			return file
		}
	}
	return ""
}

// missingPrograms returns the first of the programs that is not installed.
func missingPrograms(programs ...string) string {
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			return program
		}
	}
	return ""
}

// readRows reads the rows that frontend/e2e/bench-rows.ts wrote, one per line. A ratio is relative to a time budget and
// must not exceed 1.
func readRows(path string) ([]row, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the rows of the screen: %w", err)
	}
	var rows []row
	for lines := bufio.NewScanner(strings.NewReader(string(data))); lines.Scan(); {
		var printed struct {
			What, Figure, Budget string
			Ratio                float64
			Failed               bool
		}
		if err := json.Unmarshal(lines.Bytes(), &printed); err != nil {
			return rows, fmt.Errorf("read a row of the screen: %w", err)
		}
		r := row{what: printed.What, figure: printed.Figure, reference: printed.Budget, ratio: printed.Ratio, failed: printed.Failed}
		if printed.Ratio > 0 {
			r.limit = 1
		}
		rows = append(rows, r)
	}
	return rows, nil
}
