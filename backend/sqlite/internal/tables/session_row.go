package tables

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/title"
	"coppice/backend/workspace"
)

// SessionColumns selects what a SessionRow holds.
const SessionColumns = `s.key, s.id, coalesce(s.name, '') AS name, s.title, s.task, s.source, s.source_id, s.source_path, s.source_gone_at_ms, s.status, s.stop_reason,
	s.agent, s.model, s.workspace_path, s.files_modified, s.tags, s.parent_id, s.parent_uid, s.relation,
	coalesce((SELECT uid FROM messages WHERE id = s.head), '') AS head_uid, s.head, s.imported_head,
	coalesce((SELECT uid FROM messages WHERE id = s.main), '') AS main_uid, s.hidden_count,
	s.message_count, s.branch_count, s.turn_count, s.step_count, s.input_tokens, s.output_tokens, s.cache_read_tokens, s.cache_write_tokens,
	s.reasoning_tokens, s.cost_nano_usd, s.estimated_cost_nano_usd, s.unpriced_count, s.pinned_at_ms, s.archived_at_ms, s.deleted_at_ms, s.created_at_ms, s.updated_at_ms, s.meta, s.title_origin, s.project, s.last_answer, s.failed_count, s.touched_count, s.lines_added, s.lines_removed`

// SessionRow is a session as it is stored.
type SessionRow struct {
	core.Session
	Key          int64
	Head         sql.NullInt64
	ImportedHead sql.NullInt64 `db:"imported_head"`
	Files        string        `db:"files_modified"`
	TagList      string        `db:"tags"`
	MetaText     string        `db:"meta"`
}

// Decode makes the domain's session.
func (r *SessionRow) Decode() (core.Session, error) {
	s := r.Session
	s.FilesModified = []string{}
	if err := json.Unmarshal([]byte(r.Files), &s.FilesModified); err != nil {
		return s, core.Wrap(core.Corrupt, err, "the list of files of session %s is damaged", s.ID)
	}
	if r.TagList != "[]" {
		if err := json.Unmarshal([]byte(r.TagList), &s.Tags); err != nil {
			return s, core.Wrap(core.Corrupt, err, "the tags of session %s are damaged", s.ID)
		}
	}
	if r.MetaText != "" {
		s.Meta = json.RawMessage(r.MetaText)
		s.IncompleteStart = strings.Contains(r.MetaText, `"incompleteStart":true`)
	}
	return s, nil
}

// SessionKey returns the integer key of the session with exactly this id.
func SessionKey(ctx context.Context, t *conn.Tx, id string) (int64, error) {
	var key int64
	err := t.Get(ctx, &key, `SELECT key FROM sessions WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, noSession(id)
	}
	return key, err
}

// OfSession returns a transaction that runs f with the key of a session. It fails if the session does not exist.
func OfSession(ctx context.Context, sessionID string, f func(t *store.Txn, key int64) error) func(*store.Txn) error {
	return func(t *store.Txn) error {
		key, err := SessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		return f(t, key)
	}
}

func noSession(ref string) error {
	return core.E(core.NotFound, "no session %q", ref).WithRemedy(core.ListSessions)
}

// ReadSessionRow reads the row of a session by its key.
func ReadSessionRow(ctx context.Context, t *conn.Tx, key int64) (SessionRow, error) {
	var row SessionRow
	return row, t.Get(ctx, &row, `SELECT `+SessionColumns+` FROM sessions s WHERE s.key = ?`, key)
}

// ReadSession reads a session by its key.
func ReadSession(ctx context.Context, t *conn.Tx, key int64) (core.Session, error) {
	row, err := ReadSessionRow(ctx, t, key)
	if err != nil {
		return core.Session{}, err
	}
	return row.Decode()
}

// InsertSession adds a row to sessions.
const InsertSession = `INSERT INTO sessions (id, name, title, task, source, source_id, source_path, status, stop_reason, agent, model, workspace_path,
	files_modified, parent_id, parent_uid, relation, pinned_at_ms, archived_at_ms, created_at_ms, updated_at_ms, meta, derived, price_key, title_origin, project)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// AddSession writes a new session without messages.
func AddSession(ctx context.Context, t *store.Txn, s *core.Session) (int64, error) {
	files, err := json.Marshal(SortedSet(s.FilesModified))
	if err != nil {
		return 0, err
	}
	key, err := t.Insert(ctx, InsertSession, s.ID, Nullable(s.Name), s.Title, s.Task, s.Source, s.SourceID, s.SourcePath, s.Status, s.StopReason,
		s.Agent, s.Model, s.WorkspacePath, string(files), s.ParentID, s.ParentUID, s.Relation, s.PinnedAtMs, s.ArchivedAtMs,
		s.CreatedAtMs, s.UpdatedAtMs, string(s.Meta), DerivedVersion, t.Codec.PriceKey(), s.TitleOrigin, s.Project)
	if err != nil {
		return 0, err
	}
	t.Ledger.Of(key).IsNew = true
	if s.SourceID == "" {
		return key, nil
	}
	_, err = t.Exec(ctx, `INSERT INTO origins (source_id, source, session, source_path) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		s.SourceID, s.Source, key, s.SourcePath)
	return key, err
}

// CompleteSession fills in what a new session may leave open, and checks the rest.
func CompleteSession(s *core.Session, nowMs int64) error {
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
	s.Task = core.Cut(s.Task, excerpt.TaskLength)
	if s.Title == "" {
		s.Title, s.TitleOrigin = cmp.Or(title.Of(s.Task).Text, excerpt.Title(s.Task)), core.TitleDerived
	}
	s.TitleOrigin = cmp.Or(s.TitleOrigin, core.TitleTool)
	s.Project = cmp.Or(s.Project, workspace.ProjectOfPath(s.WorkspacePath))
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
		return core.E(core.Invalid, "session %s: its other fields are not valid JSON", s.ID)
	}
	return nil
}

// SortedSet returns the distinct words of lists, sorted; never nil.
func SortedSet(list ...[]string) []string {
	all := slices.Concat(list...)
	slices.Sort(all)
	all = slices.Compact(all)
	if all == nil {
		return []string{}
	}
	return all
}

// SetTags stores the tags of a session.
func SetTags(ctx context.Context, t *conn.Tx, key int64, tags []string) error {
	list, err := json.Marshal(SortedSet(tags))
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, `UPDATE sessions SET tags = ? WHERE key = ?`, string(list), key)
	return err
}

// Nullable returns a text as a column that is NULL if it is empty.
func Nullable(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// FindSession reads the row of a session by its id; NotFound if it does not exist.
func FindSession(ctx context.Context, t *conn.Tx, id string) (SessionRow, error) {
	key, err := SessionKey(ctx, t, id)
	if err != nil {
		return SessionRow{}, err
	}
	return ReadSessionRow(ctx, t, key)
}
