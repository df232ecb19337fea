package sqlite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/store"
)

// tended is a model some of whose subtrees are in the trash.
type tended struct {
	model
	tops map[string]bool
}

func (m *tended) hides(uid string) bool {
	return slices.ContainsFunc(m.path(uid), func(above string) bool { return m.tops[above] })
}

func (m *tended) hiddenCount() int64 {
	n := int64(0)
	for _, c := range m.messages {
		if m.hides(c.UID) {
			n++
		}
	}
	return n
}

// reveal takes out of the trash what is above a message.
func (m *tended) reveal(uid string) {
	for _, above := range m.path(uid) {
		delete(m.tops, above)
	}
}

// hide marks messages, and moves a head that is among them.
func (m *tended) hide(t *rapid.T, tb testing.TB, got core.Hiding, uids []string) {
	before, head := m.hiddenCount(), m.head
	want := []string{}
	was := map[string]bool{}
	for _, uid := range uids {
		was[uid] = m.hides(uid)
	}
	for _, uid := range uids {
		if !was[uid] {
			m.tops[uid] = true
			want = append(want, uid)
		}
	}
	for m.head != "" && m.hides(m.head) {
		m.head = m.find(m.head).ParentUID
	}
	moved := ""
	if m.head != head {
		moved = head
	}
	slices.Sort(want)
	tops := slices.Sorted(slices.Values(got.Tops))
	if !slices.Equal(tops, slices.Compact(want)) || got.Messages != m.hiddenCount()-before || got.HeadUID != moved {
		t.Fatalf("hid %+v, want %v, %d messages, head from %q", got, want, m.hiddenCount()-before, moved)
	}
}

func (m *tended) compareTended(t *rapid.T, tb testing.TB, db *DB, id string) {
	ctx := tb.Context()
	m.place(t)
	session := must(db.Session(ctx, id))(tb)
	if session.HiddenCount != m.hiddenCount() || session.HeadUID != m.head {
		t.Fatalf("%d are hidden and the head is %q, want %d and %q", session.HiddenCount, session.HeadUID, m.hiddenCount(), m.head)
	}
	veiled := int64(0)
	check(tb, db.library.Read(ctx, func(t *store.Txn) error {
		return t.Get(ctx, &veiled, `SELECT count(*) FROM messages m JOIN veils v ON v.session = m.session AND v.branch = m.branch AND v.from_depth <= m.depth
			JOIN sessions s ON s.key = m.session WHERE s.id = ?`, id)
	}))
	if veiled != m.hiddenCount() {
		t.Fatalf("a search would leave out %d messages, want %d", veiled, m.hiddenCount())
	}
	for _, turn := range must(db.Tree(ctx, id))(tb).Turns {
		if turn.Hidden != m.hides(turn.FirstUID) {
			t.Fatalf("n%d is hidden: %t", turn.Number, turn.Hidden)
		}
	}
	for got := range slices.Values(collect(tb, db.Messages(ctx, id))) {
		visible := slices.DeleteFunc(m.children(got.ParentUID), func(uid string) bool { return m.tops[uid] && uid != got.UID })
		if got.Siblings != int64(len(visible)) || got.SiblingIndex != int64(slices.Index(visible, got.UID)+1) {
			t.Fatalf("%s is %d of %d, want it among %v", got.UID, got.SiblingIndex, got.Siblings, visible)
		}
		listed := []string{}
		for _, s := range must(db.Siblings(ctx, id, got.UID))(tb) {
			listed = append(listed, s.UID)
		}
		if !slices.Equal(listed, visible) {
			t.Fatalf("beside %s stand %v, want %v", got.UID, listed, visible)
		}
		leaf := must(db.Leaf(ctx, id, got.UID))(tb)
		if !slices.Contains(m.path(leaf.UID), got.UID) || m.hides(leaf.UID) && !m.hides(got.UID) {
			t.Fatalf("the leaf below %s is %s, hidden: %t", got.UID, leaf.UID, m.hides(leaf.UID))
		}
	}
}

