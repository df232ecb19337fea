package sqlite

import (
	"reflect"
	"slices"
	"testing"

	"coppice/backend/core"
)

// Several ranges of a path are what each of them is alone, and cross branches where the path does.
func TestWindows(t *testing.T) {
	db := openTest(t)
	id := merged(t, db, incoming("s",
		say("p0", "", core.RoleUser), say("a0", "p0", core.RoleAssistant), say("b0", "a0", core.RoleAssistant),
		say("c0", "a0", core.RoleAssistant), say("p2", "c0", core.RoleUser), say("a2", "p2", core.RoleAssistant),
		say("p3", "c0", core.RoleUser), // a fork on a branch
	))
	ranges := []core.Range{{From: 0, Limit: 1}, {From: 1, Limit: 2}, {From: 2, Limit: 0}, {From: -1, Limit: 1}, {From: 9, Limit: 3}, {From: -9, Limit: 2}}
	want := [][]string{{"p0"}, {"a0", "c0"}, {"c0", "p3"}, {"p3"}, nil, {"p0", "a0"}}
	windows := must(db.Windows(t.Context(), id, "p3", ranges))(t)
	for i, r := range ranges {
		var got []string
		for _, m := range windows[i].Messages {
			got = append(got, m.UID)
		}
		if !slices.Equal(got, want[i]) {
			t.Errorf("%+v: got %v, want %v", r, got, want[i])
		}
		alone := must(db.Window(t.Context(), id, "p3", r.From, r.Limit))(t)
		if !reflect.DeepEqual(alone, windows[i]) {
			t.Errorf("%+v: got %+v, alone %+v", r, windows[i], alone)
		}
	}
	if windows := must(db.Windows(t.Context(), id, "p3", nil))(t); len(windows) != 0 {
		t.Errorf("got %v of no ranges", windows)
	}
}

// A path over damaged branches is an error, and ends.
func TestWindowOfDamagedBranches(t *testing.T) {
	for name, damage := range map[string]string{
		"a branch is missing":        `DELETE FROM branches WHERE number = 0`,
		"a branch is its own parent": `UPDATE branches SET parent = 1 WHERE number = 1`,
		"a fork below the branch":    `UPDATE branches SET fork_depth = 9 WHERE number = 1`,
	} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			id := merged(t, db, incoming("s",
				say("p0", "", core.RoleUser), say("a0", "p0", core.RoleAssistant), say("b0", "p0", core.RoleAssistant)))
			raw(t, db.FilePath(), `PRAGMA foreign_keys = 0`, damage)
			_, err := db.Window(t.Context(), id, "b0", 0, 0)
			wantCode(t, err, core.Corrupt)
		})
	}
}
