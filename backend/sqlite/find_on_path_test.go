package sqlite

import (
	"testing"

	"coppice/backend/core"
)

// A text is found in every message of the path, by depth, and counted in the other branches; the trash is left out.
func TestFindOnPath(t *testing.T) {
	db := openTest(t)
	word := func(uid, parent string, role core.Role, words string) core.Message {
		m := say(uid, parent, role)
		m.Parts = []core.Part{{Type: core.PartText, Text: words}}
		return m
	}
	id := merged(t, db, incoming("s",
		word("p", "", core.RoleUser, "a Plain word"), word("a", "p", core.RoleAssistant, "nothing"),
		word("b", "a", core.RoleUser, "plainly"), word("c", "a", core.RoleUser, "also plain"), word("d", "c", core.RoleAssistant, "plain"),
	))
	got := must(db.FindOnPath(t.Context(), id, "b", "plain"))(t)
	if len(got.Hits) != 2 || got.Hits[0].UID != "p" || got.Hits[1].UID != "b" || got.Elsewhere != 2 || got.More {
		t.Fatalf("got %+v", got)
	}
	if hit := got.Hits[0]; hit.Snippet[hit.MarkFrom:hit.MarkTo] != "Plain" || hit.Depth != 0 {
		t.Errorf("got %+v", hit)
	}
	must(db.Hide(t.Context(), id, []string{"c"}))(t)
	if got := must(db.FindOnPath(t.Context(), id, "b", "plain"))(t); got.Elsewhere != 0 || len(got.Hits) != 2 {
		t.Errorf("with the trash: %+v", got)
	}
	_, err := db.FindOnPath(t.Context(), id, "b", " ")
	wantCode(t, err, core.Invalid)
}
