package sqlite

import (
	"testing"

	"coppice/backend/core"
)

// TestShortIDs prints as much of an id as distinguishes it from those of other sessions, and from the ids of sessions in other tools.
func TestShortIDs(t *testing.T) {
	db := openTest(t)
	for _, id := range []string{
		"019a0000-0000-7000-8000-000000000001", // alone in its millisecond
		"019a0000-0001-7000-8000-000000000001", "019a0000-0001-7001-8000-000000000001",
		"019a0000-0002-7000-8000-000000000001", "019a0000-0002-7000-8000-000000000002",
		"019a0000-0003-7000-8000-000000000001",
	} {
		must(db.CreateSession(t.Context(), core.Session{ID: id}))(t)
	}
	in := incoming("019a0000-0003-7abc-8000-000000000009", say("u", "", core.RoleUser))
	must(core.Merge(t.Context(), db, in))(t)
	for id, want := range map[string]int{
		"019a0000-0000-7000-8000-000000000001": 13, "019a0000-0001-7000-8000-000000000001": 18,
		"019a0000-0002-7000-8000-000000000001": 36, "019a0000-0003-7000-8000-000000000001": 18,
	} {
		short := must(db.ShortIDs(t.Context(), id))(t)[0]
		if len(short) != want {
			t.Errorf("%s is printed as %s", id, short)
		}
		if found, err := db.Session(t.Context(), short); err != nil || found.ID != id {
			t.Errorf("%s means %s: %v", short, found.ID, err)
		}
	}
	both := must(db.ShortIDs(t.Context(), "019a0000-0000-7000-8000-000000000001", "019a0000-0001-7001-8000-000000000001"))(t)
	if both[0] != "019a0000-0000-7000" || both[1] != "019a0000-0001-7001" {
		t.Errorf("together: %q", both)
	}
}
