package opencode

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/foreigndb"
)

// tables is which of OpenCode's tables a database has.
type tables struct {
	legacy  bool // session, message and part, of 1.x; what 2.x has taken over stays in them unchanged
	current bool // session_v2 and session_message, of 2.x
	ordered bool // session_message stores its order
}

func readTables(ctx context.Context, db *foreigndb.DB) (tables, error) {
	var t tables
	var failed error
	has := func(table string, columns ...string) bool {
		there, err := db.Columns(ctx, table)
		if err != nil {
			failed = err
		}
		return !slices.ContainsFunc(columns, func(c string) bool { return !there[c] })
	}
	t.legacy = has("session", "id", "title", "directory", "time_created") && has("message", "id", "session_id", "time_created", "data") &&
		has("part", "id", "message_id", "session_id", "data")
	t.current = has("session_v2", "id", "title", "directory", "time_created") && has("session_message", "id", "session_id", "type", "time_created", "data")
	t.ordered = has("session_message", "seq")
	return t, failed
}

// database is an OpenCode database.
type database struct {
	*foreigndb.DB
	tables
	problem func(int64, string)
}

// readDatabase reads the sessions of a database, the oldest first, except those that are unchanged since the last time
// and in the library.
func (f *format) readDatabase(ctx context.Context, file core.SourceFile, yield func(core.Incoming, error) bool) (err error) {
	opened, err := foreigndb.Open(ctx, file.Path)
	if err != nil {
		return err
	}
	defer opened.Close() //nolint:errcheck // it was only read
	db := &database{DB: opened, problem: file.Problem}
	if db.tables, err = readTables(ctx, opened); err != nil {
		return err
	}
	all, err := db.sessions(ctx)
	if err != nil {
		return err
	}
	states, err := db.states(ctx, all)
	if err != nil {
		return err
	}
	var ready *core.Incoming // it is yielded once it is known whether it is the last one
	var id string
	hand := func() bool {
		if ready == nil {
			return true
		}
		if !yield(*ready, nil) {
			return false
		}
		f.remember(file.Path, id, states[id])
		return true
	}
	for i := range all {
		if f.isKnown(ctx, file, all[i].id, states[all[i].id]) {
			continue
		}
		file.Progress(file.SizeBytes / int64(len(all)) * int64(i))
		s := &session{info: all[i], file: file, store: db}
		if s.inherited, err = db.inherited(ctx, all, &all[i]); err != nil {
			return err
		}
		in, ok, err := s.incoming(ctx)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if !hand() {
			return nil
		}
		ready, id = &in, s.id
	}
	if ready != nil {
		ready.Cursor = &core.Cursor{}
	}
	hand()
	return nil
}

// maxFieldBytes bounds the values of a session's row: titles, paths and small JSON. maxIDBytes bounds an id.
const (
	maxFieldBytes = 1 << 20
	maxIDBytes    = 512
)

// sessionQuery selects those of the known columns that a table of sessions has. A value that is too large is NULL and
// counts as cut.
func sessionQuery(table string, has map[string]bool) string {
	var fields, cut []string
	for _, c := range []string{
		"id", "parent_id", "fork_session_id", "directory", "title", "agent", "time_created", "revert", "project_id", "workspace_id",
		"fork_boundary", "slug", "path", "version", "share_url", "metadata",
	} {
		if has[c] {
			fields = append(fields, fmt.Sprintf("CASE WHEN octet_length(%s) <= ?1 THEN %s END AS %s", c, c, c))
			cut = append(cut, fmt.Sprintf("coalesce(octet_length(%s) > ?1, 0)", c))
		}
	}
	return fmt.Sprintf("SELECT %s, %s AS cut FROM %s WHERE octet_length(id) <= %d ORDER BY time_created, id",
		strings.Join(fields, ", "), strings.Join(cut, " + "), table, maxIDBytes)
}

// sessions lists the sessions' rows, the oldest first. The row of 2.x counts.
func (db *database) sessions(ctx context.Context) ([]info, error) {
	var all []info
	at := map[string]int{}
	read := func(table string) error {
		columns, err := db.Columns(ctx, table)
		if err != nil {
			return err
		}
		for row, err := range db.Query(ctx, sessionQuery(table, columns), maxFieldBytes) {
			if err != nil {
				return err
			}
			i := ofRow(row)
			if row.Int("cut") > 0 {
				db.problem(0, fmt.Sprintf("session %s: %d fields larger than %s, not imported", i.id, row.Int("cut"), humanize.IBytes(maxFieldBytes)))
			}
			if n, known := at[i.id]; known {
				all[n] = i
				continue
			}
			at[i.id] = len(all)
			all = append(all, i)
		}
		return nil
	}
	if db.legacy {
		if err := read("session"); err != nil {
			return nil, err
		}
	}
	if db.current {
		if err := read("session_v2"); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b info) int { return int(min(1, max(-1, a.createdMs-b.createdMs))) })
	return all, nil
}

// states returns a state of each session that changes with everything written to it. An empty state carries no information.
func (db *database) states(ctx context.Context, all []info) (map[string]string, error) {
	states := map[string]string{}
	for i := range all {
		states[all[i].id] = fmt.Sprint(all[i].title, all[i].revert, all[i].within, string(all[i].meta.JSON()))
	}
	var read []string
	if db.legacy {
		read = append(read, "message", "part")
	}
	if db.current {
		read = append(read, "session_message")
	}
	for _, table := range read {
		columns, err := db.Columns(ctx, table)
		if err != nil {
			return nil, err
		}
		if !columns["time_updated"] {
			return map[string]string{}, nil
		}
		query := `SELECT session_id, count(*) AS n, max(time_updated) AS t FROM ` + table + ` WHERE octet_length(session_id) <= ? GROUP BY session_id`
		for row, err := range db.Query(ctx, query, maxIDBytes) {
			if err != nil {
				return nil, err
			}
			states[row.Text("session_id")] += fmt.Sprintf(" %s %d %d", table, row.Int("n"), row.Int("t"))
		}
	}
	return states, nil
}

