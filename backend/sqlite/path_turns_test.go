package sqlite

import (
	"slices"
	"testing"

	"coppice/backend/core"
)

// The turns of a path are those of its branches up to its end, and cover it without gaps.
func TestPathTurns(t *testing.T) {
	db := openTest(t)
	id := merged(t, db, incoming("s",
		say("p0", "", core.RoleUser), say("a0", "p0", core.RoleAssistant), say("b0", "a0", core.RoleAssistant),
		say("p1", "b0", core.RoleUser), say("a1", "p1", core.RoleAssistant),
		say("c0", "a0", core.RoleAssistant), say("p2", "c0", core.RoleUser), // a fork inside of the first turn
	))
	for _, c := range []struct {
		leaf string
		want []core.PathTurn
	}{
		{"a1", []core.PathTurn{{Number: 0, From: 0, Count: 3}, {Number: 1, From: 3, Count: 2}}},
		{"b0", []core.PathTurn{{Number: 0, From: 0, Count: 3}}},
		{"p0", []core.PathTurn{{Number: 0, From: 0, Count: 1}}},
		{"p2", []core.PathTurn{{Number: 0, From: 0, Count: 2}, {Number: 2, From: 2, Count: 1}, {Number: 3, From: 3, Count: 1}}},
	} {
		if got := must(db.PathTurns(t.Context(), id, c.leaf))(t); !slices.Equal(got, c.want) {
			t.Errorf("to %s: got %v, want %v", c.leaf, got, c.want)
		}
	}
	_, err := db.PathTurns(t.Context(), id, "nothing")
	wantCode(t, err, core.NotFound)
}
