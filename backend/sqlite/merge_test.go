package sqlite

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

func TestMergeNew(t *testing.T) {
	db := openTest(t)
	messages := []core.Message{
		say("a", "", core.RoleUser), say("b", "a", core.RoleAssistant), say("c", "b", core.RoleUser),
		say("d", "b", core.RoleUser), say("e", "d", core.RoleAssistant),
	}
	id := merged(t, db, incoming("one", messages...))
	s := must(db.Session(t.Context(), "one"))(t)
	if s.ID != id || s.ID != core.DerivedID(startMs, "claude_code", "one") {
		t.Errorf("id %s", s.ID)
	}
	if s.MessageCount != 5 || s.BranchCount != 2 || s.TurnCount != 3 || s.StepCount != 2 || s.InputTokens != 20 || *s.CostNanoUSD != 500 {
		t.Errorf("counters %+v", s)
	}
	if s.HeadUID != "e" || s.Title != "this is what a says" || s.Model != "demo/one" {
		t.Errorf("fields %+v", s)
	}
}

// A session whose source has no time for its beginning begins with its first message, in each import.
func TestMergeWithoutTime(t *testing.T) {
	db := openTest(t)
	in := incoming("one", chain(2)...)
	in.Session.CreatedAtMs = 0
	if id := merged(t, db, in); id != core.DerivedID(startMs, "claude_code", "one") {
		t.Errorf("id %s", id)
	}
}

// Messages without times do not put a session before all others: it is as new as its beginning, also when it is counted again.
func TestMergeMessagesWithoutTimes(t *testing.T) {
	db := openTest(t)
	for _, uid := range []string{"u0", "u1"} {
		m := say(uid, "", core.RoleUser)
		m.CreatedAtMs = 0
		in := incoming(uid, m)
		in.Session.CreatedAtMs = 0
		id := merged(t, db, in)
		s := must(db.Session(t.Context(), id))(t)
		if s.UpdatedAtMs < s.CreatedAtMs || s.CreatedAtMs == 0 {
			t.Errorf("began %d, newest %d", s.CreatedAtMs, s.UpdatedAtMs)
		}
		check(t, db.library.Write(t.Context(), func(t *store.Txn) error {
			key, err := tables.SessionKey(context.Background(), t.Tx, id)
			if err != nil {
				return err
			}
			return tables.StoreCounts(context.Background(), t.Tx, key, core.Tally{Branches: 1, Turns: 1})
		}))
		if now := must(db.Session(t.Context(), id))(t); now.UpdatedAtMs != s.UpdatedAtMs {
			t.Errorf("counted anew: %d, was %d", now.UpdatedAtMs, s.UpdatedAtMs)
		}
	}
}

func TestMergeNothing(t *testing.T) {
	db := openTest(t)
	got := must(core.Merge(t.Context(), db, core.Incoming{
		Header: core.Header{Session: core.Session{Source: core.SourcePi, SourceID: "empty"}},
	}))(t)
	if !got.Created {
		t.Errorf("merged %+v", got)
	}
	s := must(db.Session(t.Context(), "empty"))(t)
	if w := must(db.Window(t.Context(), s.ID, "", 0, 0))(t); s.HeadUID != "" || w.Length != 0 || w.Messages == nil || s.FilesModified == nil {
		t.Errorf("session %+v, window %+v", s, w)
	}
	wantSound(t, db)
}

