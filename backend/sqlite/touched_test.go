package sqlite

import (
	"encoding/json"
	"fmt"
	"testing"

	"coppice/backend/core"
)

// edits returns a message that replaces a line of a file by two, and the one with its result.
func edits(uid, parent, call, path string, failed bool) (asked, answered core.Message) {
	asked = say(uid, parent, core.RoleAssistant)
	arguments := fmt.Sprintf(`{"file_path":%q,"old_string":"a","new_string":"b\nc"}`, path)
	asked.Parts = append(asked.Parts, core.Part{Type: core.PartToolCall, ID: call, Name: "Edit", Arguments: json.RawMessage(arguments)})
	answered = say(uid+"r", uid, core.RoleTool)
	answered.Parts = []core.Part{{Type: core.PartToolResult, ID: call, IsError: failed}}
	return asked, answered
}

func touchedOf(t *testing.T, db *DB, id string) string {
	t.Helper()
	s := must(db.Session(t.Context(), id))(t)
	return fmt.Sprintf("+%d −%d in %d", s.LinesAdded, s.LinesRemoved, s.TouchedCount)
}

func TestTouchedFiles(t *testing.T) {
	db := openTest(t)
	a, ar := edits("a", "u", "c1", "/w/a.go", false)
	b, br := edits("b", "ar", "c2", "/w/a.go", false)
	br.Parts[0].Structured = json.RawMessage(`{"filePath":"/w/a.go","structuredPatch":[{"lines":["+x"," y"]}]}`)
	c, cr := edits("c", "br", "c3", "/w/c.go", true)
	d, dr := edits("d", "cr", "c4", "/w/d.go", false)
	in := incoming("s", say("u", "", core.RoleUser), a, ar, b, br, c, cr, d, dr)
	id := merged(t, db, in)
	const want = "+5 −2 in 2"
	if got := touchedOf(t, db, id); got != want {
		t.Errorf("after the import: %s, want %s", got, want)
	}
	var turns []int64
	check(t, readerOf(t, db).Select(&turns, `SELECT m.turn FROM touched_files f JOIN file_paths p ON p.id = f.file
		JOIN messages m ON m.id = f.message WHERE p.name = 'a.go' ORDER BY m.seq`))
	if fmt.Sprint(turns) != "[0 0]" {
		t.Errorf("a.go was changed in the turns %v", turns)
	}
	// A longer form of a message replaces its calls; the failed one stays failed.
	c.Parts = append(c.Parts, core.Part{Type: core.PartText, Text: "More."})
	if id2 := merged(t, db, incoming("s", say("u", "", core.RoleUser), a, ar, b, br, c, cr, d, dr)); id2 != id {
		t.Fatalf("another session: %s", id2)
	}
	if got := touchedOf(t, db, id); got != want {
		t.Errorf("after a message has grown: %s, want %s", got, want)
	}
	e, _ := edits("e", "dr", "c5", "/w/e.go", false)
	// The engine appends.
	must(db.Append(t.Context(), id, e))(t)
	if got := touchedOf(t, db, id); got != "+7 −3 in 3" {
		t.Errorf("after an append: %s", got)
	}
}

func TestDeriveTouchedFiles(t *testing.T) {
	db := openTest(t)
	a, ar := edits("a", "u", "c1", "/w/a.go", false)
	b, br := edits("b", "ar", "c2", "/w/b.go", true)
	id := merged(t, db, incoming("s", say("u", "", core.RoleUser), a, ar, b, br))
	for _, query := range []string{
		`DELETE FROM touched_files`,
		`UPDATE sessions SET derived = 0, touched_count = 0, lines_added = 0, lines_removed = 0`,
	} {
		must(writerOf(t, db).ExecContext(t.Context(), query))(t)
	}
	done := int64(0)
	check(t, db.Derive(t.Context(), func(p core.Progress) { done = p.Done }))
	if got := touchedOf(t, db, id); got != "+2 −1 in 1" || done != 1 {
		t.Errorf("derived %s in %d sessions", got, done)
	}
	check(t, db.Derive(t.Context(), func(core.Progress) { t.Error("derived again") }))
}

func TestFileNames(t *testing.T) {
	db := openTest(t)
	for i, path := range []string{"/w/main.go", "/w/b/Main.go", "/w/main.go", "/w/ma_n.go", "/w/other.go"} {
		a, ar := edits("a", "u", "c1", path, false)
		merged(t, db, incoming(fmt.Sprint("s", i), say("u", "", core.RoleUser), a, ar))
	}
	for prefix, want := range map[string]string{"ma": "[{main.go 2} {Main.go 1} {ma_n.go 1}]", "MA_": "[{ma_n.go 1}]", "x": "[]", "": "[]", "%": "[]"} {
		if got := fmt.Sprint(must(db.FileNames(t.Context(), prefix, 5))(t)); got != want {
			t.Errorf("%q: %s, want %s", prefix, got, want)
		}
	}
	if got := must(db.FileNames(t.Context(), "m", 1))(t); len(got) != 1 {
		t.Errorf("one of %v", got)
	}
}
