package sqlite

import (
	"fmt"
	"slices"
	"testing"

	"coppice/backend/core"
)

// TestSubagentsFindTheirParent merges a session, its subagent and the subagent's own one in every order: the library is the same.
func TestSubagentsFindTheirParent(t *testing.T) {
	family := []core.Incoming{incoming("top", chain(3)...), incoming("child", say("c", "", core.RoleUser)), incoming("grandchild", say("g", "", core.RoleUser))}
	family[0].Spawned = []core.Spawn{{SourceID: "child", UID: "u1", Agent: "explorer", Title: "look around"}}
	family[1].ParentSourceID, family[2].ParentSourceID = "top", "child"
	family[1].Spawned = []core.Spawn{{SourceID: "grandchild", UID: "c"}}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			db := openTest(t)
			for _, i := range slices.Concat(order, order) {
				merged(t, db, family[i])
			}
			top, child, grandchild := must(db.Session(t.Context(), "top"))(t), must(db.Session(t.Context(), "child"))(t), must(db.Session(t.Context(), "grandchild"))(t)
			if child.ParentID != top.ID || child.ParentUID != "u1" || child.Relation != core.RelationSubagent || child.Agent != "explorer" || child.Title != "look around" {
				t.Errorf("child %+v", child)
			}
			if grandchild.ParentID != child.ID || grandchild.ParentUID != "c" || grandchild.Relation != core.RelationSubagent {
				t.Errorf("grandchild %+v", grandchild)
			}
			if listed := must(db.Sessions(t.Context(), core.SessionFilter{}))(t); len(listed) != 1 {
				t.Errorf("%d sessions in the list", len(listed))
			}
			wantSound(t, db)
		})
	}
}

// TestSubagentOfAnotherTool checks that the same id in another tool is no parent.
func TestSubagentOfAnotherTool(t *testing.T) {
	db := openTest(t)
	other := incoming("top", chain(1)...)
	other.Session.Source = core.SourceCodex
	merged(t, db, other)
	child := incoming("child", say("c", "", core.RoleUser))
	child.ParentSourceID = "top"
	merged(t, db, child)
	if s := must(db.Session(t.Context(), "child"))(t); s.ParentID != "" || s.Relation != core.RelationNone {
		t.Errorf("%+v", s)
	}
}

// TestUndoneFilesAreNotModified checks that a source may take a file back, and only what it listed itself.
func TestUndoneFilesAreNotModified(t *testing.T) {
	files := func(id string, list ...string) core.Incoming {
		in := incoming(id, core.Message{UID: "0198c5a4-0000-7000-8000-000000000001", Role: core.RoleUser, CreatedAtMs: startMs, Parts: []core.Part{{Type: core.PartText, Text: "q"}}})
		in.Session.FilesModified = list
		return in
	}
	db := openTest(t)
	id := merged(t, db, files("one", "a.go", "failed.go"))
	if copied := merged(t, db, files("copy", "b.go")); copied != id {
		t.Fatal("a copy is a session of its own")
	}
	merged(t, db, files("one", "a.go"))
	if s := must(db.Session(t.Context(), id))(t); !slices.Equal(s.FilesModified, []string{"a.go", "b.go"}) {
		t.Errorf("files %v", s.FilesModified)
	}
	t.Run("not by a source that was cut", func(t *testing.T) {
		db := openTest(t)
		long, short := incoming("one", chain(3)...), incoming("one", chain(2)...)
		long.Session.FilesModified = []string{"a.go", "b.go"}
		short.Session.FilesModified = []string{"a.go"}
		id := merged(t, db, long)
		merged(t, db, short)
		if s := must(db.Session(t.Context(), id))(t); len(s.FilesModified) != 2 {
			t.Errorf("files %v", s.FilesModified)
		}
	})
	t.Run("not those of an archive", func(t *testing.T) {
		db := openTest(t)
		kept := files("one", "coppice.go")
		kept.Keep = true
		id := merged(t, db, kept)
		merged(t, db, files("one", "a.go"))
		merged(t, db, files("one"))
		if s := must(db.Session(t.Context(), id))(t); !slices.Equal(s.FilesModified, []string{"coppice.go"}) {
			t.Errorf("files %v", s.FilesModified)
		}
	})
}

// TestUpdatedWhenFinished checks that a session is as new as the end of its newest message, also when that grows.
func TestUpdatedWhenFinished(t *testing.T) {
	db := openTest(t)
	messages := chain(2)
	messages[1].FinishedAtMs = startMs + 5_000
	id := merged(t, db, incoming("one", messages...))
	updated := func() int64 { return must(db.Session(t.Context(), id))(t).UpdatedAtMs }
	if got := updated(); got != startMs+5_000 {
		t.Errorf("updated at +%d ms", got-startMs)
	}
	messages[1].FinishedAtMs = startMs + 20_000
	merged(t, db, incoming("one", messages...))
	if got := updated(); got != startMs+20_000 {
		t.Errorf("after growth: updated at +%d ms", got-startMs)
	}
	if m := must(db.Message(t.Context(), id, "u1"))(t); m.FinishedAtMs != startMs+20_000 || m.CreatedAtMs != startMs+1 {
		t.Errorf("message %+v", m)
	}
}

// TestToolsWordsAreNoSteps checks that what a tool writes in the model's name is no model call, also when it was taken for one.
func TestToolsWordsAreNoSteps(t *testing.T) {
	db := openTest(t)
	messages := chain(3)
	id := merged(t, db, incoming("one", messages...))
	messages[2].Kind, messages[2].Usage, messages[2].CostNanoUSD, messages[2].Model = core.KindMeta, nil, nil, ""
	merged(t, db, incoming("one", messages...))
	s := must(db.Session(t.Context(), id))(t)
	if s.StepCount != 1 || s.InputTokens != 10 {
		t.Errorf("%d steps, %d tokens", s.StepCount, s.InputTokens)
	}
	wantSound(t, db)
}