func TestMergeRefuses(t *testing.T) {
	db := openTest(t)
	good := []core.Message{say("a", "", core.RoleUser), say("b", "a", core.RoleAssistant)}
	id := merged(t, db, incoming("one", good...))
	before := dump(t, db.FilePath(), true)
	broken := errors.New("the file ends here")
	for name, test := range map[string]struct {
		in   func() core.Incoming
		code core.Code
	}{
		"twice":          {func() core.Incoming { return incoming("two", good[0], good[0]) }, core.Invalid},
		"twice, there":   {func() core.Incoming { return incoming("one", good[0], good[1], good[1]) }, core.Invalid},
		"no parent":      {func() core.Incoming { return incoming("two", good[0], say("c", "x", core.RoleUser)) }, core.Invalid},
		"own parent":     {func() core.Incoming { return incoming("two", say("c", "c", core.RoleUser)) }, core.Invalid},
		"no uid":         {func() core.Incoming { return incoming("two", say("", "", core.RoleUser)) }, core.Invalid},
		"role":           {func() core.Incoming { return incoming("two", say("x", "", "poet")) }, core.Invalid},
		"no valid JSON":  {func() core.Incoming { return incoming("two", core.Message{UID: "x", Role: "user", Meta: []byte("{")}) }, core.Invalid},
		"unknown source": {func() core.Incoming { in := incoming("two", good...); in.Session.Source = "fax"; return in }, core.Invalid},
		"head": {func() core.Incoming {
			in := incoming("two", good...)
			in.Head = func() string { return "x" }
			return in
		}, core.Invalid},
		"known": {func() core.Incoming {
			in := incoming("two")
			in.Messages = func(yield func(core.IncomingMessage, error) bool) {
				yield(core.IncomingMessage{Message: good[0], Known: true}, nil)
			}
			return in
		}, core.Invalid},
		"error": {func() core.Incoming {
			in := incoming("one")
			in.Messages = func(yield func(core.IncomingMessage, error) bool) {
				_ = yield(core.IncomingMessage{Message: say("c", "", core.RoleUser)}, nil) && yield(core.IncomingMessage{}, broken)
			}
			return in
		}, core.Internal},
		"false content": {func() core.Incoming {
			in := incoming("two", good...)
			in.Blobs = func(yield func(core.Blob, error) bool) {
				yield(core.Blob{Hash: core.Hash([]byte("x")), Data: []byte("y")}, nil)
			}
			return in
		}, core.Invalid},
		"record": {func() core.Incoming {
			in := incoming("two", good...)
			in.Records = func(yield func(core.Record) bool) { yield(core.Record{Body: []byte("nonsense")}) }
			return in
		}, core.Invalid},
		"circle": {func() core.Incoming {
			return incoming("one", say("a", "b", core.RoleUser), say("b", "a", core.RoleUser))
		}, core.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := core.Merge(t.Context(), db, test.in())
			wantCode(t, err, test.code)
			if after := dump(t, db.FilePath(), true); after != before {
				t.Errorf("something was written:\n%s", after)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	in := incoming("two")
	in.Messages = func(yield func(core.IncomingMessage, error) bool) {
		yield(core.IncomingMessage{Message: good[0]}, nil)
		cancel()
		yield(core.IncomingMessage{Message: good[1]}, nil)
	}
	_, err := core.Merge(ctx, db, in)
	wantCode(t, err, core.Canceled)
	if after := dump(t, db.FilePath(), true); after != before {
		t.Errorf("something was written:\n%s", after)
	}
	if _, err := db.Append(t.Context(), id, say("c", "b", core.RoleUser)); err != nil {
		t.Errorf("after errors the library does not take messages: %v", err)
	}
}

func TestMergePanics(t *testing.T) {
	db := openTest(t)
	func() {
		defer func() { _ = recover() }()
		in := incoming("one")
		in.Messages = func(yield func(core.IncomingMessage, error) bool) {
			yield(core.IncomingMessage{Message: say("a", "", core.RoleUser)}, nil)
			panic("a defect")
		}
		core.Merge(t.Context(), db, in) //nolint:errcheck // it panics
	}()
	if n := must(db.CountSessions(t.Context(), core.SessionFilter{}))(t); n != 0 {
		t.Errorf("%d sessions", n)
	}
	merged(t, db, incoming("one", chain(3)...))
}

// Source fields replace stored ones, but not those that the user has set.
func TestMergeFields(t *testing.T) {
	db := openTest(t)
	in := func(title string) core.Incoming {
		in := incoming("one", chain(3)...)
		in.Session.Title, in.Session.WorkspacePath, in.Session.Status = title, "/home/"+title, core.StatusSuccess
		in.Session.FilesModified = []string{title + ".go"}
		return in
	}
	id := merged(t, db, in("first"))
	merged(t, db, in("second"))
	s := must(db.Session(t.Context(), id))(t)
	if s.Title != "second" || s.WorkspacePath != "/home/second" || s.Status != core.StatusSuccess ||
		!reflect.DeepEqual(s.FilesModified, []string{"second.go"}) {
		t.Errorf("%+v", s)
	}
	check(t, db.Rename(t.Context(), id, "mine"))
	merged(t, db, in("third"))
	if s := must(db.Session(t.Context(), id))(t); s.Title != "mine" || s.WorkspacePath != "/home/third" {
		t.Errorf("%+v", s)
	}
	check(t, db.Rename(t.Context(), id, " "))
	if s := must(db.Session(t.Context(), id))(t); s.Title != "this is what u0 says" {
		t.Errorf("title %q", s.Title)
	}
	merged(t, db, in("fourth"))
	if s := must(db.Session(t.Context(), id))(t); s.Title != "fourth" {
		t.Errorf("title %q", s.Title)
	}
}

// TestMergeTitleFollowsTheTask imports a session before its file names the task, and again when it does, without a new message.
func TestMergeTitleFollowsTheTask(t *testing.T) {
	for _, role := range []core.Role{core.RoleAssistant, core.RoleUser} {
		db := openTest(t)
		in := incoming("one", say("a", "", role))
		in.Session.Task, in.Session.Title = "", ""
		merged(t, db, in)
		in.Session.Task = "mend the fence"
		id := merged(t, db, in)
		if s := must(db.Session(t.Context(), id))(t); s.Title != "mend the fence" {
			t.Errorf("%s: title %q", role, s.Title)
		}
		check(t, db.Rename(t.Context(), id, "mine"))
		in.Session.Task = "mend the gate"
		merged(t, db, in)
		if s := must(db.Session(t.Context(), id))(t); s.Title != "mine" || s.Task != "mend the gate" {
			t.Errorf("%s: title %q, task %q", role, s.Title, s.Task)
		}
	}
}

func TestMergeFollowsTheHead(t *testing.T) {
	db := openTest(t)
	messages := chain(6)
	head := func() string { return must(db.Session(t.Context(), "one"))(t).HeadUID }
	id := merged(t, db, incoming("one", messages[:3]...))
	merged(t, db, incoming("one", messages[:4]...))
	if head() != "u3" {
		t.Errorf("head %s did not follow", head())
	}
	must(db.MoveHead(t.Context(), id, "u1"))(t)
	merged(t, db, incoming("one", messages[:5]...))
	if head() != "u1" {
		t.Errorf("head %s left where a person had put it", head())
	}
	must(db.MoveHead(t.Context(), id, "u4"))(t)
	merged(t, db, incoming("one", messages...))
	if head() != "u5" {
		t.Errorf("head %s did not follow after it came back", head())
	}
	back := incoming("one", messages...)
	back.Head = func() string { return "" }
	merged(t, db, back)
	if head() != "" {
		t.Errorf("head %s did not go before the first message", head())
	}
}

// A copy is found by its first message; what it adds becomes a branch, and its id an alias.
func TestMergeCopy(t *testing.T) {
	db := openTest(t)
	root := say(rootUUID, "", core.RoleUser)
	b, c, d := say("b", rootUUID, core.RoleAssistant), say("c", "b", core.RoleUser), say("d", "b", core.RoleUser)
	c.CreatedAtMs, d.CreatedAtMs = startMs+10, startMs+20
	id := merged(t, db, incoming("original", root, b, c))
	if got := merged(t, db, incoming("prefix", root, b)); got != id {
		t.Fatal("the prefix became a session of its own")
	}
	s := must(db.Session(t.Context(), "prefix"))(t)
	if s.ID != id || s.HeadUID != "c" || s.MessageCount != 3 {
		t.Errorf("after a prefix: %+v", s)
	}
	merged(t, db, incoming("copy", root, b, d))
	s = must(db.Session(t.Context(), "copy"))(t)
	if s.ID != id || s.BranchCount != 2 || s.HeadUID != "d" || s.SourceID != "original" {
		t.Errorf("after a copy that went on later: %+v", s)
	}
	want := []core.Alias{
		{Source: core.SourceClaudeCode, SourceID: "copy", HeadUID: "d"}, {Source: core.SourceClaudeCode, SourceID: "prefix", HeadUID: "b"},
	}
	if got := must(db.Aliases(t.Context(), id))(t); !reflect.DeepEqual(got, want) {
		t.Errorf("aliases %+v", got)
	}
	other := incoming("elsewhere", root, b)
	other.Session.Source = core.SourceCodex
	if got := merged(t, db, other); got == id {
		t.Error("a session of another source was taken for a copy")
	}
	child := incoming("child", root, b)
	child.Session.Relation, child.Session.ParentID = core.RelationSubagent, id
	if got := merged(t, db, child); got == id {
		t.Error("a subagent's session was taken for a copy")
	}
	short := incoming("short", say("u1", "", core.RoleUser))
	if one, two := merged(t, db, short), merged(t, db, incoming("short too", say("u1", "", core.RoleUser))); one == two {
		t.Error("two sessions were joined by a uid that is not unique")
	}
	wantSound(t, db)
}

// An older copy of a session, in another place, changes nothing of what the newer one says.
func TestMergeOlderCopy(t *testing.T) {
	db := openTest(t)
	messages := chain(5)
	at := func(path, title string, from ...core.Message) core.Incoming {
		in := incoming("one", from...)
		in.Session.SourcePath, in.Session.Title = path, title
		return in
	}
	id := merged(t, db, at("/a", "newer", messages[:4]...))
	older := chain(3)
	older[2].ParentUID = "u0"
	merged(t, db, at("/backup/a", "older", older...))
	s := must(db.Session(t.Context(), id))(t)
	if s.HeadUID != "u3" || s.Title != "newer" || s.SourcePath != "/a" || s.BranchCount != 1 || s.MessageCount != 4 {
		t.Errorf("after the copy: head %s, %q of %s, %d branches, %d messages", s.HeadUID, s.Title, s.SourcePath, s.BranchCount, s.MessageCount)
	}
	merged(t, db, at("/b", "moved", messages...))
	if s := must(db.Session(t.Context(), id))(t); s.HeadUID != "u4" || s.Title != "moved" || s.SourcePath != "/b" {
		t.Errorf("after it has gone on elsewhere: head %s, %q of %s", s.HeadUID, s.Title, s.SourcePath)
	}
	merged(t, db, at("/b", "rewound", messages[:2]...))
	if s := must(db.Session(t.Context(), id))(t); s.HeadUID != "u1" || s.Title != "rewound" {
		t.Errorf("after it went back where it is: head %s, %q", s.HeadUID, s.Title)
	}
	wantSound(t, db)
}

// Names follow the source where they are its own, and stay if the user has set one since.
func TestMergeLabels(t *testing.T) {
	db := openTest(t)
	in := func(labels ...core.Label) core.Incoming {
		in := incoming("one", chain(9)...)
		in.Labels = labels
		return in
	}
	at := func(uid, text string, ms int64) core.Label { return core.Label{UID: uid, Text: text, CreatedAtMs: ms} }
	id := merged(t, db, in(at("u0", "first", 1), at("u3", "second", 2), at("u6", "third", 3)))
	check(t, db.SetLabel(t.Context(), id, "u3", "mine"))
	merged(t, db, in(at("u0", "", 4), at("u3", "", 5), at("u6", "other", 6)))
	var got []string
	for _, l := range must(db.Labels(t.Context(), id))(t) {
		got = append(got, l.UID+" "+l.Text)
	}
	if want := []string{"u3 mine", "u6 other"}; !reflect.DeepEqual(got, want) {
		t.Errorf("labels %v, want %v", got, want)
	}
	merged(t, db, in(at("u6", "an old one", 5)))
	if l := must(db.Labels(t.Context(), id))(t); l[1].Text != "other" {
		t.Errorf("labels %+v", l)
	}
}

// TestMergeLabelsOfOneTurn gives one turn several labels in one import: the newest counts, in whatever order they come.
func TestMergeLabelsOfOneTurn(t *testing.T) {
	at := func(uid, text string, ms int64) core.Label { return core.Label{UID: uid, Text: text, CreatedAtMs: ms} }
	for name, labels := range map[string][]core.Label{
		"newest first":    {at("u0", "newest", 9), at("u1", "older", 4)},
		"newest last":     {at("u0", "older", 4), at("u1", "newest", 9)},
		"after a removal": {at("u0", "", 4), at("u1", "newest", 9)},
	} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			in := incoming("one", chain(3)...)
			in.Labels = labels
			id := merged(t, db, in)
			if got := must(db.Labels(t.Context(), id))(t); len(got) != 1 || got[0].Text != "newest" || got[0].CreatedAtMs != 9 {
				t.Errorf("labels %+v", got)
			}
		})
	}
}