// turnsBeside returns the beginnings of the turns that follow the same turn as that of a message which begins one.
func (m *tended) turnsBeside(uid string) (tops []string) {
	before := func(c *core.Message) int64 { // the turn that c's turn follows, where c begins it; else -2
		if c.ParentUID == "" {
			return -1
		}
		if parent := m.find(c.ParentUID); parent.Turn != c.Turn {
			return parent.Turn
		}
		return -2
	}
	of := before(m.find(uid))
	for i := range m.messages {
		if c := &m.messages[i]; of != -2 && before(c) == of {
			tops = append(tops, c.UID)
		}
	}
	return tops
}

func TestRandomTending(t *testing.T) {
	db := openTest(t)
	rapid.Check(t, func(rt *rapid.T) {
		m := &tended{model: model{labels: map[string]string{}}, tops: map[string]bool{}}
		id := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
		pick := func() string { return m.messages[rapid.IntRange(0, len(m.messages)-1).Draw(rt, "message")].UID }
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			action := rapid.IntRange(0, 11).Draw(rt, "action")
			switch {
			case action < 6 || len(m.messages) == 0:
				c := m.draw(rt, fmt.Sprintf("u%d", len(m.messages)))
				m.messages = append(m.messages, c)
				must(db.Append(t.Context(), id, c))(t)
				m.reveal(c.UID)
				m.head = c.UID
			case action == 6:
				uids := []string{pick(), pick()}
				m.hide(rt, t, must(db.Hide(t.Context(), id, uids))(t), uids)
			case action == 7:
				at := pick()
				m.place(rt)
				beside := append(m.children(m.find(at).ParentUID), m.turnsBeside(at)...)
				beside = slices.DeleteFunc(beside, func(uid string) bool { return uid == at })
				m.hide(rt, t, must(db.HideSiblings(t.Context(), id, at))(t), beside)
			case action == 8:
				at := pick()
				path, beside := m.path(at), []string{}
				for _, c := range m.messages {
					if !slices.Contains(path, c.UID) && c.ParentUID != at && (c.ParentUID == "" || slices.Contains(path, c.ParentUID)) {
						beside = append(beside, c.UID)
					}
				}
				m.hide(rt, t, must(db.HideOthers(t.Context(), id, at))(t), beside)
			case action == 9:
				at := pick()
				delete(m.tops, at)
				check(t, db.Unhide(t.Context(), id, []string{at}))
			case action == 10:
				m.head = pick()
				m.reveal(m.head)
				must(db.MoveHead(t.Context(), id, m.head))(t)
			default:
				clear(m.tops)
				check(t, db.Unhide(t.Context(), id, nil))
			}
			m.compareTended(rt, t, db, id)
		}
		left := slices.DeleteFunc(slices.Clone(m.messages), func(c core.Message) bool { return m.hides(c.UID) })
		if n := must(db.PurgeHidden(t.Context(), id))(t); n != int64(len(m.messages)-len(left)) {
			rt.Fatalf("%d removed of %d, want %d to be left", n, len(m.messages), len(left))
		}
		if m.messages = left; len(left) > 0 {
			m.compare(rt, t, db, id)
		}
	})
}

// grown makes a session: a prompt with two answers, the first of which has more messages.
func grown(t *testing.T, db *DB) string {
	id := must(db.CreateSession(t.Context(), core.Session{WorkspacePath: "/app"}))(t).ID
	for _, m := range []core.Message{
		say("ask", "", core.RoleUser), say("a", "ask", core.RoleAssistant), say("more", "a", core.RoleUser), say("a2", "more", core.RoleAssistant),
		say("b", "ask", core.RoleAssistant),
	} {
		must(db.Append(t.Context(), id, m))(t)
	}
	return id
}

