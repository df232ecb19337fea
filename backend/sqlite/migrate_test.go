package sqlite

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/schema"
	"coppice/migrations"
)

var update = flag.Bool("update", false, "write the golden files anew") // how flags work

// dump describes a file: its schema and what its tables hold.
func dump(tb testing.TB, path string, contents bool) string {
	tb.Helper()
	check(tb, conn.Unlock(path))
	db, err := sqlx.Open("sqlite", conn.DataSource(path, nil))
	check(tb, err)
	defer db.Close()
	var b strings.Builder
	var version string
	check(tb, db.Get(&version, `PRAGMA user_version`))
	b.WriteString("-- user_version " + version + "\n")
	var objects []struct{ Type, Name, SQL string }
	check(tb, db.Select(&objects, `SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema
		WHERE name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations' AND name <> 'version_unique' ORDER BY type DESC, name`))
	for _, o := range objects {
		b.WriteString(o.SQL + ";\n\n")
		if !contents || o.Type != "table" {
			continue
		}
		var rows []string
		check(tb, db.Select(&rows, `SELECT quote(x) FROM (SELECT concat_ws('|', `+columnsOf(tb, db, o.Name)+`) AS x FROM "`+o.Name+`")`))
		b.WriteString(strings.Join(rows, "\n") + "\n\n")
	}
	return b.String()
}

func columnsOf(tb testing.TB, db *sqlx.DB, table string) string {
	tb.Helper()
	var names []string
	check(tb, db.Select(&names, `SELECT 'quote("' || name || '")' FROM pragma_table_info(?)`, table))
	return strings.Join(names, ", ")
}

func TestSchemaGolden(t *testing.T) {
	got := dump(t, openTest(t).FilePath(), false)
	const golden = "testdata/schema.sql"
	if *update {
		check(t, os.MkdirAll("testdata", 0o755))
		check(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	check(t, err)
	if got != string(want) {
		t.Errorf("the schema has changed; a released migration is never edited. Is now:\n%s", got)
	}
}

// released returns our migrations with more behind them.
func released(tb testing.TB, more map[string]string) schema.Schema {
	tb.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(migrations.FS, "*.sql")
	check(tb, err)
	for _, name := range names {
		data, err := fs.ReadFile(migrations.FS, name)
		check(tb, err)
		files[name] = &fstest.MapFile{Data: data}
	}
	for name, text := range more {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return schema.Schema{Files: files}
}

// latest is the version that our migrations lead to.
func latest() string {
	n, err := schema.Schema{Files: migrations.FS}.Latest()
	if err != nil {
		panic(err)
	}
	return strconv.FormatInt(n, 10)
}

// future are two more steps, the second of which can be made to fail.
func future(second string) map[string]string {
	return map[string]string{
		"000090_color.up.sql":   `ALTER TABLE sessions ADD COLUMN color TEXT NOT NULL DEFAULT ''; PRAGMA user_version = 90;`,
		"000090_color.down.sql": `ALTER TABLE sessions DROP COLUMN color; PRAGMA user_version = ` + latest() + `;`,
		"000091_shape.up.sql":   `CREATE TABLE shapes (a) STRICT2; ` + second,
		"000091_shape.down.sql": `DROP TABLE shapes; PRAGMA user_version = 90;`,
	}
}

func sound() map[string]string {
	files := future("")
	files["000091_shape.up.sql"] = `CREATE TABLE shapes (a TEXT) STRICT; INSERT INTO shapes VALUES ('round'); PRAGMA user_version = 91;`
	return files
}

// older makes a library of our latest version with a session in it.
func older(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "coppice.db")
	db, err := open(t.Context(), path, Options{}, released(t, nil))
	check(t, err)
	merged(t, db, incoming("one", chain(5)...))
	check(t, db.Close())
	return path
}

func listBackups(t *testing.T, path string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(backups.Folder(path), "*.db"))
	check(t, err)
	return names
}

func TestMigrateBacksUp(t *testing.T) {
	path := older(t)
	before := dump(t, path, true)
	db, err := open(t.Context(), path, Options{}, released(t, sound()))
	check(t, err)
	var shape string
	check(t, readerOf(t, db).Get(&shape, `SELECT a FROM shapes`))
	check(t, db.Close())
	names := listBackups(t, path)
	if len(names) != 1 || !strings.Contains(names[0], "-migration-") {
		t.Fatalf("backups %v", names)
	}
	if after := dump(t, names[0], true); after != before {
		t.Errorf("the backup differs:\n%s\n---\n%s", before, after)
	}
	if info, err := os.Stat(names[0]); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v, %v", info.Mode(), err)
	}
	db, err = open(t.Context(), path, Options{}, released(t, sound()))
	check(t, err)
	check(t, db.Close())
	if len(listBackups(t, path)) != 1 {
		t.Error("opening it again made another backup")
	}
}

