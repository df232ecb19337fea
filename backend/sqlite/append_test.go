package sqlite

import (
	"testing"

	"coppice/backend/core"
)

func TestAppend(t *testing.T) {
	db := openTest(t)
	s := must(db.CreateSession(t.Context(), core.Session{}))(t)
	for _, step := range []struct {
		message                            core.Message
		seq, turn, branch, depth, siblings int64
	}{
		{say("a", "", core.RoleUser), 0, 0, 0, 0, 1},
		{say("b", "a", core.RoleAssistant), 1, 0, 0, 1, 1},
		{say("c", "b", core.RoleUser), 2, 1, 0, 2, 1},
		{say("d", "a", core.RoleAssistant), 3, 2, 1, 1, 2},
		{say("e", "a", core.RoleAssistant), 4, 3, 2, 1, 3},
		{say("f", "", core.RoleUser), 5, 4, 3, 0, 2},
	} {
		m, err := db.Append(t.Context(), s.ID, step.message)
		check(t, err)
		if m.Seq != step.seq || m.Turn != step.turn || m.Branch != step.branch || m.Depth != step.depth ||
			m.Siblings != step.siblings || m.SiblingIndex != step.siblings {
			t.Errorf("message %s stands at %+v", m.UID, m)
		}
		if got := must(db.Session(t.Context(), s.ID))(t); got.HeadUID != m.UID || got.MessageCount != step.seq+1 {
			t.Errorf("after %s: head %s, %d messages", m.UID, got.HeadUID, got.MessageCount)
		}
	}
	_, err := db.Append(t.Context(), s.ID, say("a", "b", core.RoleUser))
	wantCode(t, err, core.Conflict)
	_, err = db.Append(t.Context(), s.ID, say("g", "nobody", core.RoleUser))
	wantCode(t, err, core.NotFound)
	_, err = db.Append(t.Context(), "nobody", say("g", "", core.RoleUser))
	wantCode(t, err, core.NotFound)
	_, err = db.Append(t.Context(), s.ID, core.Message{Role: "poet"})
	wantCode(t, err, core.Invalid)
	if s := must(db.Session(t.Context(), s.ID))(t); s.MessageCount != 6 || s.Title != "this is what a says" {
		t.Errorf("after errors: %+v", s)
	}
}
