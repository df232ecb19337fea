package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

const sessionColumns = `s.key, s.id, coalesce(s.name, '') AS name, s.title, s.task, s.source, s.source_id, s.source_path, s.source_gone_at_ms, s.status, s.stop_reason,
	s.agent, s.model, s.workspace_path, s.files_modified, s.parent_id, s.parent_uid, s.relation,
	coalesce((SELECT uid FROM messages WHERE id = s.head), '') AS head_uid, s.head, s.imported_head,
	coalesce((SELECT uid FROM messages WHERE id = s.main), '') AS main_uid, s.hidden_count,
	s.message_count, s.branch_count, s.turn_count, s.step_count, s.input_tokens, s.output_tokens, s.cache_read_tokens, s.cache_write_tokens,
	s.reasoning_tokens, s.cost_nano_usd, s.pinned_at_ms, s.archived_at_ms, s.deleted_at_ms, s.created_at_ms, s.updated_at_ms, s.meta, s.renamed`

// sessionRow is a session as it is stored.
type sessionRow struct {
	core.Session
	Key          int64
	Head         sql.NullInt64
	ImportedHead sql.NullInt64 `db:"imported_head"`
	Renamed      bool
	Files        string `db:"files_modified"`
	MetaText     string `db:"meta"`
}

// session makes the domain's session.
func (r *sessionRow) session() (core.Session, error) {
	s := r.Session
	s.FilesModified = []string{}
	if err := json.Unmarshal([]byte(r.Files), &s.FilesModified); err != nil {
		return s, core.Wrap(core.Corrupt, err, "the list of files of session %s is damaged", s.ID)
	}
	if r.MetaText != "" {
		s.Meta = json.RawMessage(r.MetaText)
	}
	return s, nil
}

