package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"coppice/app/internal/export"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// maxFolderPageBytes is the largest page of a folder that an export may write: a page beyond it should have been split.
const maxFolderPageBytes = 25 << 20

// pageFiles are the pages that frontend/e2e/pages.bench.ts opens and scrolls.
type pageFiles struct {
	Page  string `json:"page"`  // all messages
	Index string `json:"index"` // of the folder
	Part  string `json:"part"`  // the largest page of the folder
	Small string `json:"small"` // a page of 400 messages, to compare with
}

// measurePages exports a tree of 50,000 messages as one page and as a folder of pages, and measures how they open and scroll in Chromium
// and in WebKitGTK.
func measurePages(ctx context.Context, p plan, folder string) ([]row, error) {
	db, err := openLibrary(ctx, folder, "pages")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	session, err := addWork(ctx, db, p.size(50_000))
	if err != nil {
		return nil, err
	}
	plan := export.Plan{Sessions: []core.Session{session}, Format: export.HTML, Scope: "tree"}
	files := pageFiles{Page: filepath.Join(folder, "one.html"), Small: filepath.Join(folder, "small.html")}
	if err := writePage(ctx, plan, db, files.Page); err != nil {
		return nil, err
	}
	small := plan
	if session, err = addWork(ctx, db, 400); err != nil {
		return nil, err
	}
	small.Sessions = []core.Session{session}
	if err := writePage(ctx, small, db, files.Small); err != nil {
		return nil, err
	}
	start := time.Now()
	if files.Index, err = plan.ToPath(ctx, db, filepath.Join(folder, "several.html")); err != nil {
		return nil, err
	}
	rows, err := folderRow(&files, plan.Sessions[0].MessageCount, time.Since(start))
	if err != nil {
		return nil, err
	}
	if missing := missingPrograms("npx", "Xvfb"); missing != "" {
		return append(rows, row{what: "exported pages", figure: "skipped: no " + missing}), nil
	}
	names, err := json.Marshal(files)
	if err != nil {
		return rows, fmt.Errorf("name the pages: %w", err)
	}
	screen, err := runScreen(ctx, folder, []string{"e2e/pages.bench.ts"}, "COPPICE_BENCH_PAGES="+string(names))
	return append(rows, screen...), err
}

// writePage writes a session as one page, whatever its size.
func writePage(ctx context.Context, plan export.Plan, db *sqlite.DB, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write a page: %w", err)
	}
	return errors.Join(plan.To(ctx, db, file), file.Close())
}

// folderRow returns the row of the folder, and notes its largest page in files. A quick run has one page, which is all of it.
func folderRow(files *pageFiles, messages int64, took time.Duration) ([]row, error) {
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(files.Index), "*.html"))
	if err != nil {
		return nil, fmt.Errorf("list the pages: %w", err)
	}
	pages, total, largest := 0, int64(0), int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("measure a page: %w", err)
		}
		if path == files.Page || path == files.Small {
			continue
		}
		pages++
		total += info.Size()
		if path != files.Index && info.Size() > largest {
			files.Part, largest = path, info.Size()
		}
	}
	return []row{{
		what:      fmt.Sprintf("export %d messages as a folder of pages", messages),
		figure:    fmt.Sprintf("%d pages, %s in %s, the largest %s", pages, megabytes(total), show(took), megabytes(largest)),
		reference: "at most " + megabytes(maxFolderPageBytes), ratio: float64(largest) / maxFolderPageBytes, limit: 1,
	}}, nil
}

// addWork adds a tree of n messages in the shape of an agent's work, with prose, code, tables and outputs.
func addWork(ctx context.Context, db *sqlite.DB, n int) (core.Session, error) {
	title := fmt.Sprintf("work of %d", n)
	merged, err := core.Merge(ctx, db, core.Incoming{
		Header:   core.Header{Session: core.Session{Source: core.SourceCoppice, SourceID: title, Title: title, CreatedAtMs: startMs}},
		Messages: worked(n),
		Head:     func() string { return uid(n - 1) },
	})
	if err != nil {
		return core.Session{}, fmt.Errorf("add a session, %s: %w", title, err)
	}
	return db.Session(ctx, merged.SessionID)
}

const (
	workedAnswer = "## What part %d does\n\nIt *retries* each request **three** times, see `retry.go` and [the notes](https://example.org/notes):\n\n" +
		"- the first after a second,\n- the second after five,\n- the last after a minute.\n\n| attempt | delay | result |\n|---|---:|---|\n| 1 | 1 s | refused |\n" +
		"| 2 | 5 s | refused |\n| 3 | 60 s | sent |\n\n```go\nfunc send(ctx context.Context, m Mail) error {\n\tfor _, delay := range delays {\n\t\tif err := try(ctx, m); err == nil {\n" +
		"\t\t\treturn nil\n\t\t}\n\t\ttime.Sleep(delay)\n\t}\n\treturn errRefused\n}\n```\n\nUndo it, and try it with a table instead.\n"
	workedLine = "src/mail/outbox.go:%d: func (o *Outbox) next(ctx context.Context) (Mail, error) // takes the oldest mail that is due\n"
)

// worked yields the messages of the shape agent with longer texts.
func worked(n int) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		for m, err := range shaped(shapes()["agent"], n) {
			if err == nil {
				lengthen(&m.Message)
			}
			if !yield(m, err) {
				return
			}
		}
	}
}

func lengthen(m *core.Message) {
	for i := range m.Parts {
		part := &m.Parts[i]
		switch {
		case part.Type == core.PartToolResult:
			var lines strings.Builder
			for line := range 12 {
				fmt.Fprintf(&lines, workedLine, line)
			}
			part.Result = []core.Part{{Type: core.PartText, Text: lines.String()}}
		case m.Role == core.RoleAssistant && part.Type == core.PartText && len(m.Parts) == 1:
			part.Text = fmt.Sprintf(workedAnswer, m.CreatedAtMs%1000)
		}
	}
}