// A message that an older copy saw while it was growing stays as it has become; one that says something else counts.
func TestMergeEarlierForm(t *testing.T) {
	spent := &core.Usage{InputTokens: 9, OutputTokens: 5}
	grown := say("b", "a", core.RoleAssistant)
	grown.Parts = []core.Part{{Type: core.PartText, Text: "the whole"}, {Type: core.PartText, Text: "and more"}}
	grown.Usage = spent
	for name, c := range map[string]struct {
		parts []string
		usage *core.Usage
		stays bool
	}{
		"less parts":     {[]string{"the whole"}, spent, true},
		"no usage":       {[]string{"the whole", "and more"}, nil, true},
		"less usage":     {[]string{"the whole", "and more"}, &core.Usage{InputTokens: 9, OutputTokens: 4}, true},
		"half a part":    {[]string{"the whole", "and m"}, spent, true},
		"another ending": {[]string{"the whole", "and so on"}, spent, false},
		"more parts":     {[]string{"the whole", "and more", "still"}, spent, false},
	} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			in := func(path string, m core.Message) core.Incoming {
				in := incoming("one", say("a", "", core.RoleUser), m)
				in.Session.SourcePath = path
				return in
			}
			id := merged(t, db, in("/a", grown))
			other := grown
			other.Usage, other.Parts = c.usage, nil
			for _, text := range c.parts {
				other.Parts = append(other.Parts, core.Part{Type: core.PartText, Text: text})
			}
			merged(t, db, in("/backup/a", other))
			got, want := must(db.Message(t.Context(), id, "b"))(t), other
			if c.stays {
				want = grown
			}
			if got.Text() != want.Text() || !reflect.DeepEqual(got.Usage, want.Usage) {
				t.Errorf("%q %+v", got.Text(), got.Usage)
			}
			wantSound(t, db)
		})
	}
}

