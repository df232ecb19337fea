package sqlite

import (
	"reflect"
	"testing"

	"coppice/backend/core"
)

const rootUUID = "00000000-0000-4000-8000-000000000001" // only such uids mean the same message in two files

// A copy that was made early knows less than the library: it must not take anything away.
func TestMergeShorterCopyOnlyAdds(t *testing.T) {
	db := openTest(t)
	answer := say("b", rootUUID, core.RoleAssistant)
	answer.Parts = append(answer.Parts, core.Part{Type: core.PartToolCall, ID: "t1", Name: "read_file"})
	id := merged(t, db, incoming("whole", say(rootUUID, "", core.RoleUser), answer, say("c", "b", core.RoleTool), say("d", "c", core.RoleAssistant)))
	early := say("b", rootUUID, core.RoleAssistant)
	if got := merged(t, db, incoming("early", say(rootUUID, "", core.RoleUser), early, say("d", "b", core.RoleAssistant), say("e", "d", core.RoleUser))); got != id {
		t.Fatalf("the copy became session %s", got)
	}
	b := must(db.Message(t.Context(), id, "b"))(t)
	if len(b.Parts) != 2 || b.Parts[1].ID != "t1" {
		t.Errorf("the copy replaced the answer: %+v", b.Parts)
	}
	w := must(db.Window(t.Context(), id, "e", 0, 0))(t)
	if got := uids(w.Messages); !reflect.DeepEqual(got, []string{rootUUID, "b", "c", "d", "e"}) {
		t.Errorf("path %v", got)
	}
}

// A copy that was made later knows the whole: what it says of a message that was still growing counts.
func TestMergeLongerCopyReplaces(t *testing.T) {
	db := openTest(t)
	id := merged(t, db, incoming("early", say(rootUUID, "", core.RoleUser), say("b", rootUUID, core.RoleAssistant)))
	answer := say("b", rootUUID, core.RoleAssistant)
	answer.Parts = append(answer.Parts, core.Part{Type: core.PartToolCall, ID: "t1", Name: "read_file"})
	merged(t, db, incoming("whole", say(rootUUID, "", core.RoleUser), answer))
	b := must(db.Message(t.Context(), id, "b"))(t)
	if len(b.Parts) != 2 {
		t.Errorf("the longer form was not taken: %+v", b.Parts)
	}
}