func TestMarks(t *testing.T) {
	db := openTest(t)
	id := grown(t, db)
	check(t, db.Bookmark(t.Context(), id, "a2", true))
	check(t, db.Bookmark(t.Context(), id, "more", true)) // the same turn
	check(t, db.Bookmark(t.Context(), id, "b", true))
	check(t, db.Bookmark(t.Context(), id, "b", false))
	if got := must(db.Bookmarks(t.Context(), id))(t); len(got) != 1 || got[0].UID != "more" || got[0].Turn != 1 {
		t.Errorf("bookmarks %+v", got)
	}
	wantCode(t, db.ColorLabel(t.Context(), id, "b", "red"), core.NotFound)
	check(t, db.SetLabel(t.Context(), id, "b", "idea"))
	wantCode(t, db.ColorLabel(t.Context(), id, "b", "mauve"), core.Invalid)
	check(t, db.ColorLabel(t.Context(), id, "b", "red"))
	check(t, db.SetLabel(t.Context(), id, "b", "better idea"))
	if got := must(db.Labels(t.Context(), id))(t); len(got) != 1 || got[0].Color != "red" || got[0].Text != "better idea" {
		t.Errorf("labels %+v", got)
	}
	check(t, db.SetMain(t.Context(), id, "a2"))
	if got := must(db.Session(t.Context(), id))(t); got.MainUID != "a2" {
		t.Errorf("main %q", got.MainUID)
	}
	if shape := must(db.Shape(t.Context(), id, -1, 0))(t); shape.Main != 1 || len(shape.Bookmarks) != 1 || shape.Labels[0].Color != "red" {
		t.Errorf("shape %+v", shape)
	}
	check(t, db.SetMain(t.Context(), id, ""))
	if got := must(db.Session(t.Context(), id))(t); got.MainUID != "" {
		t.Errorf("main %q", got.MainUID)
	}
}

func TestGraft(t *testing.T) {
	db := openTest(t)
	from, to := grown(t, db), grown(t, db)
	grafted := must(db.Graft(t.Context(), core.GraftSource{SessionID: from, UID: "a", Below: true}, to, "b"))(t)
	if grafted.Messages != 3 || grafted.SessionID != to {
		t.Errorf("grafted %+v", grafted)
	}
	session := must(db.Session(t.Context(), to))(t)
	if session.HeadUID != "b" || session.MessageCount != 8 || session.StepCount != 5 {
		t.Errorf("the session after it: %+v", session)
	}
	window := must(db.Window(t.Context(), to, must(db.Leaf(t.Context(), to, grafted.UID))(t).UID, 0, 0))(t)
	texts := ""
	for _, m := range window.Messages {
		texts += strings.TrimSuffix(strings.TrimPrefix(m.Parts[0].Text, "this is what "), "says")
	}
	if want := "ask b a more a2 "; texts != want {
		t.Errorf("the path reads %q, want %q", texts, want)
	}
	if got, want := string(window.Messages[2].Meta), fmt.Sprintf(`{"graftedFrom":{"sessionId":%q,"uid":"a","top":true}}`, from); got != want {
		t.Errorf("meta %s, want %s", got, want)
	}
	path := must(db.Graft(t.Context(), core.GraftSource{SessionID: from, UID: "a", Path: true}, to, ""))(t)
	if m := must(db.Message(t.Context(), to, path.UID))(t); path.Messages != 2 || m.ParentUID != "" || m.Siblings != 2 {
		t.Errorf("a path as a new tree: %+v, %+v", path, m)
	}
	_, err := db.Graft(t.Context(), core.GraftSource{SessionID: from, UID: "a"}, to, "nobody")
	wantCode(t, err, core.NotFound)
}

