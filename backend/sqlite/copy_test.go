package sqlite

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/merge"
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

// A later copy has all of a message: its form replaces that of a message that was still growing.
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

// A copy may begin anywhere in the session, and with anybody's words.
func TestMergeCopyOfTheRest(t *testing.T) {
	db := openTest(t)
	const answer, result, system = "00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000003", "00000000-0000-4000-8000-000000000004"
	whole := []core.Message{
		say(rootUUID, "", core.RoleUser), say(answer, rootUUID, core.RoleAssistant), say(result, answer, core.RoleTool), say(system, result, core.RoleSystem),
	}
	id := merged(t, db, incoming("whole", whole...))
	for i, first := range whole {
		first.ParentUID = ""
		name := "from " + string(first.Role)
		next := say(name, first.UID, core.RoleUser)
		if got := merged(t, db, incoming(name, first, next)); got != id {
			t.Errorf("a copy from message %d on became session %s", i, got)
		}
	}
	wantSound(t, db)
}

// A session is looked for by what it begins with in an index, however many there are.
func TestCopiesAreFoundByAnIndex(t *testing.T) {
	db := openTest(t)
	for query, index := range map[string]string{merge.SessionOpened: "INDEX messages_opening (uid=?)", merge.SessionGoneOn: "INDEX messages_uid (session=? AND uid=?)"} {
		var plan []struct {
			ID, Parent, Notused int64
			Detail              string
		}
		check(t, readerOf(t, db).Select(&plan, `EXPLAIN QUERY PLAN `+query, "", "", ""))
		if text := fmt.Sprint(plan); !strings.Contains(text, index) {
			t.Errorf("%s\n%s", query, text)
		}
	}
}
