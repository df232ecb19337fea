package foreigndb_test

import (
	"context"
	"database/sql"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/foreigndb"
	"coppice/backend/importer/foreigndb/foreigndbtest"
)

// folder lists a folder with the sizes and the contents' beginnings of its files.
func folder(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(path, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out += e.Name() + " " + string(data) + "\n"
	}
	return out
}

func words(t *testing.T, db *foreigndb.DB) string {
	t.Helper()
	var all []string
	for row, err := range db.Query(t.Context(), `SELECT word, n FROM notes ORDER BY n`) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row.Text("n")+row.Text("word"))
	}
	return strings.Join(all, " ")
}

func note(word string, n int) foreigndbtest.Statement {
	return foreigndbtest.Statement{SQL: `INSERT INTO notes VALUES (?, ?)`, Args: []any{word, n}}
}

const ownerPath = "FOREIGNDB_TEST_OWNER"

// TestMain is the tool that owns the database, too: what two connections of one process share would hide what they write.
func TestMain(m *testing.M) {
	if path := os.Getenv(ownerPath); path != "" {
		os.Exit(own(path))
	}
	os.Exit(m.Run())
}

// own writes to a database and keeps it open until its input ends.
func own(path string) int {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		return 1
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		`CREATE TABLE notes (word TEXT, n INTEGER)`, `INSERT INTO notes VALUES ('old', 1)`, `PRAGMA wal_checkpoint(TRUNCATE)`, `INSERT INTO notes VALUES ('new', 2)`,
	} {
		if _, err := db.Exec(statement); err != nil {
			return 1
		}
	}
	os.Stdout.WriteString("ready")
	io.Copy(io.Discard, os.Stdin)
	return 0
}

// TestNothingIsWritten reads a database in every state that its tool may leave it in, and finds the folder as it was.
func TestNothingIsWritten(t *testing.T) {
	dir := t.TempDir()
	const name = "a b.db"
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), ownerPath+"="+filepath.Join(dir, name))
	in, err := owner.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		if err := owner.Wait(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
		t.Fatal(err)
	}
	crashed := foreigndbtest.Copy(t, dir, name, name+"-wal", name+"-shm")
	bare := foreigndbtest.Copy(t, dir, name)
	for state, test := range map[string]struct{ folder, want string }{
		"live": {dir, "1old 2new"}, "left by a crash": {crashed, "1old 2new"}, "closed": {bare, "1old"},
	} {
		t.Run(state, func(t *testing.T) {
			before := folder(t, test.folder)
			db, err := foreigndb.Open(t.Context(), filepath.Join(test.folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if got := words(t, db); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			if after := folder(t, test.folder); after != before {
				t.Error("the folder changed")
			}
		})
	}
}

// TestSnapshot reads what was there when the database was opened, while its tool goes on writing and tidies up.
func TestSnapshot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	owner := foreigndbtest.Open(t, path)
	foreigndbtest.Run(t, owner, foreigndbtest.Statement{SQL: `CREATE TABLE notes (word TEXT, n INTEGER)`}, note("a", 1))
	for n := 2; n < 5; n++ {
		db, err := foreigndb.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		before := words(t, db)
		foreigndbtest.Run(t, owner, note("b", n), foreigndbtest.Statement{SQL: `PRAGMA wal_checkpoint(PASSIVE)`})
		if got := words(t, db); got != before || len(strings.Fields(got)) != n-1 {
			t.Errorf("%s, was %s", got, before)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	foreigndbtest.Run(t, foreigndbtest.Open(t, path),
		foreigndbtest.Statement{SQL: `CREATE TABLE notes (word TEXT, n INTEGER)`}, foreigndbtest.Statement{SQL: `CREATE VIEW seen AS SELECT * FROM notes`})
	db, err := foreigndb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for table, want := range map[string]int{"notes": 2, "seen": 0, "nowhere": 0} {
		if got, err := db.Columns(t.Context(), table); err != nil || len(got) != want {
			t.Errorf("%s: %v, %v", table, got, err)
		}
	}
	for _, err := range db.Query(t.Context(), `DELETE FROM notes`) {
		if err == nil {
			t.Error("it could be written")
		}
	}
}

// TestIncompleteCopy says what is missing of a copy.
func TestIncompleteCopy(t *testing.T) {
	dir := t.TempDir()
	foreigndbtest.Run(t, foreigndbtest.Open(t, filepath.Join(dir, "x.db")), foreigndbtest.Statement{SQL: `CREATE TABLE notes (word TEXT, n INTEGER)`}, note("a", 1))
	to := foreigndbtest.Copy(t, dir, "x.db", "x.db-wal")
	if _, err := foreigndb.Open(t.Context(), filepath.Join(to, "x.db")); core.CodeOf(err) != core.Invalid || core.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
}

// TestNoDatabase opens what is none.
func TestNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, []byte("SQLite format 3\x00"+strings.Repeat("nonsense", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + "-not-there"} {
		if db, err := foreigndb.Open(context.Background(), p); err == nil {
			t.Errorf("%s could be opened", p)
			db.Close()
		}
	}
}