// sessionKey returns the integer key of the session with exactly this id.
func sessionKey(ctx context.Context, t *conn.Tx, id string) (int64, error) {
	var key int64
	err := t.Get(ctx, &key, `SELECT key FROM sessions WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, noSession(id)
	}
	return key, err
}

func noSession(ref string) error {
	return core.E(core.NotFound, "no session %q", ref).WithHint("list them with: coppice sessions")
}

func readSessionRow(ctx context.Context, t *conn.Tx, key int64) (sessionRow, error) {
	var row sessionRow
	return row, t.Get(ctx, &row, `SELECT `+sessionColumns+` FROM sessions s WHERE s.key = ?`, key)
}

func readSession(ctx context.Context, t *conn.Tx, key int64) (core.Session, error) {
	row, err := readSessionRow(ctx, t, key)
	if err != nil {
		return core.Session{}, err
	}
	return row.session()
}

// Session finds a session by its id, its name, an id it has in the tool it came from, or the
// beginning of an id that fits no other. Sessions in the trash count only where no other fits.
// NotFound; Invalid, naming the candidates, where several fit.
func (db *sessionStore) Session(ctx context.Context, ref string) (core.Session, error) {
	var s core.Session
	err := db.read(ctx, func(t *tx) error {
		key, err := resolveSession(ctx, t.Tx, ref)
		if err != nil {
			return err
		}
		s, err = readSession(ctx, t.Tx, key)
		return err
	})
	return s, conn.Fail(err, "find session %q", ref)
}

// candidate is a session that a reference may mean.
type candidate struct {
	Key     int64
	ID      string
	Title   string
	Deleted bool
	Child   bool // a subagent's; its source id begins with that of its parent
}

const candidateColumns = `SELECT s.key, s.id, s.title, s.deleted_at_ms > 0 AS deleted, s.relation = 'subagent' AS child FROM sessions s `

// resolveSession finds the session that a reference means.
func resolveSession(ctx context.Context, t *conn.Tx, ref string) (int64, error) {
	if ref == "" {
		return 0, core.E(core.Invalid, "no session named").WithHint("list them with: coppice sessions")
	}
	end := ref + "\U0010FFFF"
	for _, q := range []struct {
		query string
		args  []any
	}{
		{candidateColumns + `WHERE s.id = ?`, []any{ref}},
		{candidateColumns + `WHERE s.name = ?`, []any{ref}},
		{candidateColumns + `JOIN origins o ON o.session = s.key WHERE o.source_id = ? GROUP BY s.key`, []any{ref}},
		{candidateColumns + `WHERE s.id > ? AND s.id < ? UNION ` + candidateColumns +
			`JOIN origins o ON o.session = s.key WHERE o.source_id > ? AND o.source_id < ? LIMIT 50`, []any{ref, end, ref, end}},
	} {
		var found []candidate
		if err := t.All(ctx, &found, q.query, q.args...); err != nil {
			return 0, err
		}
		if key, err := choose(ref, found); key != 0 || err != nil {
			return key, err
		}
	}
	return 0, noSession(ref)
}

// choose takes the one candidate outside the trash, else the one in it, and a session before its
// subagents; 0 where there is none.
func choose(ref string, found []candidate) (int64, error) {
	for _, second := range []func(candidate) bool{
		func(c candidate) bool { return c.Deleted },
		func(c candidate) bool { return c.Child },
	} {
		if first := slices.DeleteFunc(slices.Clone(found), second); len(first) > 0 {
			found = first
		}
	}
	switch len(found) {
	case 0:
		return 0, nil
	case 1:
		return found[0].Key, nil
	}
	names := []string{}
	for _, c := range found[:min(5, len(found))] {
		names = append(names, c.ID+" ("+oneLine(c.Title, 40)+")")
	}
	more := ""
	if len(found) > len(names) {
		more = " and others"
	}
	return 0, core.E(core.Invalid, "%q may mean several sessions: %s%s", ref, strings.Join(names, ", "), more).WithHint("type more of the id")
}

const insertSession = `INSERT INTO sessions (id, name, title, task, source, source_id, source_path, status, stop_reason, agent, model, workspace_path,
	files_modified, parent_id, parent_uid, relation, pinned_at_ms, archived_at_ms, created_at_ms, updated_at_ms, meta)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// addSession writes a new session without messages.
func addSession(ctx context.Context, t *tx, s *core.Session) (int64, error) {
	files, err := json.Marshal(sortedSet(s.FilesModified))
	if err != nil {
		return 0, err
	}
	key, err := t.Insert(ctx, insertSession, s.ID, nullable(s.Name), s.Title, s.Task, s.Source, s.SourceID, s.SourcePath, s.Status, s.StopReason,
		s.Agent, s.Model, s.WorkspacePath, string(files), s.ParentID, s.ParentUID, s.Relation, s.PinnedAtMs, s.ArchivedAtMs,
		s.CreatedAtMs, s.UpdatedAtMs, string(s.Meta))
	if err != nil {
		return 0, err
	}
	t.ledger.of(key).isNew = true
	if s.SourceID == "" {
		return key, nil
	}
	_, err = t.Exec(ctx, `INSERT INTO origins (source_id, source, session, source_path) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		s.SourceID, s.Source, key, s.SourcePath)
	return key, err
}

// complete fills in what a new session may leave open, and checks the rest.
func complete(s *core.Session, nowMs int64) error {
	if s.Source == "" {
		s.Source = core.SourceCoppice
	}
	if s.Status == "" {
		s.Status = core.StatusIdle
	}
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = nowMs
	}
	s.UpdatedAtMs = max(s.UpdatedAtMs, s.CreatedAtMs)
	if s.ID == "" && s.SourceID != "" {
		s.ID = core.DerivedID(s.CreatedAtMs, string(s.Source), s.SourceID)
	} else if s.ID == "" {
		s.ID = core.NewID(s.CreatedAtMs)
	}
	s.Task = core.Cut(s.Task, taskLength)
	if s.Title == "" {
		s.Title = titleOf(s.Task)
	}
	if !slices.Contains(core.Sources(), s.Source) {
		return core.E(core.Invalid, "session %s is of the unknown source %q", s.ID, s.Source)
	}
	if !slices.Contains(core.Statuses(), s.Status) {
		return core.E(core.Invalid, "session %s has the unknown status %q", s.ID, s.Status)
	}
	if !slices.Contains([]core.Relation{core.RelationNone, core.RelationSubagent, core.RelationFork}, s.Relation) {
		return core.E(core.Invalid, "session %s has the unknown relation %q", s.ID, s.Relation)
	}
	if len(s.Meta) > 0 && !json.Valid(s.Meta) {
		return core.E(core.Invalid, "what session %s says besides is not valid JSON", s.ID)
	}
	return nil
}

// CreateSession adds a session without messages and returns it as stored. ID, times, Source and
// Status may be left open; counters are ignored. Conflict where the id or the name is taken.
func (db *sessionStore) CreateSession(ctx context.Context, s core.Session) (core.Session, error) {
	if err := complete(&s, db.now()); err != nil {
		return core.Session{}, err
	}
	if err := core.CheckName(s.Name); err != nil {
		return core.Session{}, err
	}
	err := db.write(ctx, func(t *tx) error {
		key, err := addSession(ctx, t, &s)
		if conn.Is(err, conn.CodeConstraint) {
			return taken(err, s.ID, s.Name)
		} else if err != nil {
			return err
		}
		s, err = readSession(ctx, t.Tx, key)
		return err
	})
	return s, conn.Fail(err, "create session %s", s.ID)
}

func taken(err error, id, name string) error {
	if name != "" && strings.Contains(err.Error(), "sessions.name") {
		return core.E(core.Conflict, "a session named %q exists already", name).WithHint("choose another name")
	}
	return core.E(core.Conflict, "session %s exists already", id)
}

const (
	taskLength  = 1000 // runes of the first prompt that a session keeps
	titleLength = 120  // runes
)

// titleOf makes a title of a task: its first line that says something.
func titleOf(task string) string {
	for line := range strings.Lines(task) {
		if title := oneLine(line, titleLength); title != "" {
			return title
		}
	}
	return ""
}

func sortedSet(list ...[]string) []string {
	all := slices.Concat(list...)
	slices.Sort(all)
	all = slices.Compact(all)
	if all == nil {
		return []string{}
	}
	return all
}

func nullable(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }
