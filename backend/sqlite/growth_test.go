package sqlite

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/merge"
)

// content is all of a session that two copies of it have in common.
type content struct {
	Session  core.Session
	Messages []core.Message
	Branches []core.Branch
	Turns    []core.Turn
	Labels   []core.Label
	Records  []core.Record
}

func contentOf(tb testing.TB, db *DB, id string) content {
	tb.Helper()
	tree := must(db.Tree(tb.Context(), id))(tb)
	c := content{
		tree.Session, collect(tb, db.Messages(tb.Context(), id)), tree.Branches, tree.Turns,
		must(db.Labels(tb.Context(), id))(tb), collect(tb, db.Records(tb.Context(), id)),
	}
	c.Session.ID, c.Session.SourceID = "", ""
	return c
}

// growing makes the forms that a random session had as it grew: each has more messages, and some
// of the early ones say less there, or hang elsewhere.
func growing(t *rapid.T) []*model {
	whole := &model{}
	for i := range rapid.IntRange(1, 20).Draw(t, "messages") {
		whole.messages = append(whole.messages, whole.draw(t, fmt.Sprintf("u%d", i)))
	}
	forms := []*model{}
	for n := range whole.messages {
		if !rapid.Bool().Draw(t, "seen") {
			continue
		}
		form := &model{messages: append([]core.Message{}, whole.messages[:n+1]...)}
		for i := range form.messages {
			c := &form.messages[i]
			switch rapid.IntRange(0, 9).Draw(t, "otherwise") {
			case 0:
				c.Parts = []core.Part{{Type: core.PartText, Text: "half of it"}}
			case 1:
				c.Role, c.Usage = core.RoleUser, nil
			case 2:
				c.ParentUID = ""
				if i > 0 {
					c.ParentUID = whole.messages[rapid.IntRange(0, i-1).Draw(t, "other parent")].UID
				}
			}
		}
		form.head = form.messages[n].UID
		forms = append(forms, form)
	}
	whole.head = whole.messages[len(whole.messages)-1].UID
	return append(forms, whole)
}

// into makes an Incoming of a form. What was the same in the form before may be left out.
func (m *model) into(t *rapid.T, sourceID string, before *model) core.Incoming {
	in := incoming(sourceID, m.messages...)
	in.Messages = func(yield func(core.IncomingMessage, error) bool) {
		for i, c := range m.messages {
			next := core.IncomingMessage{Message: c}
			if before != nil && i < len(before.messages) && reflect.DeepEqual(c.Parts, before.messages[i].Parts) && c.Role == before.messages[i].Role {
				next = core.IncomingMessage{Message: core.Message{UID: c.UID, ParentUID: c.ParentUID}, Known: true}
			}
			if !yield(next, nil) {
				return
			}
		}
	}
	in.Records = func(yield func(core.Record) bool) {
		for i := range m.messages {
			if !yield(core.Record{Line: int64(i + 1), Type: "note", Body: fmt.Appendf(nil, `{"n":%d}`, i)}) {
				return
			}
		}
	}
	in.Session.FilesModified = []string{fmt.Sprintf("file%d", len(m.messages)%3)}
	return in
}

func TestGrowthEqualsWhole(t *testing.T) {
	growthEqualsWhole(t, openTest(t))
}

// Each message and each record in a transaction of its own.
func TestGrowthInPiecesEqualsWhole(t *testing.T) {
	db := openTest(t)
	merge.SetPatience(db.importStore, 0)
	growthEqualsWhole(t, db)
}

func growthEqualsWhole(t *testing.T, db *DB) {
	t.Helper()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		forms := growing(rt)
		var before *model
		id := ""
		for _, form := range forms {
			in := form.into(rt, fmt.Sprintf("grown %d", n), before)
			id = merged(t, db, in)
			before = form
		}
		whole := before
		atOnce := merged(t, db, whole.into(rt, fmt.Sprintf("at once %d", n), nil))
		got, want := contentOf(t, db, id), contentOf(t, db, atOnce)
		got.Session.Task, got.Session.Title = want.Session.Task, want.Session.Title // the first prompt may have said less then
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("grown:\n%+v\nat once:\n%+v", got, want)
		}
		whole.compare(rt, t, db, id)
		again := must(core.Merge(t.Context(), db, whole.into(rt, fmt.Sprintf("grown %d", n), nil)))(t)
		if again != (core.Merged{SessionID: id}) {
			rt.Fatalf("the same again: %+v", again)
		}
	})
	wantSound(t, db)
}

// A message that turns out to hang elsewhere takes its label, its visits and the head along.
func TestReferencesSurviveMoves(t *testing.T) {
	db := openTest(t)
	a, b, c, d := say("a", "", core.RoleUser), say("b", "a", core.RoleAssistant), say("c", "b", core.RoleUser), say("d", "c", core.RoleAssistant)
	id := merged(t, db, incoming("one", a, b, c, d))
	check(t, db.SetLabel(t.Context(), id, "c", "plan"))
	check(t, db.Visit(t.Context(), id, "d"))
	must(db.MoveHead(t.Context(), id, "c"))(t)
	x := say("x", "a", core.RoleAssistant)
	c.ParentUID = "x"
	got := must(core.Merge(t.Context(), db, incoming("one", a, b, x, c, d)))(t)
	if want := (core.Merged{SessionID: id, Added: 1, Moved: 2}); got != want {
		t.Errorf("merged %+v, want %+v", got, want)
	}
	tree := must(db.Tree(t.Context(), id))(t)
	if tree.Head != "c" {
		t.Errorf("head %s", tree.Head)
	}
	if m := must(db.Node(t.Context(), id, "plan"))(t); m.UID != "d" || m.ParentUID != "c" || m.Depth != 3 {
		t.Errorf("the label is at %+v", m)
	}
	if leaf := must(db.Leaf(t.Context(), id, "x"))(t); leaf.UID != "d" {
		t.Errorf("leaf below x: %s", leaf.UID)
	}
	wantSound(t, db)
}

// What a user adds to an imported session stays in its position, however the source grows.
func TestGrowthKeepsWhatWasAdded(t *testing.T) {
	db := openTest(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		own := map[string]string{} // parents
		id := ""
		var before *model
		for i, form := range growing(rt) {
			id = merged(t, db, form.into(rt, fmt.Sprintf("mixed %d", n), before))
			before = form
			for j := range rapid.IntRange(0, 2).Draw(rt, "own") {
				at := form.messages[rapid.IntRange(0, len(form.messages)-1).Draw(rt, "parent")].UID
				c := say(fmt.Sprintf("own%d.%d", i, j), at, core.RoleUser)
				must(db.Append(t.Context(), id, c))(t)
				own[c.UID] = at
			}
		}
		parents := map[string]string{}
		for i, c := range collect(t, db.Messages(t.Context(), id)) {
			if _, ok := parents[c.ParentUID]; c.Seq != int64(i) || c.ParentUID != "" && !ok {
				rt.Fatalf("message %+v", c)
			}
			parents[c.UID] = c.ParentUID
		}
		for uid, parent := range own {
			if parents[uid] != parent {
				rt.Fatalf("%s hangs on %s, want %s", uid, parents[uid], parent)
			}
		}
		for _, c := range before.messages {
			if parents[c.UID] != c.ParentUID {
				rt.Fatalf("%s hangs on %s, want %s", c.UID, parents[c.UID], c.ParentUID)
			}
		}
	})
	wantSound(t, db)
}

// TestLastAnswerOfGrownMessages imports a session again in which an early message has another form.
func TestLastAnswerOfGrownMessages(t *testing.T) {
	db := openTest(t)
	ask, early, late := say("u", "", core.RoleUser), say("a", "u", core.RoleAssistant), say("b", "a", core.RoleAssistant)
	late.Parts[0].Text = "the late answer"
	id := merged(t, db, incoming("s", ask, early, late))
	early.Parts[0].Text = "the early answer, longer"
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() {}, "the late answer"},
		{func() { late.Role = core.RoleUser }, "the early answer, longer"},
	} {
		c.change()
		if again := merged(t, db, incoming("s", ask, early, late)); again != id {
			t.Fatalf("another session: %s", again)
		}
		if got := must(db.Session(t.Context(), id))(t).LastAnswer; got != c.want {
			t.Errorf("last answer %q, want %q", got, c.want)
		}
	}
}
