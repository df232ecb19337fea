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

// peer is what agentsview v0.31.1 took for a library of this size on two quiet cores, with only the text of messages indexed.
type peer struct {
	bytes, fileBytes                      int64
	cold, again, words, substring, listed time.Duration
}

// peers are the figures of research in November 2026.
func peers(large bool) peer {
	if large {
		return peer{
			1_760_000_000, 524_000_000, 33 * time.Second, 120 * time.Millisecond, 66 * time.Millisecond, 611 * time.Millisecond, 2800 * time.Microsecond,
		}
	}
	return peer{
		351_000_000, 105_000_000, 5700 * time.Millisecond, 33 * time.Millisecond, 14 * time.Millisecond, 85 * time.Millisecond, 2400 * time.Microsecond,
	}
}

// measureLibrary imports the samples replicated to the size of a busy year, indexes them, and searches.
func measureLibrary(ctx context.Context, p plan, folder string) ([]row, error) {
	paths, _, err := sessionFiles(filepath.Join(p.samples, "real"))
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	there := peers(p.large)
	peer, speed, err := there.here(ctx, paths, folder)
	if err != nil {
		return nil, fmt.Errorf("measure the machine: %w", err)
	}
	fmt.Fprintf(os.Stderr, "beside the machine of the peer: %s\n", speed)
	wanted := peer.bytes
	if p.quick {
		wanted /= 10
	}
	l := &library{folder: folder, sources: filepath.Join(folder, "sources")}
	size, err := replicate(paths, l.sources, wanted)
	if err != nil {
		return nil, fmt.Errorf("replicate the samples: %w", err)
	}
	defer l.close()
	rows, err := l.measureImport(ctx, p, size, there, peer)
	if err != nil {
		return rows, err
	}
	more, err := measureSearch(ctx, p, l.db, there, peer)
	if err == nil {
		err = l.close() // which puts all that was written into the file
	}
	return append(append(rows, fileSize(l.db.FilePath(), peer, size)), more...), err
}

// library is one that sources are imported into, each time into an empty file.
type library struct {
	folder, sources string
	db              *sqlite.DB // of the last time
	times           int
}

func (l *library) close() error {
	if l.db == nil {
		return nil
	}
	return l.db.Close()
}

// renew leaves the last file for an empty one.
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

// measureImport measures the first import, its index and an import of nothing new.
func (l *library) measureImport(ctx context.Context, p plan, sizeBytes int64, there, peer peer) ([]row, error) {
	all, _, err := sessionFiles(l.sources)
	if err != nil {
		return nil, err
	}
	rounds := 3
	if p.large {
		rounds = 1
	}
	validate := &sample{run: func() error { return validLines(all) }}
	opened := &sample{run: func() error { return l.renew(ctx) }}
	imported := &sample{run: func() error { return l.fill(ctx) }}
	indexed := &sample{run: func() error { return l.db.Index(ctx, nil) }}
	if err := alternate(ctx, rounds, validate, opened, imported, indexed); err != nil {
		return nil, err
	}
	again := &sample{run: imported.run}
	if err := alternate(ctx, 10, again); err != nil {
		return nil, err
	}
	both := &sample{times: []time.Duration{imported.median() + indexed.median()}}
	first := compare("import "+megabytes(sizeBytes)+" and index every word", both, "checking that the lines are JSON:", validate, 0)
	first.figure += fmt.Sprintf(" (import %s, index %s), %s", show(imported.median()), show(indexed.median()), rate(sizeBytes, both.median()))
	return []row{
		first, beside(p, "  of it all, the peer, messages alone", both, there.cold, peer.cold),
		compare("the same, nothing changed", again, "first time:", both, 0.02), beside(p, "  the peer", again, there.again, peer.again),
	}, nil
}

// beside sets a time against that of the peer, as it was measured there and as it would be at the speed of this machine.
func beside(p plan, what string, s *sample, there, here time.Duration) row {
	r := row{
		what: what, figure: show(s.median()), reference: fmt.Sprintf("%s at this machine's speed (%s on its own)", show(here), show(there)),
		ratio: float64(s.median()) / float64(here), limit: 1,
	}
	if p.quick {
		r.reference, r.ratio, r.limit = r.reference+" for ten times as much", 0, 0
	}
	return r
}

func fileSize(path string, peer peer, sourceBytes int64) row {
	info, err := os.Stat(path)
	if err != nil {
		return row{what: "size of the file", figure: err.Error()}
	}
	r := row{what: "size of the file, every word indexed", figure: megabytes(info.Size()), reference: "the sources: " + megabytes(sourceBytes)}
	r.ratio, r.limit = float64(info.Size())/float64(sourceBytes), 0.4
	r.reference += fmt.Sprintf("; the peer, messages alone: %s of %s", megabytes(peer.fileBytes), megabytes(peer.bytes))
	return r
}

// measureSearch searches a library. The reference is going through the text of every message, which is what a search without an index is.
func measureSearch(ctx context.Context, p plan, db *sqlite.DB, there, peer peer) ([]row, error) {
	searcher := func(q core.SearchQuery) *sample {
		return &sample{run: func() error {
			found, err := db.Search(ctx, q)
			if err == nil && len(found.Hits) == 0 && found.Next == 0 && q.Text != missing {
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
		peer  time.Duration
	}{
		{"a word: error", core.SearchQuery{Text: "error"}, peer.words},
		{"a word: checkpoint", core.SearchQuery{Text: "checkpoint"}, peer.words},
		{"a word: func", core.SearchQuery{Text: "func"}, peer.words},
		{"a common word: the", core.SearchQuery{Text: "the"}, 0},
		{"a phrase", core.SearchQuery{Text: `"error handling"`}, 0},
		{"a beginning: check*", core.SearchQuery{Text: "check*"}, 0},
		{"words and fields", core.SearchQuery{Text: "error NOT test role:assistant"}, 0},
		{"a word, best first", core.SearchQuery{Text: "error", Order: core.Relevance}, 0},
		{"a substring: heckpoin", core.SearchQuery{Text: "heckpoin", Substring: true}, peer.substring},
		{"a substring: err != nil {", core.SearchQuery{Text: "err != nil {", Substring: true}, peer.substring},
		{"a regular expression", core.SearchQuery{Text: `check\w+s`, Regex: true}, 0},
		{"marks alone: =>", core.SearchQuery{Text: "=>", WithinMs: firstMs}, 0},
		{"an expression without a text", core.SearchQuery{Text: `[0-9]{4}-[0-9]{2}`, Regex: true, WithinMs: firstMs}, 0},
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
		if s.peer > 0 && !p.quick {
			r.reference += fmt.Sprintf("; the peer: %s at this machine's speed", show(s.peer))
		}
		rows = append(rows, r)
	}
	rows = append(rows, compare("count the hits of a word: error", counting[0], "reading every text:", everything, 0.2),
		compare("count the hits of a common word: the", counting[1], "reading every text:", everything, 0.2))
	return append(rows, beside(p, "list 50 sessions of it, the peer", listed, there.listed, peer.listed)), nil
}

// firstMs is how long a search that reads texts may take in the window until it shows what it has found.
const firstMs = 200

// missing is an expression that stands nowhere, and has no text that an index could rule out.
const missing = `[0-9]{40}[q-z]{3}`
