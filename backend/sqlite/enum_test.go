package sqlite

import (
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/tables"
)

// The file itself refuses messages of kinds and roles that there are not, and takes those that there are.
func TestEnumsAreChecked(t *testing.T) {
	db := openTest(t)
	key := must(db.CreateSession(t.Context(), core.Session{Title: "one"}))(t)
	put := func(seq int, kind, role string) error {
		const insert = `INSERT INTO messages (session, seq, branch, depth, turn, uid, kind, role, name, agent, model, text_preview, finish_reason,
			created_at_ms, content_hash, body) SELECT key, ?1, 0, ?1, 0, ?1, ?2, ?3, '', '', '', '', '', 0, 0, x'' FROM sessions WHERE id = ?4`
		_, err := writerOf(t, db).ExecContext(t.Context(), insert, seq, kind, role, key.ID)
		return err
	}
	seq := 0
	for _, kind := range []string{"message", "meta", "command", "compaction", "branch_summary", "messages", ""} {
		for _, role := range []string{"system", "user", "assistant", "tool", "User", ""} {
			seq++
			known := !slices.Contains([]string{"messages", ""}, kind) && !slices.Contains([]string{"User", ""}, role)
			if err := put(seq, kind, role); known && err != nil || !known && !conn.Is(err, conn.CodeConstraint) {
				t.Errorf("kind %q, role %q: %v", kind, role, err)
			}
		}
	}
}

// A message is written without tables that live as long as the statement.
func TestInsertMakesNoTable(t *testing.T) {
	db := openTest(t)
	var steps []string
	check(t, db.library.File.Read(t.Context(), func(in *conn.Tx) error {
		rows, err := in.Direct().QueryContext(t.Context(), `EXPLAIN `+tables.InsertMessage, make([]any, strings.Count(tables.InsertMessage, "?"))...)
		check(t, err)
		defer rows.Close()
		for rows.Next() {
			var opcode string
			var rest [7]any
			check(t, rows.Scan(&rest[0], &opcode, &rest[1], &rest[2], &rest[3], &rest[4], &rest[5], &rest[6]))
			steps = append(steps, opcode)
		}
		return rows.Err()
	}))
	if !slices.Contains(steps, "Insert") || slices.Contains(steps, "OpenEphemeral") {
		t.Errorf("steps %v", steps)
	}
}
