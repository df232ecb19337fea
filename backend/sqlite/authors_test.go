package sqlite

import (
	"testing"

	"coppice/backend/core"
)

// A writer and a critic answer in turns; the critic is asked again in a branch of its own.
func TestAuthors(t *testing.T) {
	ctx, db := t.Context(), openTest(t)
	id := begun(t, db, "r1")
	wrote := func(uid, parent, agent, model string, cost int64) {
		m := say(uid, parent, core.RoleAssistant)
		m.Agent, m.Model, m.CostNanoUSD = agent, model, &cost
		must(db.AppendStep(ctx, "r1", m, nil))(t)
	}
	prompt := say("q", "p", core.RoleUser)
	prompt.Agent = "writer"
	must(db.AppendInput(ctx, "r1", prompt))(t)
	wrote("a", "q", "writer", "demo/one", 100)
	wrote("b", "a", "critic", "demo/two", 10)
	wrote("c", "b", "critic", "demo/two", 10)
	wrote("d", "c", "writer", "demo/three", 100)
	wrote("e", "a", "reader", "demo/two", 1)

	if got := must(db.Authors(ctx, id))(t); len(got) != 3 || got[0] != "writer" || got[1] != "critic" || got[2] != "reader" {
		t.Errorf("authors %q", got)
	}
	costs := must(db.AgentCosts(ctx, id))(t)
	if len(costs) != 3 || costs[0].Agent != "critic" || costs[0].StepCount != 2 || *costs[0].CostNanoUSD != 20 || costs[1].Model != "demo/three" || *costs[1].CostNanoUSD != 200 {
		t.Errorf("costs %+v", costs)
	}
	turns := must(db.AgentTurns(ctx, id, 100))(t)
	want := []struct {
		agent, first, last, parent string
		steps                      int64
	}{{"", "p", "p", "", 0}, {"", "q", "q", "p", 0}, {"writer", "a", "a", "q", 1}, {"critic", "b", "c", "a", 2}, {"writer", "d", "d", "c", 1}, {"reader", "e", "e", "a", 1}}
	if len(turns) != len(want) {
		t.Fatalf("turns %+v", turns)
	}
	for i, w := range want {
		if got := turns[i]; got.Agent != w.agent || got.FirstUID != w.first || got.LastUID != w.last || got.ParentUID != w.parent || got.Steps != w.steps {
			t.Errorf("turn %d: %+v, want %+v", i, got, w)
		}
	}
	if got := must(db.AgentTurns(ctx, id, 2))(t); len(got) != 2 || got[1].Agent != "reader" {
		t.Errorf("the last two: %+v", got)
	}
	var authors []string
	for _, turn := range must(db.Turns(ctx, id, []int64{1}))(t) {
		authors = append(authors, turn.Authors)
	}
	if len(authors) != 1 || authors[0] != "writer\ncritic" {
		t.Errorf("authors of the turn %q", authors)
	}
}
