package sqlite

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/excerpt"
)

// known is what a reader of shapes has put together.
type known struct {
	shape core.Shape
	turns [][]core.TurnShape // the ranges of each turn
}

// read asks for what is new and puts it to what is known.
func (k *known) read(tb testing.TB, db *DB, id string) {
	shape := must(db.Shape(tb.Context(), id, k.shape.Messages-1, k.shape.Reshapes))(tb)
	if shape.IsWhole {
		k.turns = nil
	}
	for i, n := range shape.Changed {
		if n.Number == int64(len(k.turns)) {
			k.turns = append(k.turns, nil)
		}
		if i == 0 || shape.Changed[i-1].Number != n.Number {
			k.turns[n.Number] = nil
		}
		k.turns[n.Number] = append(k.turns[n.Number], n)
	}
	k.shape = shape
}

// whole puts the ranges of a turn together.
func whole(ranges []core.TurnShape) core.TurnShape {
	sum := ranges[0]
	for _, r := range ranges[1:] {
		sum.Messages += r.Messages
		sum.HasPrompt, sum.HasTools = sum.HasPrompt || r.HasPrompt, sum.HasTools || r.HasTools
		sum.Tokens += r.Tokens
		if r.CostNanoUSD != nil {
			known := cost(sum) + *r.CostNanoUSD
			sum.CostNanoUSD = &known
		}
	}
	return sum
}

// compareRanges holds the places at which turns are divided against the branches of the tree.
func (k *known) compareRanges(t *rapid.T, tree *core.Tree) {
	for number, ranges := range k.turns {
		from := ranges[0].FirstDepth
		for i, r := range ranges {
			if i > 0 && r.Parent != int64(number) {
				t.Fatalf("range %+v of n%d has another parent", r, number)
			}
			if r.FirstDepth != from || r.Messages < 1 {
				t.Fatalf("range %+v of n%d does not begin at %d", r, number, from)
			}
			from += r.Messages
		}
		for _, b := range tree.Branches {
			first := b.ForkDepth + 1
			isInside := b.Parent == ranges[0].Branch && first > ranges[0].FirstDepth && first < from
			isCut := slices.ContainsFunc(ranges[1:], func(r core.TurnShape) bool { return r.FirstDepth == first })
			if isInside && !isCut {
				t.Fatalf("n%d is not divided at %d: %+v", number, first, ranges)
			}
		}
	}
}

// compare holds what is known against the tree with its words.
func (k *known) compare(t *rapid.T, tb testing.TB, db *DB, id string) {
	tree := must(db.Tree(tb.Context(), id))(tb)
	s := k.shape
	if s.Head != tree.Head || s.HeadTurn != tree.HeadTurn || s.Branches != int64(len(tree.Branches)) || s.Messages != tree.Session.MessageCount ||
		len(k.turns) != len(tree.Turns) || s.Turns != int64(len(tree.Turns)) {
		t.Fatalf("shape %+v of %d turns, want %d, head %s in %d", s, len(k.turns), len(tree.Turns), tree.Head, tree.HeadTurn)
	}
	k.compareRanges(t, &tree)
	labels := map[int64]string{}
	for _, l := range s.Labels {
		labels[l.Turn] = l.Text
	}
	sums := map[int64]core.TurnShape{}
	models := map[int64]string{}  // that answered last
	answers := map[int64]string{} // the beginnings of the last ones
	for m, err := range db.Messages(tb.Context(), id) {
		check(tb, err)
		if m.Model != "" {
			models[m.Turn] = m.Model
		}
		if words := excerpt.Preview(m.Parts); m.Role == core.RoleAssistant && m.Kind == core.KindMessage && words != "" {
			answers[m.Turn] = words
		}
		sums[m.Turn] = addMessage(sums[m.Turn], &m)
	}
	numbers := make([]int64, len(tree.Turns))
	for i, want := range tree.Turns {
		got, sum := whole(k.turns[i]), sums[want.Number]
		numbers[len(numbers)-1-i] = want.Number
		if got.Number != want.Number || got.Parent != want.Parent || got.Branch != want.Branch || got.FirstDepth != want.FirstDepth ||
			got.Messages != want.Messages || got.CreatedAtMs != want.CreatedAtMs || labels[got.Number] != want.Label ||
			got.HasPrompt != sum.HasPrompt || got.HasTools != sum.HasTools || got.Tokens != sum.Tokens || cost(got) != cost(sum) {
			t.Fatalf("turn %+v, want %+v and %+v", got, want, sum)
		}
	}
	for i, got := range must(db.Turns(tb.Context(), id, append(numbers, 1_000_000)))(tb) {
		want := tree.Turns[i]
		want.OnPath, want.Model, want.Answer = false, models[want.Number], answers[want.Number]
		if got != want {
			t.Fatalf("turn %+v, want %+v", got, want)
		}
	}
}

func addMessage(n core.TurnShape, m *core.Message) core.TurnShape {
	n.HasPrompt = n.HasPrompt || m.IsPrompt()
	n.HasTools = n.HasTools || m.Role == core.RoleTool
	if m.Usage != nil {
		n.Tokens += m.Usage.InputTokens + m.Usage.OutputTokens
	}
	if m.CostNanoUSD != nil {
		sum := cost(n) + *m.CostNanoUSD
		n.CostNanoUSD = &sum
	}
	return n
}

