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

	"coppice/backend/importer/foreigndb"
	"coppice/backend/importer/foreigndb/foreigndbtest"
)

// list lists a folder with the sizes of its files and the beginnings of their contents.
func list(t *testing.T, path string) string {
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

// TestMain also runs the tool that owns the database: two connections of one process share state, which would hide what
// they write.
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

// TestNothingIsWritten reads a database in every state that its tool may leave it in, and checks that the folder is
// unchanged.
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
	noIndex := foreigndbtest.Copy(t, dir, name, name+"-wal")
	bare := foreigndbtest.Copy(t, dir, name)
	for state, test := range map[string]struct{ folder, want string }{
		"live": {dir, "1old 2new"}, "left by a crash": {crashed, "1old 2new"}, "copied without its index": {noIndex, "1old 2new"}, "closed": {bare, "1old"},
	} {
		t.Run(state, func(t *testing.T) {
			before := list(t, test.folder)
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
			if after := list(t, test.folder); after != before {
				t.Error("the folder changed")
			}
		})
	}
}

// TestSnapshot reads the state when the database was opened, while its tool continues to write and checkpoints.
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

// TestCopyWithoutIndex reads a copy of a database and its log in any state of the log: the result is the same as for its owner.
func TestCopyWithoutIndex(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	tool := foreigndbtest.Open(t, path)
	run := func(sql string) { foreigndbtest.Run(t, tool, foreigndbtest.Statement{SQL: sql}) }
	read := func(folder string) string {
		before := list(t, folder)
		db, err := foreigndb.Open(t.Context(), filepath.Join(folder, "x.db"))
		if err != nil {
			t.Fatal(err)
		}
		got := words(t, db)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if after := list(t, folder); after != before && folder != dir { // its owner is this process
			t.Error("the folder changed")
		}
		return got
	}
	run(`CREATE TABLE notes (word TEXT, n INTEGER)`)
	for step, statement := range []string{
		`INSERT INTO notes SELECT hex(randomblob(500)), value FROM generate_series(1, 2000)`, `PRAGMA wal_checkpoint(PASSIVE)`, `INSERT INTO notes VALUES ('after', 9000)`,
		`PRAGMA wal_checkpoint(RESTART)`, `UPDATE notes SET word = 'new' WHERE n % 100 = 0`, `DELETE FROM notes WHERE n > 50`, `VACUUM`,
	} {
		run(strings.ReplaceAll(statement, "FROM generate_series(1, 2000)", "FROM (WITH RECURSIVE s(value) AS (SELECT 1 UNION ALL SELECT value+1 FROM s LIMIT 2000) SELECT value FROM s)"))
		copied := foreigndbtest.Copy(t, dir, "x.db", "x.db-wal")
		if got, want := read(copied), read(dir); got != want {
			t.Errorf("step %d: %.100s, want %.100s", step, got, want)
		}
		if step > 0 {
			continue // the database has what the log would lose
		}
		log := filepath.Join(copied, "x.db-wal")
		info, err := os.Stat(log)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(log, info.Size()-100); err != nil {
			t.Fatal(err)
		}
		if got := read(copied); got != "" {
			t.Errorf("what broke off in the middle of a transaction is there: %.100s", got)
		}
	}
}

// FuzzLog reads a database with arbitrary bytes as its log.
func FuzzLog(f *testing.F) {
	dir := f.TempDir()
	tool := foreigndbtest.Open(f, filepath.Join(dir, "x.db"))
	for _, sql := range []string{`CREATE TABLE notes (word TEXT, n INTEGER)`, `PRAGMA wal_checkpoint(TRUNCATE)`, `INSERT INTO notes VALUES ('a', 1)`} {
		foreigndbtest.Run(f, tool, foreigndbtest.Statement{SQL: sql})
	}
	log, err := os.ReadFile(filepath.Join(dir, "x.db-wal"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(log)
	f.Add(log[:len(log)/2])
	copied := foreigndbtest.Copy(f, dir, "x.db")
	path := filepath.Join(copied, "x.db")
	f.Fuzz(func(t *testing.T, log []byte) {
		if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := foreigndb.Open(t.Context(), path)
		if err != nil {
			return
		}
		for range db.Query(t.Context(), `SELECT * FROM notes`) { // it may be damaged, and must end
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestNoDatabase opens files that are not databases.
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