// isKnown reports whether a session was read in this state, and the library has it.
func (f *format) isKnown(ctx context.Context, file core.SourceFile, session, state string) bool {
	f.mu.Lock()
	before := f.known[file.Path][session]
	f.mu.Unlock()
	if before == "" || before != state || file.Stored == nil {
		return false
	}
	for _, err := range file.Stored(ctx, core.SourceOpenCode, session) {
		return err == nil
	}
	return false
}

func (f *format) remember(path, session, state string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		f.known = map[string]map[string]string{}
	}
	if f.known[path] == nil {
		f.known[path] = map[string]string{}
	}
	f.known[path][session] = state
}

// each yields the messages of 1.x, then those of 2.x: those that came before are only named.
func (db *database) each(ctx context.Context, session string) iter.Seq2[raw, error] {
	return func(yield func(raw, error) bool) {
		came := map[string]bool{}
		if db.legacy {
			for r, err := range db.eachLegacy(ctx, session) {
				came[r.id] = true
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
		if db.current {
			for r, err := range db.eachCurrent(ctx, session) {
				r.again = came[r.id]
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

func (db *database) eachLegacy(ctx context.Context, session string) iter.Seq2[raw, error] {
	return func(yield func(raw, error) bool) {
		for row, err := range db.Query(ctx, `SELECT id, time_created, octet_length(data) AS size FROM message
			WHERE session_id = ? AND octet_length(id) <= ? ORDER BY time_created, id`, session, maxIDBytes) {
			if err != nil {
				yield(raw{}, err)
				return
			}
			r := raw{id: row.Text("id"), rowMs: row.Int("time_created")}
			var ok bool
			if r.info, ok, err = db.data(ctx, "message", session, r.id, row.Int("size")); err == nil && ok {
				r.parts, err = db.parts(ctx, r.id)
			}
			if err != nil {
				yield(raw{}, err)
				return
			}
			if ok && !yield(r, nil) {
				return
			}
		}
	}
}

// data reads the object that a message consists of; ok is false if it is damaged or too large, which is reported.
func (db *database) data(ctx context.Context, table, session, id string, sizeBytes int64) (v gjson.Result, ok bool, err error) {
	if sizeBytes > core.MaxValueBytes {
		db.problem(0, fmt.Sprintf("message %s has %s, more than %s: skipped", id, humanize.IBytes(uint64(sizeBytes)), humanize.IBytes(core.MaxValueBytes)))
		return v, false, nil
	}
	for row, err := range db.Query(ctx, `SELECT data FROM `+table+` WHERE session_id = ? AND id = ? LIMIT 1`, session, id) {
		if err != nil {
			return v, false, err
		}
		v, ok = object([]byte(row.Text("data")))
	}
	if !ok {
		db.problem(0, "message "+id+" is damaged, skipped")
	}
	return v, ok, nil
}

// part is one of a message, which are read in any order: to sort them, SQLite would hold all of them in memory.
type part struct {
	id string
	v  gjson.Result
}

// parts reads the parts of a message in order. Those beyond the size of a message are reported and left out.
func (db *database) parts(ctx context.Context, message string) ([]gjson.Result, error) {
	var all []part
	left := int64(core.MaxValueBytes)
	for row, err := range db.Query(ctx, `SELECT id, octet_length(data) AS size, CASE WHEN octet_length(data) <= ?1 THEN data END AS data
		FROM part WHERE message_id = ?2 AND octet_length(id) <= ?3`, core.MaxValueBytes, message, maxIDBytes) {
		if err != nil {
			return nil, err
		}
		id, size := row.Text("id"), row.Int("size")
		if size > left {
			db.problem(0, fmt.Sprintf("part %s of message %s has %s, not imported: a message may have %s",
				id, message, humanize.IBytes(uint64(size)), humanize.IBytes(core.MaxValueBytes))) //nolint:gosec // positive
			continue
		}
		left -= size
		v, ok := object([]byte(row.Text("data")))
		if !ok {
			db.problem(0, "part "+id+" of message "+message+" is damaged, skipped")
			continue
		}
		all = append(all, part{id, v})
	}
	slices.SortStableFunc(all, func(a, b part) int { return strings.Compare(a.id, b.id) })
	values := make([]gjson.Result, len(all))
	for i := range all {
		values[i] = all[i].v
	}
	return values, nil
}

func (db *database) eachCurrent(ctx context.Context, session string) iter.Seq2[raw, error] {
	order := "time_created, id"
	if db.ordered {
		order = "seq"
	}
	return func(yield func(raw, error) bool) {
		for row, err := range db.Query(ctx, `SELECT id, substr(type, 1, 200) AS type, time_created, octet_length(data) AS size FROM session_message
			WHERE session_id = ? AND octet_length(id) <= ? ORDER BY `+order, session, maxIDBytes) {
			if err != nil {
				yield(raw{}, err)
				return
			}
			r := raw{id: row.Text("id"), kind: row.Text("type"), rowMs: row.Int("time_created")}
			if r.kind == "" {
				db.problem(0, "message "+r.id+" is damaged, skipped")
				continue
			}
			var ok bool
			if r.info, ok, err = db.data(ctx, "session_message", session, r.id, row.Int("size")); err != nil {
				yield(raw{}, err)
				return
			}
			if ok && !yield(r, nil) {
				return
			}
		}
	}
}
