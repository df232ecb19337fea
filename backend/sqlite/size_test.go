package sqlite

import (
	"fmt"
	"iter"
	"testing"

	"coppice/backend/core"
)

// A chain of 100,000 messages and 10,000 siblings are ordinary.
func TestLongAndWide(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 110,000 messages")
	}
	const long, wide = 100_000, 10_000
	db := openTest(t)
	in := incoming("large")
	in.Messages = largeTree(long, wide)
	in.Head = func() string { return fmt.Sprintf("u%d", long-1) }
	id := merged(t, db, in)
	for _, from := range []int64{0, long / 2, long - 50, -50} {
		w := must(db.Window(t.Context(), id, "", from, 50))(t)
		if len(w.Messages) != 50 || w.Length != long || from >= 0 && w.Messages[0].UID != fmt.Sprintf("u%d", from) {
			t.Errorf("window at %d: %d messages of %d from %s", from, len(w.Messages), w.Length, w.Messages[0].UID)
		}
	}
	w := must(db.Window(t.Context(), id, "w9999", 0, 0))(t)
	if last := w.Messages[len(w.Messages)-1]; last.Siblings != wide+1 || last.SiblingIndex != wide+1 {
		t.Errorf("the last sibling is %d of %d", last.SiblingIndex, last.Siblings)
	}
	siblings := must(db.Siblings(t.Context(), id, "w17"))(t)
	if len(siblings) != wide+1 || siblings[0].Messages != long-2 || siblings[1].Messages != 1 {
		t.Errorf("%d siblings, %d messages below the first", len(siblings), siblings[0].Messages)
	}
	tree := must(db.Tree(t.Context(), id))(t)
	if len(tree.Branches) != wide+1 || len(tree.Turns) != wide+(long+2)/3 {
		t.Errorf("%d branches, %d turns", len(tree.Branches), len(tree.Turns))
	}
	if leaf := must(db.Leaf(t.Context(), id, "u1"))(t); leaf.UID != "w9999" {
		t.Errorf("leaf %s", leaf.UID)
	}
	n := 0
	for _, err := range db.PathMessages(t.Context(), id, "") {
		check(t, err)
		n++
	}
	if n != long {
		t.Errorf("%d messages on the path", n)
	}
	m := must(db.Append(t.Context(), id, say("one more", fmt.Sprintf("u%d", long-1), core.RoleUser)))(t)
	if m.Seq != long+wide || m.Depth != long {
		t.Errorf("place %+v", m)
	}
	wantSound(t, db)
}

// largeTree yields a chain, whose second message then gets siblings.
func largeTree(long, wide int) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		parent := ""
		for i := range long {
			role := core.RoleAssistant
			if i%3 == 0 {
				role = core.RoleUser
			}
			m := say(fmt.Sprintf("u%d", i), parent, role)
			if parent = m.UID; !yield(core.IncomingMessage{Message: m}, nil) {
				return
			}
		}
		for i := range wide {
			m := say(fmt.Sprintf("w%d", i), "u1", core.RoleUser)
			if !yield(core.IncomingMessage{Message: m}, nil) {
				return
			}
		}
	}
}

// A path through 3,000 branches, each forking from the one before.
func TestDeeplyForked(t *testing.T) {
	const depth = 3000
	messages := []core.Message{say("r", "", core.RoleUser)}
	parent := "r"
	for i := range depth {
		stub, next := say(fmt.Sprintf("s%d", i), parent, core.RoleAssistant), say(fmt.Sprintf("f%d", i), parent, core.RoleAssistant)
		messages = append(messages, stub, next)
		parent = next.UID
	}
	db := openTest(t)
	id := merged(t, db, incoming("one", messages...))
	w := must(db.Window(t.Context(), id, "", 0, 0))(t)
	if len(w.Messages) != depth+1 || w.Messages[depth].SiblingIndex != 2 || w.Messages[depth].Branch != depth {
		t.Errorf("%d messages, the last is %+v", len(w.Messages), w.Messages[len(w.Messages)-1])
	}
	if siblings := must(db.Siblings(t.Context(), id, "s1"))(t); len(siblings) != 2 || siblings[1].Messages != 2*(depth-1)-1 {
		t.Errorf("siblings %+v", siblings)
	}
	wantSound(t, db)
}
