package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
)

// hugeLines and hugeTitle describe a session of 200 MB. The title is its first prompt.
const (
	hugeLines = 600_000
	hugeTitle = "step 0"
)

// measureHuge imports one session of 600,000 lines and 200 MB, and reads the first 50 messages that a window shows.
func measureHuge(ctx context.Context, p plan, folder string) ([]row, error) {
	lines := p.size(hugeLines)
	path := filepath.Join(folder, "huge.jsonl")
	size, err := writeHuge(path, lines)
	if err != nil {
		return nil, err
	}
	db, err := openLibrary(ctx, folder, "huge")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	im := &importer.Importer{Library: db, Formats: []importer.Format{claudecode.Format()}}
	validate := &sample{run: func() error { return validLines([]string{path}) }}
	id := ""
	imported := &sample{run: func() error {
		report, err := im.Import(ctx, []string{path}, "")
		if err == nil && len(report.Sessions) != 1 {
			return fmt.Errorf("%d sessions, problems %v", len(report.Sessions), report.Problems)
		}
		if err == nil {
			id = report.Sessions[0]
		}
		return err
	}}
	appends, err := appender(ctx, db, 1000)
	if err != nil {
		return nil, err
	}
	if err := alternate(ctx, 50, appends); err != nil {
		return nil, err
	}
	meanwhile := &sample{run: appends.run}
	stop := keepRunning(meanwhile, 20*time.Millisecond)
	err = alternate(ctx, 1, validate, imported)
	if err := errors.Join(err, stop()); err != nil {
		return nil, err
	}
	small, err := addChain(ctx, db, "small", 1000)
	if err != nil {
		return nil, err
	}
	reader := func(id string) *sample {
		return &sample{run: func() error {
			w, err := db.Window(ctx, id, "", -50, 50)
			if err == nil && len(w.Messages) != 50 {
				err = fmt.Errorf("a window of %d messages", len(w.Messages))
			}
			return err
		}}
	}
	inSmall, inHuge := reader(small), reader(id)
	if err := alternate(ctx, 50, inSmall, inHuge); err != nil {
		return nil, err
	}
	what := fmt.Sprintf("import a session of %d lines, %s", lines, megabytes(size))
	first := compare(what, imported, "checking that the lines are JSON:", validate, 0)
	first.figure += ", " + rate(size, imported.median())
	waited := compare("  add a message meanwhile", meanwhile, "while nothing is imported:", appends, 0)
	waited.figure += ", at worst " + show(slices.Max(meanwhile.times))
	return []row{first, waited, compare("read the last 50 of it", inHuge, "of 1,000:", inSmall, 3)}, nil
}

// keepRunning runs a sample repeatedly, with rests, until stop is called.
func keepRunning(s *sample, rest time.Duration) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		for ctx.Err() == nil {
			if err := alternate(ctx, 1, s); err != nil && ctx.Err() == nil {
				ended <- err
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(rest):
			}
		}
		ended <- nil
	}()
	return func() error { cancel(); return <-ended }
}

// writeHuge writes a session with the given number of lines. Every twentieth is a prompt.
func writeHuge(path string, lines int) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	const head = `{"type":%q,"uuid":"%08d-0000-4000-8000-000000000000","parentUuid":%s,"sessionId":"00000000-0000-4000-8000-000000000001",` +
		`"timestamp":"2026-01-01T%02d:%02d:%02d.%03dZ","cwd":"/home/ada/work","version":"2.1.42","message":`
	parent := "null"
	for i := range lines {
		s := i / 20
		kind := "assistant"
		if i%20 == 0 {
			kind = "user"
		}
		fmt.Fprintf(w, head, kind, i, parent, s/3600%24, s/60%60, s%60, i%1000)
		said := fmt.Sprintf("step %d %s", i, strings.Repeat("ab ", i%20))
		if kind == "user" {
			fmt.Fprintf(w, `{"role":"user","content":%q}}`+"\n", said)
		} else {
			fmt.Fprintf(w, `{"id":"msg_%d","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":%q}]}}`+"\n", i, said)
		}
		parent = fmt.Sprintf(`"%08d-0000-4000-8000-000000000000"`, i)
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
