package opencode

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"coppice/backend/core"
	"coppice/backend/importer/foreigndb"
)

// tables says which of OpenCode's tables a database has.
type tables struct {
	legacy  bool // session, message and part, of 1.x; what 2.x has taken over stays in them as it was
	current bool // session_v2 and session_message, of 2.x
	ordered bool // session_message tells its order
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

// readDatabase reads the sessions of a database, the oldest first; those that are as they were when they were read last
// and that the library has are left out.
func (f *Format) readDatabase(ctx context.Context, file core.SourceFile, yield func(core.Incoming, error) bool) (err error) {
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
	var ready *core.Incoming // it is handed out when it is known whether it is the last one
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
		s := &session{info: all[i], file: file, shelf: db}
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

// sessions lists what is said of the sessions, the oldest first. What 2.x says of a session counts.
func (db *database) sessions(ctx context.Context) ([]info, error) {
	var all []info
	at := map[string]int{}
	read := func(query string) error {
		for row, err := range db.Query(ctx, query) {
			if err != nil {
				return err
			}
			i := ofRow(row)
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
		if err := read(`SELECT * FROM session ORDER BY time_created, id`); err != nil {
			return nil, err
		}
	}
	if db.current {
		if err := read(`SELECT * FROM session_v2 ORDER BY time_created, id`); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b info) int { return int(min(1, max(-1, a.createdMs-b.createdMs))) })
	return all, nil
}

// states says of each session how it stands: it changes with everything that is written to it. A state that is empty says nothing.
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
		query := `SELECT session_id, count(*) AS n, sum(time_updated) AS t FROM ` + table + ` GROUP BY session_id`
		for row, err := range db.Query(ctx, query) {
			if err != nil {
				return nil, err
			}
			states[row.Text("session_id")] += fmt.Sprintf(" %s %d %d", table, row.Int("n"), row.Int("t"))
		}
	}
	return states, nil
}

// isKnown says whether a session was read as it is, and the library has it.
func (f *Format) isKnown(ctx context.Context, file core.SourceFile, session, state string) bool {
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

func (f *Format) remember(path, session, state string) {
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
		for row, err := range db.Query(ctx, `SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id`, session) {
			if err != nil {
				yield(raw{}, err)
				return
			}
			r := raw{id: row.Text("id"), rowMs: row.Int("time_created")}
			var ok bool
			if r.info, ok = object([]byte(row.Text("data"))); !ok {
				db.problem(0, "message "+r.id+" is damaged, skipped")
				continue
			}
			for row, err := range db.Query(ctx, `SELECT id, data FROM part WHERE message_id = ? ORDER BY id`, r.id) {
				if err != nil {
					yield(raw{}, err)
					return
				}
				p, ok := object([]byte(row.Text("data")))
				if !ok {
					db.problem(0, "part "+row.Text("id")+" of message "+r.id+" is damaged, skipped")
					continue
				}
				r.parts = append(r.parts, p)
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (db *database) eachCurrent(ctx context.Context, session string) iter.Seq2[raw, error] {
	order := "time_created, id"
	if db.ordered {
		order = "seq"
	}
	return func(yield func(raw, error) bool) {
		for row, err := range db.Query(ctx, `SELECT id, type, time_created, data FROM session_message WHERE session_id = ? ORDER BY `+order, session) {
			if err != nil {
				yield(raw{}, err)
				return
			}
			r := raw{id: row.Text("id"), kind: row.Text("type"), rowMs: row.Int("time_created")}
			var ok bool
			if r.info, ok = object([]byte(row.Text("data"))); !ok || r.kind == "" {
				db.problem(0, "message "+r.id+" is damaged, skipped")
				continue
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}