// TestRemoveCopyLeavesNoTrace copies into a session and removes the copy: all that is read of the session is as it was.
func TestRemoveCopyLeavesNoTrace(t *testing.T) {
	db := openTest(t)
	from, to := grown(t, db), grown(t, db)
	read := func() string {
		session := must(db.Session(t.Context(), to))(t)
		// The last answer is derived again in the background.
		session.UpdatedAtMs, session.LastAnswer = 0, ""
		shape := must(db.Shape(t.Context(), to, -1, 0))(t)
		shape.Reshapes = 0
		links := must(db.Links(t.Context(), to))(t)
		text, err := json.Marshal([]any{session, shape.Changed, shape.Hidden, links})
		check(t, err)
		return string(text)
	}
	before := read()
	for _, below := range []string{"b", ""} {
		grafted := must(db.Graft(t.Context(), core.GraftSource{SessionID: from, UID: "a", Below: true}, to, below))(t)
		if removed := must(db.RemoveCopy(t.Context(), to, grafted.UID))(t); removed != grafted.Messages {
			t.Errorf("removed %d messages, want %d", removed, grafted.Messages)
		}
		if after := read(); after != before {
			t.Errorf("below %q:\n%s\nwant\n%s", below, after, before)
		}
		_, err := db.RemoveCopy(t.Context(), to, grafted.UID)
		wantCode(t, err, core.NotFound)
	}
	_, err := db.RemoveCopy(t.Context(), to, "b")
	wantCode(t, err, core.Conflict)
	if after := read(); after != before {
		t.Errorf("a message that is no copy was removed:\n%s", after)
	}
}

func TestSplit(t *testing.T) {
	db := openTest(t)
	id := grown(t, db)
	must(db.Hide(t.Context(), id, []string{"a2"}))(t)
	split := must(db.Split(t.Context(), id, "a", "The first way"))(t)
	if split.ParentID != id || split.ParentUID != "a" || split.Relation != core.RelationFork || split.Title != "The first way" || split.MessageCount != 3 {
		t.Errorf("split off %+v", split)
	}
	children := must(db.Sessions(t.Context(), core.SessionFilter{ParentID: id}))(t)
	if len(children) != 1 || children[0].ID != split.ID {
		t.Errorf("what was split off: %+v", children)
	}
	if whole := must(db.Session(t.Context(), id))(t); whole.MessageCount != 5 {
		t.Errorf("the session has %d messages after it", whole.MessageCount)
	}
}

func TestLinks(t *testing.T) {
	db := openTest(t)
	from, to := grown(t, db), grown(t, db)
	grafted := must(db.Graft(t.Context(), core.GraftSource{SessionID: from, UID: "a", Below: true}, to, "b"))(t)
	split := must(db.Split(t.Context(), from, "more", "The first way"))(t)
	compare := func(id string, want ...core.Link) {
		t.Helper()
		if got := must(db.Links(t.Context(), id))(t); !slices.Equal(got, want) {
			t.Errorf("linked: %+v, want %+v", got, want)
		}
	}
	title := must(db.Session(t.Context(), from))(t).Title
	graftTurn := must(db.Message(t.Context(), to, grafted.UID))(t).Turn
	copied := core.Link{
		Way: core.WayGraftFrom, UID: grafted.UID, Turn: graftTurn, SessionID: from, Title: title, OtherUID: "a", OtherTurn: 0, State: core.LinkThere,
	}
	compare(to, copied)
	compare(split.ID, core.Link{Way: core.WaySplitFrom, Turn: -1, SessionID: from, Title: title, OtherUID: "more", OtherTurn: 1, State: core.LinkThere})

	// The one that it is of knows of both, and of what became of them.
	away := core.Link{Way: core.WayGraftTo, UID: "a", Turn: 0, SessionID: to, Title: title, OtherUID: grafted.UID, OtherTurn: graftTurn, State: core.LinkThere}
	apart := core.Link{Way: core.WaySplitTo, UID: "more", Turn: 1, SessionID: split.ID, Title: "The first way", OtherTurn: -1, State: core.LinkThere}
	compare(from, away, apart)
	check(t, db.Trash(t.Context(), []string{split.ID}))
	apart.State = core.LinkTrashed
	compare(from, away, apart)
	if links := must(db.Tree(t.Context(), from))(t).Links; !slices.Equal(links, []core.Link{away, apart}) {
		t.Errorf("the tree says %+v", links)
	}

	// A copy of a copy is no graft of the first session, and a removed session is reported.
	again := grown(t, db)
	must(db.Graft(t.Context(), core.GraftSource{SessionID: to, UID: grafted.UID, Below: true}, again, ""))(t)
	compare(from, away, apart)
	must(db.Hide(t.Context(), to, []string{grafted.UID}))(t)
	must(db.PurgeHidden(t.Context(), to))(t)
	compare(from, apart)
	if links := must(db.Links(t.Context(), again))(t); len(links) != 1 || links[0].SessionID != to || links[0].OtherTurn != -1 {
		t.Errorf("linked with what is gone: %+v", links)
	}
}

