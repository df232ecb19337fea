package sqlite

import (
	"os"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
)

// sourceIDs lists sessions by the ids of their sources.
func sourceIDs(tb testing.TB, db *DB, f core.SessionFilter) []string {
	tb.Helper()
	ids := []string{}
	for _, s := range must(db.Sessions(tb.Context(), f))(tb) {
		ids = append(ids, s.SourceID)
	}
	if n := must(db.CountSessions(tb.Context(), f))(tb); f.Limit == 0 && f.Offset == 0 && n != int64(len(ids)) {
		tb.Errorf("%d sessions are counted, %d listed", n, len(ids))
	}
	return ids
}

// family makes a session with a subagent's, which has one too, and one that was forked from it.
func family(t *testing.T, db *DB) (parent string) {
	t.Helper()
	parent = merged(t, db, incoming("parent", chain(3)...))
	for _, c := range []struct {
		name, parent string
		relation     core.Relation
	}{{"child", parent, core.RelationSubagent}, {"grandchild", "", core.RelationSubagent}, {"fork", parent, core.RelationFork}} {
		in := incoming(c.name, chain(2)...)
		in.Session.ParentID, in.Session.Relation = c.parent, c.relation
		if c.parent == "" {
			in.Session.ParentID = must(db.Session(t.Context(), "child"))(t).ID
		}
		merged(t, db, in)
	}
	return parent
}

func TestTrashTakesChildrenAlong(t *testing.T) {
	db := openTest(t)
	parent := family(t, db)
	check(t, db.Trash(t.Context(), []string{parent}))
	if got := sourceIDs(t, db, core.SessionFilter{Trash: true, Children: true, Sort: core.SortCreated}); !slices.Equal(got, []string{"grandchild", "child", "parent"}) {
		t.Errorf("in the trash: %v", got)
	}
	if got := sourceIDs(t, db, core.SessionFilter{}); !slices.Equal(got, []string{"fork"}) {
		t.Errorf("outside: %v", got)
	}
	if s := must(db.Session(t.Context(), "child"))(t); s.DeletedAtMs == 0 {
		t.Error("a session in the trash is not found by its id")
	}
	check(t, db.Restore(t.Context(), []string{parent}))
	if got := sourceIDs(t, db, core.SessionFilter{Trash: true, Children: true}); len(got) != 0 {
		t.Errorf("in the trash: %v", got)
	}
	wantCode(t, db.Trash(t.Context(), []string{parent, "nobody"}), core.NotFound)
	if s := must(db.Session(t.Context(), parent))(t); s.DeletedAtMs != 0 {
		t.Error("half of a list was moved")
	}
}

func TestPurge(t *testing.T) {
	db := openTest(t)
	image := []byte("an image that two sessions show")
	show := func(name, text string) string {
		m := say("a", "", core.RoleUser)
		m.Parts = append(m.Parts, core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: image}},
			core.Part{Type: core.PartText, Text: text})
		in := incoming(name, m)
		in.Session.SourcePath = "/src/" + name
		in.Cursor = &core.Cursor{Path: in.Session.SourcePath, SizeBytes: 1}
		in.Records = func(yield func(core.Record) bool) { yield(core.Record{Body: []byte("{}")}) }
		return merged(t, db, in)
	}
	one, two := show("one", noise(4_000_000)), show("two", "short")
	check(t, db.SetLabel(t.Context(), one, "a", "gone"))
	check(t, db.Visit(t.Context(), one, "a"))
	_, err := db.Purge(t.Context(), []string{one})
	wantCode(t, err, core.Conflict)
	check(t, db.Trash(t.Context(), []string{one}))
	before := fileSize(t, db)
	if n := must(db.Purge(t.Context(), nil))(t); n != 1 {
		t.Errorf("%d purged", n)
	}
	if after := fileSize(t, db); after > before/2 {
		t.Errorf("the file is still %d bytes of %d", after, before)
	}
	_, err = db.Session(t.Context(), one)
	wantCode(t, err, core.NotFound)
	cursors, err := db.Cursors(t.Context(), []string{"/src/one", "/src/two"})
	check(t, err)
	if _, known := cursors["/src/one"]; known {
		t.Error("its file counts as imported")
	}
	if _, known := cursors["/src/two"]; !known {
		t.Error("another file does not count as imported")
	}
	if _, err := db.Blob(t.Context(), core.Hash(image)); err != nil {
		t.Errorf("what another session shows is gone: %v", err)
	}
	check(t, db.Trash(t.Context(), []string{two}))
	must(db.Purge(t.Context(), []string{two}))(t)
	for _, table := range []string{"sessions", "origins", "branches", "turns", "messages", "labels", "visits", "blobs", "message_blobs", "records", "sources"} {
		var n int
		check(t, readerOf(t, db).Get(&n, `SELECT count(*) FROM `+table))
		if n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
	raw(t, db.FilePath(), `DELETE FROM tombstones`)
	if id := show("one", "again"); id != one {
		t.Errorf("imported again it is session %s", id)
	}
	wantSound(t, db)
}

func fileSize(t *testing.T, db *DB) int64 {
	t.Helper()
	for { // until no other checkpoint is at work
		var result struct{ Busy, Log, Checkpointed int64 }
		if check(t, writerOf(t, db).GetContext(t.Context(), &result, `PRAGMA wal_checkpoint(TRUNCATE)`)); result.Busy == 0 {
			break
		}
	}
	info, err := os.Stat(db.FilePath())
	check(t, err)
	return info.Size()
}

