package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
	"coppice/backend/sqlite"
)

// The limits for following: an appended message is seen within a second, and one percent of a processor while nothing
// is written.
const (
	seenWithin = time.Second
	idleShare  = 100
	idleFor    = 5 * time.Second
)

// measureFollow imports 5,000 unchanged files again, and follows them. It measures how long an appended message takes
// to reach the library, and the processor time while nothing is written.
func measureFollow(ctx context.Context, p plan, folder string) ([]row, error) {
	n := p.size(5000)
	sources := filepath.Join(folder, "sources")
	last, err := writeSources(sources, n)
	if err != nil {
		return nil, err
	}
	db, err := openLibrary(ctx, folder, "follow")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	im := importer.Importer{Library: db, Formats: []importer.Format{claudecode.Format()}}
	if _, err := im.Import(ctx, []string{sources}, ""); err != nil {
		return nil, err
	}
	bare := &sample{run: func() error { _, _, err := sessionFiles(sources); return err }}
	look := &sample{run: func() error {
		report, err := im.Import(ctx, []string{sources}, "")
		if err == nil && report.Unchanged != int64(n) {
			err = fmt.Errorf("%d of %d files are unchanged", report.Unchanged, n)
		}
		return err
	}}
	if err := alternate(ctx, 20, bare, look); err != nil {
		return nil, err
	}
	rows := []row{compare(fmt.Sprintf("look over %d unchanged sources", n), look, "asking the system for their sizes:", bare, 10)}
	more, err := measureFollowing(ctx, db, im, sources, last)
	return append(rows, more...), err
}

// measureFollowing follows the folder and appends to one of its files several times. Then it measures while nothing is
// written.
func measureFollowing(ctx context.Context, db *sqlite.DB, im importer.Importer, folder, path string) ([]row, error) {
	came := make(chan core.Report, 100)
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	f := importer.Follower{Importer: im, Paths: []string{folder}, Report: func(r core.Report, _ error) { came <- r }}
	go func() { defer close(ended); f.Follow(ctx) }()
	defer func() { stop(); <-ended }()
	session, err := db.Session(ctx, sourceID(path))
	if err != nil {
		return nil, err
	}
	count := session.MessageCount
	appended := &sample{run: func() error {
		count++
		return appendAndWait(ctx, db, path, session.ID, count, came)
	}}
	if err := alternate(ctx, 10, appended); err != nil {
		return nil, err
	}
	before := processorTime()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(idleFor):
	}
	spent := processorTime() - before
	seen := row{what: "  a message appended to one, until it is in the library", figure: show(appended.median()), reference: "allowed: " + show(seenWithin), limit: 1}
	seen.ratio = float64(appended.median()) / float64(seenWithin)
	idle := row{what: "  following them while nothing is written", figure: show(spent*time.Second/idleFor) + " of a processor's second", limit: 1}
	idle.reference, idle.ratio = "allowed: "+show(time.Second/idleShare), float64(spent)*idleShare/float64(idleFor)
	return []row{seen, idle}, nil
}

// appendAndWait appends message number to the file of a session, and waits until the library has it.
func appendAndWait(ctx context.Context, db *sqlite.DB, path, id string, number int64, came <-chan core.Report) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(sourceLine(sourceID(path), number-1))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	patience := time.After(20 * time.Second)
	for {
		session, err := db.Session(ctx, id)
		if err != nil || session.MessageCount == number {
			return err
		}
		select {
		case <-came:
		case <-patience:
			return fmt.Errorf("message %d of %s did not come", number, path)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// writeSources writes n small sessions of Claude Code into folders of a hundred, and returns the path of the last one.
func writeSources(folder string, n int) (path string, err error) {
	for i := range n {
		at := filepath.Join(folder, fmt.Sprintf("project-%d", i/100))
		if err := os.MkdirAll(at, 0o700); err != nil {
			return "", err
		}
		path = filepath.Join(at, fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", i))
		id := sourceID(path)
		if err := os.WriteFile(path, []byte(sourceLine(id, 0)+sourceLine(id, 1)), 0o600); err != nil {
			return "", err
		}
	}
	return path, nil
}

// sourceID returns the id of the session in a file.
func sourceID(path string) string { return filepath.Base(path)[:idBytes] }

// sourceLine returns a line of a session in which prompts and answers alternate.
func sourceLine(id string, number int64) string {
	parent := "null"
	if number > 0 {
		parent = fmt.Sprintf(`"%s%04d"`, id[:idBytes-4], number-1)
	}
	head := fmt.Sprintf(`"uuid":"%s%04d","parentUuid":%s,"sessionId":%q,"timestamp":"2026-01-01T00:%02d:%02d.000Z","cwd":"/home/ada/work","version":"2.1.42"`,
		id[:idBytes-4], number, parent, id, number/60%60, number%60)
	if number%2 == 0 {
		return fmt.Sprintf(`{"type":"user",%s,"message":{"role":"user","content":"prompt %d"}}`+"\n", head, number)
	}
	return fmt.Sprintf(`{"type":"assistant",%s,"message":{"id":"msg_%d","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"answer %d"}]}}`+"\n",
		head, number, number)
}
