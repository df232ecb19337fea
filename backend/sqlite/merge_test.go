package sqlite

import (
	"reflect"
	"testing"

	"coppice/backend/core"
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
	w := must(db.Window(t.Context(), id, "", 0, 0))(t)
	if got := uids(w.Messages); !reflect.DeepEqual(got, []string{"a", "b", "d", "e"}) {
		t.Errorf("path %v", got)
	}
	if m := w.Messages[2]; m.Siblings != 2 || m.SiblingIndex != 2 || m.ParentUID != "b" || m.Turn != 2 {
		t.Errorf("message d %+v", m)
	}
	tree := must(db.Tree(t.Context(), id))(t)
	if len(tree.Turns) != 3 || tree.HeadTurn != 2 || tree.Turns[1].OnPath || !tree.Turns[0].OnPath || tree.Turns[0].LastUID != "b" {
		t.Errorf("tree %+v", tree)
	}
}