func TestCleanup(t *testing.T) {
	db := openTest(t)
	for _, name := range []string{"old", "pinned", "new"} {
		m := say("a", "", core.RoleUser)
		if name == "new" {
			m.CreatedAtMs += 1000
		}
		id := merged(t, db, incoming(name, m))
		if name == "pinned" {
			check(t, db.Pin(t.Context(), []string{id}, true))
		}
	}
	old := core.Cleanup{BeforeMs: startMs + 500}
	for _, c := range []struct {
		cleanup core.Cleanup
		want    string
	}{
		{core.Cleanup{BeforeMs: old.BeforeMs, Sources: []core.Source{core.SourceCoppice, core.SourceCodex}}, ""},
		{core.Cleanup{BeforeMs: old.BeforeMs, DryRun: true}, "old"},
		{core.Cleanup{BeforeMs: old.BeforeMs, Sources: []core.Source{core.SourceCodex, core.SourceClaudeCode}}, "old"},
		{old, ""},
	} {
		names := ""
		for _, s := range must(db.Cleanup(t.Context(), c.cleanup))(t) {
			names += s.SourceID
		}
		if names != c.want {
			t.Errorf("%+v: cleaned up %q, want %q", c.cleanup, names, c.want)
		}
	}
	if s := must(db.Session(t.Context(), "old"))(t); s.DeletedAtMs == 0 {
		t.Error("the old session is not in the trash")
	}
}

// What was removed for good stays away, also as a subagent of what was removed, until it is asked for.
func TestRemovedForGood(t *testing.T) {
	db := openTest(t)
	parent, other := incoming("parent", chain(2)...), incoming("other", chain(3)...)
	id := merged(t, db, parent)
	check(t, db.Trash(t.Context(), []string{id}))
	must(db.Purge(t.Context(), nil))(t)
	child := incoming("child", chain(1)...)
	child.ParentSourceID, child.Session.Relation = "parent", core.RelationSubagent
	for _, in := range []core.Incoming{parent, child} {
		if m := must(core.Merge(t.Context(), db, in))(t); !m.Removed || m.SessionID != "" {
			t.Errorf("%s came back: %+v", in.Session.SourceID, m)
		}
	}
	if m := must(core.Merge(t.Context(), db, other))(t); m.Removed {
		t.Error("a session that was never removed is left out")
	}
	parent.Again = true
	merged(t, db, parent)
	parent.Again = false
	for _, in := range []core.Incoming{parent, child} {
		if m := must(core.Merge(t.Context(), db, in))(t); m.Removed {
			t.Errorf("%s is left out after it was asked for", in.Session.SourceID)
		}
	}
}

func TestCheckFindsDamage(t *testing.T) {
	for name, test := range map[string]struct{ damage, says string }{
		"place":    {`UPDATE messages SET depth = 77 WHERE uid = 'u4'`, "depth 77"},
		"turn":     {`DELETE FROM turns WHERE number = 1`, "turn"},
		"branch":   {`UPDATE branches SET tip_depth = 1`, "its branches and turns"},
		"counter":  {`UPDATE sessions SET step_count = 99`, "counters"},
		"facet":    {`UPDATE facets SET count = 3`, "filtered by"},
		"head":     {`UPDATE sessions SET head = 99`, "head"},
		"body":     {`UPDATE messages SET body = x'28b52ffd00' WHERE uid = 'u2'`, "u2"},
		"content":  {`UPDATE blobs SET data = x'00'`, "content"},
		"orphan":   {`DELETE FROM messages WHERE uid = 'u1'`, "the parents of 1 messages"},
		"stranger": {`INSERT INTO labels (message, session, text, created_at_ms) VALUES (99, 99, 'x', 1)`, "refer"},
	} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			messages := chain(5)
			messages[3].Parts[0] = core.Part{Type: core.PartMedia, Media: &core.Media{Data: []byte("image")}}
			merged(t, db, incoming("one", messages...))
			wantSound(t, db)
			raw(t, db.FilePath(), `PRAGMA foreign_keys = 0`, test.damage)
			progressed := false
			problems := must(db.Check(t.Context(), func(core.Progress) { progressed = true }))(t)
			if !strings.Contains(strings.Join(problems, "\n"), test.says) || !progressed {
				t.Errorf("problems %q", problems)
			}
			// and what is damaged makes errors, not panics
			id := must(db.Session(t.Context(), "one"))(t).ID
			for _, read := range []func() error{
				func() error { _, err := db.Tree(t.Context(), id); return err },
				func() error { _, err := db.Window(t.Context(), id, "u4", 0, 0); return err },
				func() error { _, err := db.Siblings(t.Context(), id, "u4"); return err },
				func() error { _, err := db.Leaf(t.Context(), id, "u0"); return err },
				func() error { _, err := db.Search(t.Context(), core.SearchQuery{Text: "zebra"}); return err },
				func() error { _, err := core.Merge(t.Context(), db, incoming("one", chain(9)...)); return err },
			} {
				if err := read(); err != nil && core.CodeOf(err) == "" {
					t.Errorf("error without a code: %v", err)
				}
			}
		})
	}
}

func TestCheckFindsDamagedPages(t *testing.T) {
	db := openTest(t)
	merged(t, db, incoming("one", chain(2000)...))
	fileSize(t, db)
	check(t, db.Close())
	f, err := os.OpenFile(db.FilePath(), os.O_RDWR, 0)
	check(t, err)
	info, err := f.Stat()
	check(t, err)
	for at := info.Size() / 2; at < info.Size()*2/3; at += 4096 { // the first half is the tables that are empty
		_, err := f.WriteAt([]byte(strings.Repeat("\x5a", 900)), at+100)
		check(t, err)
	}
	check(t, f.Close())
	again, err := Open(t.Context(), db.FilePath(), Options{})
	if err != nil {
		wantCode(t, err, core.Corrupt)
		return
	}
	defer again.Close()
	if problems := must(again.Check(t.Context(), nil))(t); len(problems) == 0 {
		t.Error("nothing was found")
	}
}
