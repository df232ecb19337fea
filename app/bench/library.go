package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
	"coppice/backend/sqlite"
)

// libraryBytes is the size of the sessions of a busy year, and largeBytes the size of those of five years.
const (
	libraryBytes = 351_000_000
	largeBytes   = 1_760_000_000
)

// measureLibrary imports the samples replicated to the size of a busy year, indexes them, and searches.
func measureLibrary(ctx context.Context, p plan, folder string) ([]row, error) {
	paths, _, err := sessionFiles(filepath.Join(p.samples, "real"))
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	wanted := int64(libraryBytes)
	if p.large {
		wanted = largeBytes
	}
	if p.quick {
		wanted /= 10
	}
	l := &library{folder: folder, sources: filepath.Join(folder, "sources")}
	size, err := replicate(paths, l.sources, wanted)
	if err != nil {
		return nil, fmt.Errorf("replicate the samples: %w", err)
	}
	defer l.close()
	rows, err := l.measureImport(ctx, p, size)
	if err != nil {
		return rows, err
	}
	more, err := measureSearch(ctx, l.db)
	if err == nil {
		err = l.close() // writes everything to the file
	}
	return append(append(rows, l.fileSize(size)), more...), err
}

// library imports sources, each time into an empty file.
type library struct {
	folder, sources string
	db              *sqlite.DB // the library of the last import
	times           int
}

func (l *library) close() error {
	if l.db == nil {
		return nil
	}
	return l.db.Close()
}

// renew closes the last file and opens an empty one.
func (l *library) renew(ctx context.Context) (err error) {
	if err := l.close(); err != nil {
		return err
	}
	l.times++
	l.db, err = openLibrary(ctx, l.folder, fmt.Sprintf("library-%d", l.times))
	return err
}

func (l *library) fill(ctx context.Context) error {
	im := &importer.Importer{Library: l.db, Formats: []importer.Format{claudecode.Format()}}
	_, err := im.Import(ctx, []string{l.sources}, "")
	return err
}

// measureImport measures the first import, the indexing after it, and an import without changes.
func (l *library) measureImport(ctx context.Context, p plan, sizeBytes int64) ([]row, error) {
	all, _, err := sessionFiles(l.sources)
	if err != nil {
		return nil, err
	}
	rounds := 3
	if p.large {
		rounds = 1
	}
	plain := &sample{run: func() error { return plainImport(ctx, all, l.plainPath()) }}
	opened := &sample{run: func() error { return l.renew(ctx) }}
	imported := &sample{run: func() error { return l.fill(ctx) }}
	indexed := &sample{run: func() error { return l.db.Index(ctx, nil) }}
	if err := alternate(ctx, rounds, opened, plain, imported, indexed); err != nil {
		return nil, err
	}
	again := &sample{run: imported.run}
	if err := alternate(ctx, 10, again); err != nil {
		return nil, err
	}
	both := &sample{
		times:     []time.Duration{imported.median() + indexed.median()},
		processor: []time.Duration{imported.medianProcessor() + indexed.medianProcessor()},
	}
	const reference = "the plainest importer, messages alone indexed:"
	first := compare("import "+megabytes(sizeBytes)+" and index every word", both, reference, plain, 1)
	first.figure += fmt.Sprintf(" (import %s, index %s), %s", show(imported.median()), show(indexed.median()), rate(sizeBytes, both.median()))
	rows := []row{first}
	if spent := plain.medianProcessor(); spent > 0 {
		rows = append(rows, row{
			what: "  its processor time", figure: show(both.medianProcessor()), reference: reference + " " + show(spent),
			ratio: float64(both.medianProcessor()) / float64(spent), limit: 1,
		})
	}
	return append(rows, compare("the same, nothing changed", again, "first time:", both, 0.02)), nil
}

// plainPath returns the path of the plain importer's file, and removes the file.
func (l *library) plainPath() string {
	path := filepath.Join(l.folder, "plain.db")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix) // the file does not exist the first time
	}
	return path
}

// fileLimit is the maximum size of the file relative to the plain importer's; see docs/decisions/0017-packs.md.
const fileLimit = 1.0