func TestMigrateFails(t *testing.T) {
	path := older(t)
	before := dump(t, path, true)
	for range 2 { // and again, as a user would try
		_, err := open(t.Context(), path, Options{}, released(t, future("")))
		if err == nil || !strings.Contains(err.Error(), "from version "+latest()+" to 91") {
			t.Fatalf("error %v", err)
		}
		if after := dump(t, path, true); after != before {
			t.Fatalf("the library has changed:\n%s\n---\n%s", before, after)
		}
		if names := listBackups(t, path); len(names) > 0 {
			t.Errorf("backups nobody needs: %v", names)
		}
	}
	db, err := open(t.Context(), path, Options{}, released(t, sound())) // the release that mends it
	check(t, err)
	if s := must(db.Session(t.Context(), "one"))(t); s.MessageCount != 5 {
		t.Errorf("%d messages", s.MessageCount)
	}
	check(t, db.Close())
}

func TestMigrateNewFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	broken := schema.Schema{Files: fstest.MapFS{
		"000001_a.up.sql":   {Data: []byte(`CREATE TABLE a (b TEXT); NONSENSE; PRAGMA user_version = 1;`)},
		"000001_a.down.sql": {Data: []byte(`DROP TABLE a;`)},
	}}
	if _, err := open(t.Context(), path, Options{}, broken); err == nil {
		t.Fatal("nonsense was run")
	}
	openAt(t, path) // the next release mends it
}

// A process that is killed between golang-migrate's transactions leaves its mark.
func TestMigrateAfterKill(t *testing.T) {
	for _, version := range []string{"90", "91"} { // the step that was begun
		path := older(t)
		raw(t, path, `DELETE FROM schema_migrations`, `INSERT INTO schema_migrations (version, dirty) VALUES (`+version+`, 1)`)
		if version == "91" {
			raw(t, path, `ALTER TABLE sessions ADD COLUMN color TEXT NOT NULL DEFAULT ''`, `PRAGMA user_version = 90`)
		}
		db, err := open(t.Context(), path, Options{}, released(t, sound()))
		check(t, err)
		if s := must(db.Session(t.Context(), "one"))(t); s.MessageCount != 5 {
			t.Errorf("%d messages", s.MessageCount)
		}
		check(t, db.Close())
	}
	path := older(t) // killed after the last step, before its mark was taken away
	raw(t, path, `UPDATE schema_migrations SET dirty = 1`)
	openAt(t, path)
}

func TestMigrateDownAndUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	check(t, openAt(t, path).Close())
	first := dump(t, path, false)
	db, err := conn.Connect(t.Context(), path, conn.Pragmas{"foreign_keys(0)"})
	check(t, err)
	db.SetMaxOpenConns(1)
	m, err := schema.Migrator(db, migrations.FS)
	check(t, err)
	check(t, m.Down())
	var left int
	check(t, db.Get(&left, `SELECT count(*) FROM sqlite_schema WHERE name NOT IN ('schema_migrations', 'version_unique')`))
	if left != 0 {
		t.Errorf("%d things are left", left)
	}
	check(t, m.Up())
	_, err = m.Close()
	check(t, err)
	if again := dump(t, path, false); again != first {
		t.Errorf("down and up makes another schema:\n%s", again)
	}
}

func TestMigrateOnce(t *testing.T) {
	path := older(t)
	files := sound()
	errs := make(chan error, 4)
	for range cap(errs) {
		s := released(t, maps.Clone(files))
		go func() {
			db, err := open(t.Context(), path, Options{}, s)
			if err == nil {
				err = db.Close()
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		check(t, <-errs)
	}
	if names := listBackups(t, path); len(names) != 1 {
		t.Errorf("backups %v", names)
	}
}

func TestMigrateDiskFull(t *testing.T) {
	path := older(t)
	before := dump(t, path, true)
	files := sound()
	files["000091_shape.up.sql"] = `PRAGMA max_page_count = 1; CREATE TABLE shapes (a TEXT) STRICT;
		INSERT INTO shapes SELECT hex(randomblob(100000)) FROM (VALUES (1), (2), (3)); PRAGMA user_version = 91;`
	_, err := open(t.Context(), path, Options{}, released(t, files))
	wantCode(t, err, core.Unavailable)
	if after := dump(t, path, true); after != before {
		t.Errorf("the library has changed:\n%s\n---\n%s", before, after)
	}
}