// An archive adds messages and leaves those that are there alone.
func TestMergeKeeps(t *testing.T) {
	db := openTest(t)
	id := merged(t, db, incoming("one", chain(3)...))
	check(t, db.SetLabel(t.Context(), id, "u0", "mine"))
	other := chain(4)
	other[1].Parts[0].Text = "something else"
	other[2].ParentUID = "u0"
	in := incoming("one", other...)
	in.Keep = true
	in.Session.Title = "theirs"
	in.Labels = []core.Label{{UID: "u1", Text: "theirs"}, {UID: "u3", Text: "new", CreatedAtMs: 7}, {UID: "nobody", Text: "lost"}}
	got := must(core.Merge(t.Context(), db, in))(t)
	if want := (core.Merged{SessionID: id, Added: 1}); got != want {
		t.Errorf("merged %+v", got)
	}
	m := must(db.Message(t.Context(), id, "u1"))(t)
	if s := must(db.Session(t.Context(), id))(t); m.Parts[0].Text != "this is what u1 says" || s.Title != "this is what u0 says" {
		t.Errorf("it was replaced: %q, %q", m.Parts[0].Text, s.Title)
	}
	want := []core.Label{{Turn: 0, UID: "u0", Text: "mine", CreatedAtMs: startMs + 2}, {Turn: 1, UID: "u3", Text: "new", CreatedAtMs: 7}}
	labels := must(db.Labels(t.Context(), id))(t)
	labels[0].CreatedAtMs = startMs + 2
	if !reflect.DeepEqual(labels, want) {
		t.Errorf("labels %+v", labels)
	}
}