func cost(n core.TurnShape) int64 {
	if n.CostNanoUSD == nil {
		return 0
	}
	return *n.CostNanoUSD
}

func TestShapeGrows(t *testing.T) {
	db := openTest(t)
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{labels: map[string]string{}}
		id := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
		var seen known
		for range rapid.IntRange(1, 20).Draw(rt, "messages") {
			c := m.draw(rt, fmt.Sprintf("u%d", len(m.messages)))
			m.messages = append(m.messages, c)
			must(db.Append(t.Context(), id, c))(t)
			if rapid.IntRange(0, 2).Draw(rt, "look") == 0 {
				seen.read(t, db, id)
			}
			if rapid.IntRange(0, 5).Draw(rt, "label") == 0 {
				check(t, db.SetLabel(t.Context(), id, c.UID, "here"))
			}
		}
		seen.read(t, db, id)
		seen.compare(rt, t, db, id)
		if again := must(db.Shape(t.Context(), id, seen.shape.Messages-1, seen.shape.Reshapes))(t); again.IsWhole || len(again.Changed) > 0 {
			rt.Fatalf("nothing new, but %+v", again)
		}
	})
}

func TestShapeIsReadAgainAfterChanges(t *testing.T) {
	db := openTest(t)
	messages := chain(6)
	id := merged(t, db, incoming("one", messages...))
	var seen known
	seen.read(t, db, id)
	merged(t, db, incoming("one", chain(8)...)) // it has grown
	seen.read(t, db, id)
	if seen.shape.IsWhole || len(seen.shape.Changed) != 1 || len(seen.turns) != 3 {
		t.Fatalf("grown: %+v", seen.shape)
	}
	messages = chain(8)
	messages[5].ParentUID = "u2" // and now it hangs elsewhere
	merged(t, db, incoming("one", messages...))
	seen.read(t, db, id)
	if !seen.shape.IsWhole {
		t.Fatalf("moved: %+v", seen.shape)
	}
	messages = chain(8)
	messages[5].ParentUID = "u2"
	messages[1].Parts[0].Text = "something else" // or says something else
	merged(t, db, incoming("one", messages...))
	seen.read(t, db, id)
	if !seen.shape.IsWhole {
		t.Fatalf("changed: %+v", seen.shape)
	}
	rapid.Check(t, func(rt *rapid.T) { seen.compare(rt, t, db, id) })
}

func TestShapeMarksRunsAndCompactions(t *testing.T) {
	db := openTest(t)
	id := begun(t, db, "r1")
	summary := say("s", "p", core.RoleUser)
	summary.Kind = core.KindCompaction
	must(db.Append(t.Context(), id, summary))(t)
	shape := must(db.Shape(t.Context(), id, -1, 0))(t)
	if len(shape.Changed) != 1 || shape.Changed[0].Run != core.StatusRunning || !shape.Changed[0].IsCompacted {
		t.Errorf("shape %+v", shape)
	}
	_, err := db.Shape(t.Context(), "none", -1, 0)
	wantCode(t, err, core.NotFound)
}

func TestShapeMarksCheckpoints(t *testing.T) {
	db := openTest(t)
	messages := chain(6)
	keep := func(i int, files int64) {
		messages[i].Meta = fmt.Appendf(nil, `{"checkpoint":{"id":"k","fileCount":%d}}`, files)
	}
	keep(3, 0)
	keep(4, 5) // in the same turn: the first one counts
	id := merged(t, db, incoming("one", messages...))
	want := func(all ...core.TurnCheckpoint) {
		t.Helper()
		if got := must(db.Shape(t.Context(), id, -1, 0))(t).Checkpoints; !slices.Equal(got, all) {
			t.Errorf("checkpoints %v, want %v", got, all)
		}
	}
	want(core.TurnCheckpoint{Turn: 1})
	keep(3, 2) // more was kept since
	merged(t, db, incoming("one", messages...))
	want(core.TurnCheckpoint{Turn: 1, FileCount: 2})
	messages[3].Meta = nil
	merged(t, db, incoming("one", messages...))
	want(core.TurnCheckpoint{Turn: 1, FileCount: 5})
}

func TestFindTurns(t *testing.T) {
	db := openTest(t)
	id := merged(t, db, incoming("one", chain(30)...))
	check(t, db.SetLabel(t.Context(), id, "u9", "u2 again"))
	for text, want := range map[string][]int64{
		"THIS IS": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, "u2": {0, 3, 6, 7, 8, 9}, "u17 says": {5}, "nowhere": nil,
	} {
		if got := must(db.FindTurns(t.Context(), id, text))(t); !slices.Equal(got, want) {
			t.Errorf("%q is in %v, want %v", text, got, want)
		}
	}
	_, err := db.FindTurns(t.Context(), id, " ")
	wantCode(t, err, core.Invalid)
	if got := must(db.TurnsBeginning(t.Context(), id, "This is what u2"))(t); !slices.Equal(got, []int64{7, 8, 9}) {
		t.Errorf("begin: %v", got) // u21, u24 and u27: of the others only the prompt counts
	}
	if got := must(db.TurnsBeginning(t.Context(), id, "%"))(t); len(got) > 0 {
		t.Errorf("begin with %%: %v", got)
	}
}
