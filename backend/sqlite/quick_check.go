package sqlite

import (
	"context"
	"errors"
	"net/url"
	"os"
	"strings"

	"coppice/backend/core"
)

// shownProblems is how many problems a quick check lists of each table.
const shownProblems = 10

// leftOpen reports whether the last process that had the library at path open did not close it: its write-ahead log is left, and no
// process has the library open.
func leftOpen(path string) (bool, error) {
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		return false, nil
	}
	p := newPresence(path)
	alone, err := p.takeAlone()
	return alone, errors.Join(err, p.release())
}

// LeftOpen reports whether the process that had the library open before this one was killed, or lost its power, so that a look for damage
// is worth its time.
func (db *DB) LeftOpen() bool { return db.leftOpen }

// QuickCheck looks for damage of the pages of every table and returns what it finds, in words; none for a sound file. It compares no
// contents and no indexes, as Check does, and leaves out the search index, which can be built again. A connection of its own reads, a
// table at a time, so nothing waits for it.
func (db *DB) QuickCheck(ctx context.Context) ([]string, error) {
	problems, err := db.quickCheck(ctx)
	return problems, fail(err, "check the pages of %s", db.path)
}

func (db *DB) quickCheck(ctx context.Context) (problems []string, err error) {
	read, err := connectBy(ctx, db.path, url.Values{"_pragma": readPragmas(), "mode": {"ro"}})
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
		if errorIs(err, codeCorrupt, codeNotADB) || core.CodeOf(err) == core.Corrupt {
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