func TestMergeCursor(t *testing.T) {
	db := openTest(t)
	c := core.Cursor{Path: "/a/b.jsonl", Format: "claude_code", SizeBytes: 10, ModifiedNs: 20, OffsetBytes: 9, TailHash: "x", Version: 3, ImportedAtMs: 40}
	if got, err := db.Cursors(t.Context(), []string{c.Path}); len(got) > 0 || err != nil {
		t.Errorf("a cursor that never was: %v", err)
	}
	in := incoming("one", chain(2)...)
	in.Cursor = &c
	merged(t, db, in)
	if got, err := db.Cursors(t.Context(), []string{c.Path, "/src/never"}); err != nil || len(got) != 1 || got[c.Path] != c {
		t.Errorf("cursor %+v, %v", got, err)
	}
	other := core.Cursor{Path: "/a/notes.jsonl", Version: 3}
	check(t, db.PutCursor(t.Context(), other))
	if got, _ := db.Cursors(t.Context(), []string{other.Path}); got[other.Path].ImportedAtMs == 0 {
		t.Errorf("cursor %+v", got)
	}
}

// A growing file comes with its records each time.
func TestMergeRecords(t *testing.T) {
	db := openTest(t)
	records := []core.Record{
		{Line: 2, Type: "progress", Known: true, Body: []byte(`{"a": 1}`), AfterUID: "u0"},
		{Line: 1, Type: "snapshot", Body: []byte(`{"b":[1,2,3]}`)},
		{Line: 2, Type: "progress", Known: true, Body: []byte(`{"a": 2}`), AfterUID: "u0"},
	}
	id := ""
	for n := 1; n <= len(records); n++ {
		in := incoming("one", chain(2)...)
		in.Records = func(yield func(core.Record) bool) {
			for _, r := range records[:n] {
				if !yield(r) {
					return
				}
			}
		}
		id = merged(t, db, in)
	}
	got := collect(t, db.Records(t.Context(), id))
	if want := []core.Record{records[1], records[0], records[2]}; !reflect.DeepEqual(got, want) {
		t.Errorf("records %+v", got)
	}
}