func TestSearchLeavesOutTheTrashOfASession(t *testing.T) {
	db := openTest(t)
	id := grown(t, db) // every message is "this is what … says"
	other := grown(t, db)
	must(db.Hide(t.Context(), id, []string{"more"}))(t)
	must(db.Hide(t.Context(), other, []string{"b"}))(t)
	check(t, db.Bookmark(t.Context(), id, "b", true))
	check(t, db.Index(t.Context(), nil))
	for _, q := range []core.SearchQuery{
		{Text: "what"}, {Text: "s is", Substring: true}, {Text: "w.at", Regex: true}, {Text: "role:user OR role:assistant"},
	} {
		for _, c := range []struct {
			filter, session string
			want            int
		}{
			{"", "", 3 + 4},
			{"is:any", "", 10},
			{"is:hidden", "", 3},
			{"NOT is:hidden", "", 7},
			{"is:bookmarked", "", 1},
			{"role:user is:hidden", "", 1},
			{"", id, 3},
			{"is:hid", id, 2},
			{"is:any", id, 5},
		} {
			q.Filter, q.SessionID = c.filter, c.session
			found := must(db.Search(t.Context(), q))(t)
			if len(found.Hits) != c.want || found.Total != int64(c.want) {
				t.Errorf("%+v finds %d of %d, want %d", q, len(found.Hits), found.Total, c.want)
			}
			for _, hit := range found.Hits {
				gone := hit.SessionID == id && (hit.UID == "more" || hit.UID == "a2") || hit.SessionID == other && hit.UID == "b"
				if hit.Hidden != gone {
					t.Errorf("%s of %s is hidden: %t", hit.UID, hit.SessionID, hit.Hidden)
				}
			}
		}
	}
	_, err := db.Search(t.Context(), core.SearchQuery{Text: "what is:mine"})
	wantCode(t, err, core.Invalid)
	check(t, db.Unhide(t.Context(), id, nil))
	if found := must(db.Search(t.Context(), core.SearchQuery{Text: "what", SessionID: id}))(t); len(found.Hits) != 5 {
		t.Errorf("%d are found after it is taken out of the trash", len(found.Hits))
	}
}

func TestTendingSurvivesAMerge(t *testing.T) {
	db := openTest(t)
	in := incoming("one", chain(4)...)
	in.Hidden = []core.HiddenTop{{UID: "u3", HiddenAtMs: 7}}
	in.Bookmarks = []core.Bookmark{{UID: "u1", CreatedAtMs: 5}}
	in.Labels = []core.Label{{UID: "u0", Text: "plan", Color: "teal"}}
	in.Session.MainUID = "u2"
	id := merged(t, db, in)
	session := must(db.Session(t.Context(), id))(t)
	if session.HiddenCount != 1 || session.MainUID != "u2" || must(db.Labels(t.Context(), id))(t)[0].Color != "teal" || len(must(db.Bookmarks(t.Context(), id))(t)) != 1 {
		t.Errorf("brought in: %+v", session)
	}
	merged(t, db, incoming("one", chain(6)...)) // it has grown below what is hidden
	if session := must(db.Session(t.Context(), id))(t); session.HiddenCount != 3 {
		t.Errorf("%d messages are hidden after it has grown", session.HiddenCount)
	}
}
