package sqlite

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// compareBranches asks for two branches side by side and walks both paths for it.
func (m *model) compareBranches(t *rapid.T, tb testing.TB, db *DB, id string) {
	pick := func(name string) string {
		return m.messages[rapid.IntRange(0, len(m.messages)-1).Draw(t, name)].UID
	}
	left, right := pick("left"), pick("right")
	c := must(db.Compare(tb.Context(), id, left, right, 0, 0))(tb)
	leftPath, rightPath := m.path(left), m.path(right)
	shared := 0
	for shared < min(len(leftPath), len(rightPath)) && leftPath[shared] == rightPath[shared] {
		shared++
	}
	ancestor := ""
	if shared > 0 {
		ancestor = leftPath[shared-1]
	}
	if c.Shared != int64(shared) || c.AncestorUID != ancestor {
		t.Fatalf("%v and %v share %d, up to %q", leftPath, rightPath, c.Shared, c.AncestorUID)
	}
	for i, side := range []core.Side{c.Left, c.Right} {
		path := [][]string{leftPath, rightPath}[i]
		steps, turns := int64(0), map[int64]bool{}
		for _, uid := range path[shared:] {
			if m.find(uid).IsCall() {
				steps++
			}
			turns[m.find(uid).Turn] = true
		}
		if side.Length != int64(len(path)) || side.Messages != int64(len(path)-shared) || side.Steps != steps || side.Turns != int64(len(turns)) {
			t.Fatalf("side %d is %+v, of %v from %d", i, side, path, shared)
		}
		m.compareTurnRanges(t, c.Rows, i, path, shared)
	}
	from := rapid.IntRange(0, len(c.Rows)).Draw(t, "row")
	page := must(db.Compare(tb.Context(), id, left, right, int64(from), 2))(tb)
	if want := c.Rows[from:min(from+2, len(c.Rows))]; len(page.Rows) != len(want) || page.RowCount != int64(len(c.Rows)) {
		t.Fatalf("%d rows from %d, want %d of %d", len(page.Rows), from, len(want), page.RowCount)
	}
}

// compareTurnRanges checks that the rows of a side are its path from where it parts.
func (m *model) compareTurnRanges(t *rapid.T, rows []core.Pair, side int, path []string, shared int) {
	depth := int64(shared)
	for _, row := range rows {
		turns := []core.TurnRange{row.Left, row.Right}[side]
		if turns.Messages == 0 {
			continue
		}
		first, _, about, _ := m.turn(turns.Turn)
		preview := ""
		if first.Depth == turns.From {
			preview = about.Parts[0].Text
		}
		if turns.From != depth || turns.Turn != m.find(path[depth]).Turn || turns.Preview != preview || turns.Label != m.labels[first.UID] {
			t.Fatalf("%+v of %v from %d, first %+v", turns, path, shared, first)
		}
		depth += turns.Messages
	}
	if depth != int64(len(path)) {
		t.Fatalf("rows end at %d of %v", depth, path)
	}
}

func TestCompareAddsUpWhatEachSideTook(t *testing.T) {
	db := openTest(t)
	id := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
	cost := func(n int64) *int64 { return &n }
	answer := func(uid, parent, model string, in, out int64, nano *int64) core.Message {
		m := say(uid, parent, core.RoleAssistant)
		m.Model, m.CostNanoUSD, m.Usage = model, nano, &core.Usage{InputTokens: in, OutputTokens: out}
		return m
	}
	for _, m := range []core.Message{
		say("ask", "", core.RoleUser),
		answer("a1", "ask", "small", 10, 1, cost(5)),
		say("more", "a1", core.RoleUser),
		answer("a2", "more", "large", 20, 2, cost(7)),
		answer("a3", "a2", "large", 30, 3, nil),
		answer("b1", "ask", "other", 40, 4, nil),
	} {
		must(db.Append(t.Context(), id, m))(t)
	}
	c := must(db.Compare(t.Context(), id, "a3", "", 0, 0))(t) // the head is b1
	if c.AncestorUID != "ask" || c.SharedTurns != 1 || c.Right.LeafUID != "b1" {
		t.Errorf("they part at %q, the right ends at %q", c.AncestorUID, c.Right.LeafUID)
	}
	if l := c.Left; *l.CostNanoUSD != 12 || l.Unpriced != 1 || l.InputTokens != 60 || l.OutputTokens != 6 || !slices.Equal(l.Models, []string{"large", "small"}) {
		t.Errorf("left %+v", l)
	}
	if r := c.Right; r.CostNanoUSD != nil || r.Unpriced != 1 || r.InputTokens != 40 || !slices.Equal(r.Models, []string{"other"}) {
		t.Errorf("right %+v", r)
	}
	_, err := db.Compare(t.Context(), id, "a3", "nobody", 0, 0)
	wantCode(t, err, core.NotFound)
	empty := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
	_, err = db.Compare(t.Context(), empty, "", "", 0, 0)
	wantCode(t, err, core.Invalid)
}
