package sqlite

import (
	"reflect"
	"testing"

	"coppice/backend/core"
)

func TestTurnEfforts(t *testing.T) {
	db := openTest(t)
	at := func(second int64, m core.Message) core.Message {
		m.CreatedAtMs = 1_700_000_000_000 + 1000*second
		return m
	}
	id := merged(t, db, incoming("s",
		at(0, say("u", "", core.RoleUser)), at(10, say("a", "u", core.RoleAssistant)), at(40, say("b", "a", core.RoleAssistant)),
		// The night between is a pause.
		at(30_000, say("c", "b", core.RoleAssistant)), at(30_005, say("v", "c", core.RoleUser)), at(30_007, say("d", "v", core.RoleAssistant)),
	))
	all := core.TurnPart{Turn: 0, From: -1, To: -1}
	efforts := must(db.TurnEfforts(t.Context(), id, []core.TurnPart{all, all, {Turn: 1, From: -1, To: -1}, {Turn: 7, From: -1, To: -1}}))(t)
	start := int64(1_700_000_000_000)
	want := []core.TurnEffort{
		{Number: 0, FirstDepth: 0, Messages: 4, Steps: 3, WorkedMs: 40_000, EndedAtMs: start + 30_000_000},
		{Number: 1, FirstDepth: 4, Messages: 2, Steps: 1, WorkedMs: 2000, EndedAtMs: start + 30_007_000},
	}
	if !reflect.DeepEqual(efforts, want) {
		t.Errorf("got %+v, want %+v", efforts, want)
	}
	parts := must(db.TurnEfforts(t.Context(), id, []core.TurnPart{{Turn: 0, From: 1, To: 2}}))(t)
	if want := []core.TurnEffort{{Number: 0, FirstDepth: 1, Messages: 2, Steps: 2, WorkedMs: 30_000, EndedAtMs: start + 40_000}}; !reflect.DeepEqual(parts, want) {
		t.Errorf("a part: got %+v, want %+v", parts, want)
	}
}
