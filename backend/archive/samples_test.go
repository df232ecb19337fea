package archive_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

const now = 1_800_000_000_000

func openLibrary(t testing.TB) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "coppice.db"), sqlite.Options{Now: func() int64 { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// load merges the samples for a time and returns the results.
func load(t *testing.T, db *sqlite.DB, at int64) []core.Merged {
	t.Helper()
	samples, err := archive.Samples(at)
	if err != nil {
		t.Fatal(err)
	}
	var merged []core.Merged
	for _, in := range samples {
		m, err := core.Merge(context.Background(), db, in)
		if err != nil {
			t.Fatalf("%s: %v", in.Session.Title, err)
		}
		merged = append(merged, m)
	}
	return merged
}

func TestSamplesLoadOnce(t *testing.T) {
	db := openLibrary(t)
	for _, m := range load(t, db, now) {
		if !m.Created || m.Added == 0 {
			t.Errorf("session %s: %+v", m.SessionID, m)
		}
	}
	before := sessions(t, db)
	for _, m := range load(t, db, now+3_600_000) {
		if m.Created || m.Added+m.Updated+m.Moved != 0 {
			t.Errorf("loaded again, session %s: %+v", m.SessionID, m)
		}
	}
	if after := sessions(t, db); !slices.EqualFunc(before, after, func(a, b core.Session) bool {
		return a.ID == b.ID && a.UpdatedAtMs == b.UpdatedAtMs && a.Title == b.Title
	}) {
		t.Errorf("loading again changed the sessions:\n%+v\n%+v", before, after)
	}
	if flaws, err := db.Check(context.Background(), func(core.Progress) {}); err != nil || len(flaws) > 0 {
		t.Errorf("%q, %v", flaws, err)
	}
}

func sessions(t *testing.T, db *sqlite.DB) []core.Session {
	t.Helper()
	list, err := db.Sessions(context.Background(), core.SessionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSamplesShowEverything checks that the samples contain what the window and the tour show with them.
func TestSamplesShowEverything(t *testing.T) {
	db := openLibrary(t)
	load(t, db, now)
	list := sessions(t, db)
	if len(list) != 8 {
		t.Fatalf("%d sessions", len(list))
	}
	if age := now - list[0].UpdatedAtMs; age != 6*60_000 {
		t.Errorf("the newest is %v old", time.Duration(age)*time.Millisecond)
	}
	var seen sample
	for _, s := range list {
		seen.session(s)
		for m, err := range db.Messages(context.Background(), s.ID) {
			if err != nil {
				t.Fatal(err)
			}
			seen.message(m)
		}
		labels, err := db.Labels(context.Background(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		seen.labels += len(labels)
	}
	if len(seen.sources) < 5 || len(seen.models) < 4 || seen.longest < 150 || seen.branchiest < 5 || seen.labels < 10 {
		t.Errorf("sources %v, models %v, longest %d, most branches %d, labels %d", seen.sources, seen.models, seen.longest, seen.branchiest, seen.labels)
	}
	if seen.edits < 10 || seen.reasoning == 0 || seen.images == 0 || seen.compactions == 0 || seen.interrupted == 0 || seen.free == 0 || seen.alternatives == 0 {
		t.Errorf("something is missing: %+v", seen)
	}
	children, err := db.Sessions(context.Background(), core.SessionFilter{Children: true})
	if err != nil || len(children) != 9 {
		t.Errorf("%d sessions with children, %v", len(children), err)
	}
}

// sample counts what the samples show.
type sample struct {
	sources, models                                    []string
	longest, branchiest                                int64
	edits, reasoning, images, compactions, interrupted int
	free                                               int // sessions of unknown cost
	alternatives                                       int // answers to a prompt that has several
	labels                                             int
}

func (s *sample) session(of core.Session) {
	s.sources = addTo(s.sources, string(of.Source))
	s.models = addTo(s.models, of.Model)
	s.longest, s.branchiest = max(s.longest, of.MessageCount), max(s.branchiest, of.BranchCount)
	if of.Status == core.StatusInterrupted {
		s.interrupted++
	}
	if of.CostNanoUSD == nil {
		s.free++
	}
}

func (s *sample) message(m core.Message) {
	if m.Kind == core.KindCompaction {
		s.compactions++
	}
	if m.Role == core.RoleAssistant && m.Siblings > 1 {
		s.alternatives++
	}
	for _, p := range m.Parts {
		switch {
		case p.Type == core.PartReasoning:
			s.reasoning++
		case p.Type == core.PartMedia:
			s.images++
		case p.Type == core.PartToolCall && p.Name == "edit_file":
			s.edits++
		}
	}
}

func addTo(set []string, value string) []string {
	if slices.Contains(set, value) {
		return set
	}
	return append(set, value)
}