// fileSize compares the size of the file with the plain importer's, which stores neither records nor the words of
// tools.
func (l *library) fileSize(sourceBytes int64) row {
	r := row{what: "size of the file, every word indexed"}
	info, err := os.Stat(l.db.FilePath())
	if err != nil {
		r.figure, r.failed = err.Error(), true
		return r
	}
	plain, err := os.Stat(filepath.Join(l.folder, "plain.db"))
	if err != nil {
		r.figure, r.failed = err.Error(), true
		return r
	}
	r.figure = megabytes(info.Size())
	r.reference = fmt.Sprintf("the plainest importer: %s; the sources: %s", megabytes(plain.Size()), megabytes(sourceBytes))
	r.ratio, r.limit = float64(info.Size())/float64(plain.Size()), fileLimit
	return r
}

// measureSearch measures searches of a library. The reference is reading the text of every message, as a search without
// an index does.
func measureSearch(ctx context.Context, db *sqlite.DB) ([]row, error) {
	searcher := func(q core.SearchQuery) *sample {
		return &sample{run: func() error {
			found, err := db.Search(ctx, q)
			if err == nil && len(found.Hits) == 0 && found.Next == 0 && q.Text != missing && q.Text != missingMarks {
				err = fmt.Errorf("nothing found for %q", q.Text)
			}
			return err
		}}
	}
	everything := searcher(core.SearchQuery{Text: missing, Regex: true})
	if err := alternate(ctx, 1, everything); err != nil {
		return nil, err
	}
	searches := []struct {
		what  string
		query core.SearchQuery
	}{
		{"a word: error", core.SearchQuery{Text: "error"}},
		{"a word: checkpoint", core.SearchQuery{Text: "checkpoint"}},
		{"a word: func", core.SearchQuery{Text: "func"}},
		{"a common word: the", core.SearchQuery{Text: "the"}},
		{"a phrase", core.SearchQuery{Text: `"error handling"`}},
		{"a beginning: check*", core.SearchQuery{Text: "check*"}},
		{"words and fields", core.SearchQuery{Text: "error NOT test role:assistant"}},
		{"a word, best first", core.SearchQuery{Text: "error", Order: core.Relevance}},
		{"a substring: heckpoin", core.SearchQuery{Text: "heckpoin", Substring: true}},
		{"a substring: err != nil {", core.SearchQuery{Text: "err != nil {", Substring: true}},
		{"a regular expression", core.SearchQuery{Text: `check\w+s`, Regex: true}},
		{"marks alone: =>", core.SearchQuery{Text: "=>", WithinMs: firstMs}},
		{"marks that no message has: =>{<", core.SearchQuery{Text: missingMarks}},
		{"an expression without a text", core.SearchQuery{Text: `[0-9]{4}-[0-9]{2}`, Regex: true, WithinMs: firstMs}},
	}
	samples := make([]*sample, len(searches))
	for i, s := range searches {
		samples[i] = searcher(s.query)
	}
	counting := make([]*sample, 2)
	for i, word := range []string{"error", "the"} {
		counting[i] = &sample{run: func() error { _, err := db.CountHits(ctx, core.SearchQuery{Text: word}); return err }}
	}
	listed := &sample{run: func() error { _, err := db.Sessions(ctx, core.SessionFilter{Limit: 50}); return err }}
	if err := alternate(ctx, 15, slices.Concat(samples, counting, []*sample{listed})...); err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(searches)+2)
	for i, s := range searches {
		r := compare("search, "+s.what, samples[i], "reading every text:", everything, 0.2)
		if within := time.Duration(s.query.WithinMs) * time.Millisecond; within > 0 {
			r.reference = "allowed until something is shown: " + show(within)
			r.ratio, r.limit = float64(samples[i].median())/float64(within), 1.1
		}
		rows = append(rows, r)
	}
	rows = append(rows, compare("count the hits of a word: error", counting[0], "reading every text:", everything, 0.2),
		compare("count the hits of a common word: the", counting[1], "reading every text:", everything, 0.2))
	return append(rows, compare("list 50 sessions of it", listed, "reading every text:", everything, 0.02)), nil
}

// firstMs is the time limit for the first results of a search that reads texts, in the window.
const firstMs = 200

// missing is an expression without a match. It contains no text that lets an index rule out messages.
const missing = `[0-9]{40}[q-z]{3}`

// missingMarks is a text without words and without a match.
const missingMarks = "=>{<"
