package sqlite

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// model is a session the slow and obvious way: every question walks from message to parent.
type model struct {
	messages []core.Message
	visited  []string
	labels   map[string]string // by the uid of a turn's first message
	head     string
}

func (m *model) find(uid string) *core.Message {
	for i := range m.messages {
		if m.messages[i].UID == uid {
			return &m.messages[i]
		}
	}
	return nil
}

func (m *model) path(uid string) []string {
	path := []string{}
	for ; uid != ""; uid = m.find(uid).ParentUID {
		path = append(path, uid)
	}
	slices.Reverse(path)
	return path
}

func (m *model) children(uid string) []string {
	children := []string{}
	for _, c := range m.messages {
		if c.ParentUID == uid {
			children = append(children, c.UID)
		}
	}
	return children
}

func (m *model) leaf(top string) string {
	for _, v := range slices.Backward(m.visited) {
		if slices.Contains(m.path(v), top) {
			for len(m.children(v)) > 0 { // it has grown since
				v = m.children(v)[0]
			}
			return v
		}
	}
	for _, c := range slices.Backward(m.messages) {
		if len(m.children(c.UID)) == 0 && slices.Contains(m.path(c.UID), top) {
			return c.UID
		}
	}
	return ""
}

func (m *model) below(top string) int64 {
	n := int64(0)
	for _, c := range m.messages {
		if slices.Contains(m.path(c.UID), top) {
			n++
		}
	}
	return n
}

// turn returns the ends of a turn, and what it is about: its prompt, or else its first message.
func (m *model) turn(number int64) (first, last, about core.Message, count int64) {
	for _, c := range m.messages {
		if c.Turn == number {
			if count == 0 {
				first, about = c, c
			}
			if c.IsPrompt() {
				about = c
			}
			last = c
			count++
		}
	}
	return first, last, about, count
}

// place gives the messages the places that core finds for them.
func (m *model) place(t *rapid.T) {
	nodes := make([]core.Node, len(m.messages))
	for i, c := range m.messages {
		nodes[i] = core.Node{UID: c.UID, ParentUID: c.ParentUID, IsPrompt: c.IsPrompt()}
	}
	places, _, err := core.Plan(nodes)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range places {
		c := &m.messages[i]
		c.Seq, c.Turn, c.Branch, c.Depth = p.Seq, p.Turn, p.Branch, p.Depth
	}
}

// roles are drawn often enough to make turns with and without a prompt.
var roles = []core.Role{core.RoleUser, core.RoleUser, core.RoleAssistant, core.RoleAssistant, core.RoleTool} // a constant

// draw makes the next message of a random tree, mostly at its newest end.
func (m *model) draw(t *rapid.T, uid string) core.Message {
	parent := ""
	if n := len(m.messages); n > 0 {
		switch rapid.IntRange(0, 9).Draw(t, "where") {
		case 0: // a root
		case 1, 2, 3:
			parent = m.messages[rapid.IntRange(0, n-1).Draw(t, "parent")].UID
		default:
			parent = m.messages[n-1].UID
		}
	}
	c := say(uid, parent, rapid.SampledFrom(roles).Draw(t, "role"))
	c.Kind = rapid.SampledFrom([]core.Kind{core.KindMessage, core.KindMessage, core.KindMessage, core.KindMeta}).Draw(t, "kind")
	c.CreatedAtMs += int64(len(m.messages))
	return c
}

// compare asks the library everything and the model too.
func (m *model) compare(t *rapid.T, tb testing.TB, db *DB, id string) {
	ctx := tb.Context()
	m.place(t)
	for i, got := range collect(tb, db.Messages(ctx, id)) {
		m.compareMessage(t, &got, &m.messages[i])
	}
	for _, c := range m.messages {
		w := must(db.Window(ctx, id, c.UID, 0, 0))(tb)
		if got, want := uids(w.Messages), m.path(c.UID); !slices.Equal(got, want) {
			t.Fatalf("path to %s: %v, want %v", c.UID, got, want)
		}
		if got := must(db.Leaf(ctx, id, c.UID))(tb).UID; got != m.leaf(c.UID) {
			t.Fatalf("leaf below %s: %s, want %s", c.UID, got, m.leaf(c.UID))
		}
		if got := must(db.Node(ctx, id, fmt.Sprintf("m%d", c.Seq)))(tb).UID; got != c.UID {
			t.Fatalf("m%d is %s, want %s", c.Seq, got, c.UID)
		}
		m.compareSiblings(t, must(db.Siblings(ctx, id, c.UID))(tb), &c)
	}
	m.compareWindow(t, tb, db, id)
	m.compareTree(t, tb, db, id)
	m.compareBranches(t, tb, db, id)
}

func (m *model) compareMessage(t *rapid.T, got, want *core.Message) {
	siblings := m.children(want.ParentUID)
	index := int64(slices.Index(siblings, want.UID) + 1)
	if got.UID != want.UID || got.ParentUID != want.ParentUID || got.Seq != want.Seq || got.Turn != want.Turn || got.Branch != want.Branch ||
		got.Depth != want.Depth || got.Siblings != int64(len(siblings)) || got.SiblingIndex != index || got.Parts[0].Text != want.Parts[0].Text {
		t.Fatalf("message %+v, want %+v, sibling %d of %v", got, want, index, siblings)
	}
}

