package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"coppice/app/internal/export"
	"coppice/backend/core"
)

// measureExport exports a session of 100,000 messages in the formats that hold its texts. The time is shown beside that of copying the
// bytes; the memory must stay below a limit that does not depend on the size.
func measureExport(ctx context.Context, p plan, folder string) ([]row, error) {
	db, err := openLibrary(ctx, folder, "export")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	n := p.size(100_000)
	id, err := addChain(ctx, db, "export", n)
	if err != nil {
		return nil, err
	}
	session, err := db.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, format := range []string{export.HTML, export.Markdown, export.Text, export.JSON} {
		for _, redact := range []bool{false, true} {
			plan := export.Plan{Sessions: []core.Session{session}, Format: format, Scope: "tree", Redact: redact}
			r, err := exportOnce(ctx, plan, n, func(path string) error { _, err := plan.ToPath(ctx, db, path); return err }, filepath.Join(folder, "out."+format))
			if err != nil {
				return rows, err
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// maxExportBytes is the most heap that an export of any size may add.
const maxExportBytes = 64 << 20

// exportOnce measures the throughput of an export, and the heap that it adds.
func exportOnce(ctx context.Context, plan export.Plan, n int, write func(path string) error, path string) (row, error) {
	runtime.GC()
	before := heapBytes()
	stop, peak := make(chan struct{}), make(chan uint64)
	go func() {
		most := before
		for {
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(5 * time.Millisecond):
				most = max(most, heapBytes())
			}
		}
	}()
	start := time.Now()
	err := write(path)
	took := time.Since(start)
	close(stop)
	most := <-peak
	if err != nil {
		return row{}, err
	}
	written, err := takeAway(path)
	if err != nil {
		return row{}, err
	}
	reference, err := copied(ctx, written, filepath.Dir(path))
	if err != nil {
		return row{}, err
	}
	what := fmt.Sprintf("export %d messages as %s", n, plan.Format)
	if plan.Redact {
		what += ", redacted"
	}
	added := most - before
	return row{
		what:      what,
		figure:    fmt.Sprintf("%.0f MB/s (%.0f MB in %s), heap +%.0f MB of %d", float64(written)/1e6/took.Seconds(), float64(written)/1e6, show(took), float64(added)/(1<<20), maxExportBytes>>20),
		reference: "copying the bytes " + show(reference),
		ratio:     float64(added) / maxExportBytes,
		limit:     1,
	}, nil
}

func heapBytes() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapInuse
}

// takeAway removes what an export wrote, a file or a folder of pages, and returns its size.
func takeAway(path string) (size int64, err error) {
	if _, err := os.Stat(path); err != nil {
		path = path[:len(path)-len(filepath.Ext(path))]
	}
	err = filepath.WalkDir(path, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("measure %s: %w", path, err)
	}
	return size, os.RemoveAll(path)
}

// copied returns how long it takes to write so many bytes durably to a file.
func copied(ctx context.Context, size int64, folder string) (time.Duration, error) {
	path := filepath.Join(folder, "copy")
	defer os.Remove(path)
	chunk := make([]byte, 1<<20)
	start := time.Now()
	file, err := os.Create(path)
	if err != nil {
		return 0, fmt.Errorf("copy the bytes: %w", err)
	}
	defer file.Close()
	for left := size; left > 0 && ctx.Err() == nil; left -= int64(len(chunk)) {
		if _, err := file.Write(chunk[:min(left, int64(len(chunk)))]); err != nil {
			return 0, fmt.Errorf("copy the bytes: %w", err)
		}
	}
	if err := file.Sync(); err != nil {
		return 0, fmt.Errorf("copy the bytes: %w", err)
	}
	return time.Since(start), nil
}
