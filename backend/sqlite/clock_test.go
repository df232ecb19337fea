package sqlite

import (
	"path/filepath"
	"slices"
	"testing"

	"coppice/backend/core"
)

// A clock that jumps a day back and a year ahead changes neither the order of messages nor the library's soundness.
func TestClockJumps(t *testing.T) {
	const dayMs, yearMs = int64(86_400_000), int64(365 * 86_400_000)
	nowMs := int64(startMs)
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := must(Open(t.Context(), path, Options{Now: func() int64 { nowMs++; return nowMs }}))(t)
	id := merged(t, db, incoming("one", chain(3)...))
	updatedMs, parent := int64(0), "u2"
	want := []string{"u0", "u1", "u2"}
	for i, jump := range []int64{0, -dayMs, yearMs, -yearMs, -dayMs, 5} {
		nowMs += jump
		m := say(string(rune('a'+i)), parent, core.RoleUser)
		m.CreatedAtMs = 0 // the library's clock
		parent = must(db.Append(t.Context(), id, m))(t).UID
		want = append(want, parent)
		s := must(db.Session(t.Context(), id))(t)
		if s.UpdatedAtMs < updatedMs {
			t.Errorf("after jump %d the session is as old as before", i)
		}
		updatedMs = s.UpdatedAtMs
	}
	if got := uids(must(db.Window(t.Context(), id, "", 0, 0))(t).Messages); !slices.Equal(got, want) {
		t.Errorf("messages %v, want %v", got, want)
	}
	check(t, db.Trash(t.Context(), []string{id}))
	check(t, db.Restore(t.Context(), []string{id}))
	wantSound(t, db)
	check(t, db.Close())
}