func (m *model) compareSiblings(t *rapid.T, got []core.Sibling, of *core.Message) {
	want := m.children(of.ParentUID)
	for i, s := range got {
		if len(got) != len(want) || s.UID != want[i] || s.Messages != m.below(s.UID) || s.Seq != m.find(s.UID).Seq {
			t.Fatalf("siblings of %s: %+v, want %v", of.UID, got, want)
		}
	}
}

func (m *model) compareWindow(t *rapid.T, tb testing.TB, db *DB, id string) {
	leaf := m.messages[rapid.IntRange(0, len(m.messages)-1).Draw(t, "leaf")].UID
	path := m.path(leaf)
	n := len(path)
	from := rapid.IntRange(-n-1, n+1).Draw(t, "from")
	limit := rapid.IntRange(0, n+1).Draw(t, "limit")
	w := must(db.Window(tb.Context(), id, leaf, int64(from), int64(limit)))(tb)
	if from < 0 {
		from = max(0, n+from)
	}
	from = min(from, n)
	to := n
	if limit > 0 {
		to = min(from+limit, n)
	}
	if got := uids(w.Messages); !slices.Equal(got, path[from:to]) || w.Length != int64(n) || w.From != int64(from) || w.LeafUID != leaf {
		t.Fatalf("window %d+%d of %v: %v at %d of %d", from, limit, path, got, w.From, w.Length)
	}
	for i := range w.Messages {
		m.compareMessage(t, &w.Messages[i], m.find(w.Messages[i].UID))
	}
	whole := collect(tb, db.PathMessages(tb.Context(), id, leaf))
	if got := uids(whole); !slices.Equal(got, path) {
		t.Fatalf("path %v, want %v", got, path)
	}
}

func (m *model) compareTree(t *rapid.T, tb testing.TB, db *DB, id string) {
	tree := must(db.Tree(tb.Context(), id))(tb)
	onPath := map[int64]bool{}
	for _, uid := range m.path(m.head) {
		onPath[m.find(uid).Turn] = true
	}
	if tree.Head != m.head {
		t.Fatalf("head %s, want %s", tree.Head, m.head)
	}
	for _, turn := range tree.Turns {
		first, last, about, count := m.turn(turn.Number)
		parent := int64(-1)
		if first.ParentUID != "" {
			parent = m.find(first.ParentUID).Turn
		}
		if turn.FirstUID != first.UID || turn.LastUID != last.UID || turn.Messages != count || turn.Cumulative != last.Depth+1 || turn.Parent != parent ||
			turn.Branch != first.Branch || turn.OnPath != onPath[turn.Number] || turn.Label != m.labels[first.UID] || turn.Role != about.Role || turn.Preview != about.Parts[0].Text {
			t.Fatalf("turn %+v, want %s to %s, %d messages, parent %d, on path %t", turn, first.UID, last.UID, count, parent, onPath[turn.Number])
		}
		if got := must(db.Node(tb.Context(), id, fmt.Sprintf("n%d", turn.Number)))(tb).UID; got != last.UID {
			t.Fatalf("n%d is %s, want %s", turn.Number, got, last.UID)
		}
	}
	if s := tree.Session; s.MessageCount != int64(len(m.messages)) || s.TurnCount != int64(len(tree.Turns)) || s.BranchCount != int64(len(tree.Branches)) {
		t.Fatalf("counters %+v", s)
	}
}

func TestRandomOperations(t *testing.T) {
	db := openTest(t)
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{labels: map[string]string{}}
		id := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
		pick := func() *core.Message { return &m.messages[rapid.IntRange(0, len(m.messages)-1).Draw(rt, "message")] }
		steps := rapid.IntRange(1, 25).Draw(rt, "steps")
		for range steps {
			action := rapid.IntRange(0, 9).Draw(rt, "action")
			switch {
			case action < 7 || len(m.messages) == 0:
				c := m.draw(rt, fmt.Sprintf("u%d", len(m.messages)))
				m.messages = append(m.messages, c)
				m.place(rt)
				got := must(db.Append(t.Context(), id, c))(t)
				m.compareMessage(rt, &got, &m.messages[len(m.messages)-1])
				m.head = c.UID
			case action == 7:
				m.head = pick().UID
				must(db.MoveHead(t.Context(), id, m.head))(t)
			case action == 8:
				v := pick().UID
				m.visited = append(m.visited, v)
				check(t, db.Visit(t.Context(), id, v))
			default:
				at := pick()
				text := rapid.SampledFrom([]string{"", "plan", "idea"}).Draw(rt, "label")
				first, _, _, _ := m.turn(at.Turn)
				m.labels[first.UID] = text
				check(t, db.SetLabel(t.Context(), id, at.UID, text))
			}
		}
		m.compare(rt, t, db, id)
	})
	wantSound(t, db)
}
