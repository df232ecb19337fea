package render

import (
	"fmt"
	"strings"
	"testing"

	"coppice/backend/core"
)

// TestOutlineAndMap draws the tree of wood. Turns: n0 one, n1 three, n2 five, n3 six, n4 seven, n5 nine.
func TestOutlineAndMap(t *testing.T) {
	f, _ := wood(t)
	tr, err := shared().transcript(t.Context(), f, "s", ExportOptions{Scope: ScopeTree})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range tr.outline() {
		rows = append(rows, fmt.Sprintf("%d:%s", row.depth, row.turn.Preview))
	}
	if got, want := strings.Join(rows, " "), "0:one 1:seven 1:nine 0:three 1:six 0:five"; got != want {
		t.Errorf("outline %s, want %s", got, want)
	}
	m, ok := tr.treeMap()
	var nodes []string
	for _, n := range m.nodes {
		nodes = append(nodes, fmt.Sprintf("%s %d,%d", n.turn.Preview, n.lane, n.row))
	}
	if got, want := strings.Join(nodes, "; "), "one 0,0; three 0,1; five 0,2; six 1,2; seven 1,1; nine 2,1"; got != want || !ok || !m.whole {
		t.Errorf("map %s, want %s", got, want)
	}
}

// TestMapOfALongComb has a path of 3,000 turns with a branch at each hundredth.
func TestMapOfALongComb(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	at := ""
	for i := range 1000 {
		before := at
		at = f.add(t, at, said(core.RoleUser, text(fmt.Sprint("turn ", i))))
		if i%100 == 99 {
			f.add(t, before, said(core.RoleUser, text("branch")))
		}
	}
	f.session.HeadUID = at
	tr, err := shared().transcript(t.Context(), f, "s", ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := tr.treeMap()
	if !ok || m.whole || len(m.nodes) > 60 || m.lanes < 2 {
		t.Errorf("%v: %d nodes in %d lanes", ok, len(m.nodes), m.lanes)
	}
	seen := map[[2]int]bool{}
	for _, n := range m.nodes {
		if seen[[2]int{n.lane, n.row}] {
			t.Errorf("two turns at lane %d, row %d", n.lane, n.row)
		}
		seen[[2]int{n.lane, n.row}] = true
	}
}

func TestDigestsOfTurns(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	cost := int64(2_000_000)
	at := f.add(t, "", said(core.RoleUser, text("Go")))
	for i := range 3 {
		m := said(core.RoleAssistant, text("Step"), calls(fmt.Sprint(i), "Bash", `{"command":"true"}`))
		m.Agent, m.Usage = "build", &core.Usage{InputTokens: 100, OutputTokens: 10}
		if i > 0 {
			m.CostNanoUSD = &cost
		}
		at = f.add(t, at, m)
		at = f.add(t, at, said(core.RoleTool, answers(fmt.Sprint(i), text("ok"))))
	}
	want := "build · 3 steps · 3 calls of tools · 300 tokens in, 30 out · ≥ $0.004"
	for _, format := range []string{"html", "md", "txt"} {
		if got := export(t, format, f, ExportOptions{}); strings.Count(got, want) != 1 {
			t.Errorf("%s lacks %q", format, want)
		}
	}
}
