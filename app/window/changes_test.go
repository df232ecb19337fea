package window

import (
	"os"
	"slices"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/window/internal/change"
)

// TestChangesNameTheirKinds requires that each method reports the kinds of changes that it makes, and no others.
func TestChangesNameTheirKinds(t *testing.T) {
	t.Parallel()
	b, host := openBindings(t)
	session := branched(t, b)
	id, root := session.ID, apptest.Must(b.GetWindow(session.ID, "", 0, 1))(t).Messages[0].UID
	hide := func() error { _, err := b.HideOthers(id, session.HeadUID); return err }
	for _, c := range []struct {
		name string
		do   func() error
		want change.Kind
	}{
		{"rename", func() error { return b.RenameSession(id, "A new name") }, change.Session},
		{"pin", func() error { return b.PinSessions([]string{id}, true) }, change.Session},
		{"move the head", func() error { _, err := b.MoveHead(id, "n0"); return err }, change.Head},
		{"label", func() error { return b.SetLabel(id, root, "here") }, change.Labels},
		{"bookmark", func() error { return b.SetBookmark(id, root, true) }, change.Labels},
		{"hide", hide, change.Trash},
		{"restore", func() error { return b.UnhideMessages(id, nil, "") }, change.Trash},
	} {
		if got := host.changes(t, id, c.do); !slices.Equal(got, []change.Kind{c.want}) {
			t.Errorf("%s: changed %v, want %v", c.name, got, c.want)
		}
	}
	if got := host.changes(t, "", func() error { return b.SetLabel(id, root, "there") }); len(got) > 0 {
		t.Errorf("a label changed %v of the library", got)
	}
}

// TestMovingTheHeadIntoTheTrashRestoresABranch requires that moving the head to a hidden message also reports a change of
// the trash.
func TestMovingTheHeadIntoTheTrashRestoresABranch(t *testing.T) {
	t.Parallel()
	b, host := openBindings(t)
	session := branched(t, b)
	hiding := apptest.Must(b.HideOthers(session.ID, session.HeadUID))(t)
	if len(hiding.Tops) == 0 {
		t.Fatal("nothing was hidden")
	}
	got := host.changes(t, session.ID, func() error { _, err := b.MoveHead(session.ID, hiding.Tops[0]); return err })
	if !slices.Equal(got, []change.Kind{change.Head, change.Trash}) {
		t.Errorf("changed %v", got)
	}
}

// TestEveryChangeHasQueries compares the kinds of changes with the page's table of queries that they make stale.
func TestEveryChangeHasQueries(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../frontend/src/lib/api/query.ts")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, kind := range change.Kinds() {
		if names[kind.TSName()] || !strings.Contains(string(source), "\n  "+string(kind)+": (") {
			t.Errorf("%s is named twice, or has no queries in query.ts", kind)
		}
		names[kind.TSName()] = true
	}
}
