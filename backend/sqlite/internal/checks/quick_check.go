package checks

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// shownProblems is how many problems a quick check lists of each table.
const shownProblems = 10

// LeftOpen reports whether the process that had the library open before this one was killed, or lost its power, so that a look for damage
// is worth its time.
func (db *Store) LeftOpen() bool { return db.File.LeftOpen() }

// QuickCheck looks for damage of the pages of every table and returns what it finds, in words; none for a sound file. It compares no
// contents and no indexes, as Check does, and leaves out the search index, which can be built again. A connection of its own reads, a
// table at a time, so nothing waits for it.
func (db *Store) QuickCheck(ctx context.Context) ([]string, error) {
	problems, err := db.quickCheck(ctx)
	return problems, conn.Fail(err, "check the pages of %s", db.FilePath())
}

func (db *Store) quickCheck(ctx context.Context) (problems []string, err error) {
	read, err := conn.ConnectBy(ctx, db.FilePath(), url.Values{"_pragma": conn.ReadPragmas(), "mode": {"ro"}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, read.Close()) }()
	var tables []string
	const list = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name`
	if err := read.SelectContext(ctx, &tables, list); err != nil {
		return nil, err
	}
	for _, table := range tables {
		var lines []string
		err := read.SelectContext(ctx, &lines, `SELECT quick_check FROM pragma_quick_check(?) LIMIT ?`, table, shownProblems)
		if conn.IsDamage(err) || core.CodeOf(err) == core.Corrupt {
			lines = append(lines, err.Error())
		} else if err != nil {
			return problems, err
		}
		for line := range strings.Lines(strings.Join(lines, "\n")) {
			if line = strings.TrimSpace(line); line != "ok" && !strings.HasPrefix(line, "***") { // a heading
				problems = append(problems, table+": "+line)
			}
		}
	}
	return problems, nil
}
