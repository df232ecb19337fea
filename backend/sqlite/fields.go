package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// changed says whether the merge has changed the tree or what it says.
func (m *merge) changed() bool {
	return m.merged.Created || m.merged.Added+m.merged.Updated+m.merged.Moved > 0
}

const updateFields = `UPDATE sessions SET title = ?, task = ?, source_path = ?, status = ?, stop_reason = ?, agent = ?, model = ?, workspace_path = ?,
	files_modified = ?, parent_id = ?, parent_uid = ?, relation = ?, meta = ? WHERE key = ?`

// takeFields takes over what the source says of the session, and counts.
func (m *merge) takeFields(ctx context.Context) error {
	s, err := m.before.session()
	if err != nil {
		return err
	}
	in := &m.in.Session
	m.mixIn(&s, in)
	if s.WorkspacePath != m.before.WorkspacePath || s.ParentID != m.before.ParentID || s.Relation != m.before.Relation {
		m.ledger.of(m.key).moved = true
	}
	if m.changed() {
		if err := m.addTotals(ctx); err != nil {
			return err
		}
		if err := m.derive(ctx, &s, in); err != nil {
			return err
		}
	}
	// A title that was made of the task follows it: a file that was cut off may have had no task, or another one.
	if s.Title == "" || in.Title == "" && !m.before.Renamed && s.Title == titleOf(m.before.Task) {
		s.Title = titleOf(s.Task)
	}
	list, err := m.filesModified(ctx, &s, in)
	if err != nil {
		return err
	}
	files, err := json.Marshal(list)
	if err != nil {
		return err
	}
	_, err = m.Exec(ctx, updateFields, s.Title, s.Task, s.SourcePath, s.Status, s.StopReason, s.Agent, s.Model, s.WorkspacePath,
		string(files), s.ParentID, s.ParentUID, s.Relation, string(s.Meta), m.key)
	return err
}

// mixIn lets fields of the source replace those that are there. A copy, and an archive, only fill in what is open.
func (m *merge) mixIn(s, in *core.Session) {
	own := m.own() && !m.in.Keep && !m.older
	mix(&s.Task, core.Cut(in.Task, taskLength), own)
	mix(&s.SourcePath, in.SourcePath, own)
	mix(&s.Status, in.Status, own)
	mix(&s.StopReason, in.StopReason, own)
	mix(&s.Agent, in.Agent, own)
	mix(&s.Model, in.Model, own)
	mix(&s.WorkspacePath, in.WorkspacePath, own)
	mix(&s.Title, in.Title, own && !m.before.Renamed)
	if in.ParentID != "" && (own || s.ParentID == "") {
		s.ParentID, s.ParentUID, s.Relation = in.ParentID, in.ParentUID, in.Relation
	}
	if len(in.Meta) > 0 && (own || len(s.Meta) == 0) {
		s.Meta = in.Meta
	}
}

func mix[T ~string](to *T, from T, replace bool) {
	if from != "" && (replace || *to == "") {
		*to = from
	}
}

// derive fills in from the messages what the source does not say.
func (m *merge) derive(ctx context.Context, s, in *core.Session) error {
	if in.Model == "" {
		const last = `SELECT coalesce((SELECT model FROM messages WHERE session = ? AND role = 'assistant' AND model <> '' ORDER BY seq DESC LIMIT 1), ?)`
		if err := m.Get(ctx, &s.Model, last, m.key, s.Model); err != nil {
			return err
		}
	}
	if s.Task == "" {
		task, err := m.firstPrompt(ctx)
		if err != nil {
			return err
		}
		s.Task = task
	}
	return nil
}

func (m *merge) firstPrompt(ctx context.Context) (string, error) {
	var rows []messageRow
	const query = `SELECT uid, body FROM messages WHERE session = ? AND role = 'user' AND kind = 'message' ORDER BY seq LIMIT 3`
	if err := m.All(ctx, &rows, query, m.key); err != nil {
		return "", err
	}
	for i := range rows {
		prompt, err := decodeMessage(m.tx, &rows[i])
		if err != nil {
			return "", err
		}
		if task := taskOf(prompt.Parts); task != "" {
			return task, nil
		}
	}
	return "", nil
}

// totals adds a session's messages up. A session of Coppice's own is as new as its beginning at least: one that was split off holds
// older messages alone.
const (
	oldest = `iif(source = 'coppice', sessions.created_at_ms, 0)`
	totals = `SELECT ` + sums + `, ` + sumOfCosts + `, coalesce(nullif(max(` + oldest + `, max(max(created_at_ms, finished_at_ms))), 0), sessions.updated_at_ms) FROM messages WHERE session = sessions.key`
	sums   = `count(*), count(*) FILTER (WHERE role = 'assistant' AND kind <> 'meta'), ` + sumOf + `input_tokens` + tokens + `, ` + sumOf + `output_tokens` + tokens + `,
		` + sumOf + `cache_read_tokens` + tokens + `, ` + sumOf + `cache_write_tokens` + tokens + `, ` + sumOf + `reasoning_tokens` + tokens
)

// storeCounts sets the counters anew.
func storeCounts(ctx context.Context, t *conn.Tx, key int64, tally core.Tally) error {
	_, err := t.Exec(ctx, `UPDATE sessions SET (message_count, step_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
		reasoning_tokens, cost_nano_usd, updated_at_ms) = (`+totals+`), branch_count = ?, turn_count = ? WHERE key = ?`,
		tally.Branches, tally.Turns, key)
	return err
}

// addTotals adds what the transaction has noted to the counters, so that a long session that has grown is not gone through.
func (m *merge) addTotals(ctx context.Context) error {
	var c counts
	for _, spent := range m.ledger.of(m.key).spent {
		c.add(&spent, 1)
	}
	tally := m.skeleton.Tally()
	if m.redated || c[countPriced] < 0 { // what is the newest then, and whether any cost is known
		return storeCounts(ctx, m.Tx, m.key, tally)
	}
	_, err := m.Exec(ctx, `UPDATE sessions SET message_count = message_count + ?1, step_count = step_count + ?2, input_tokens = `+countable+`input_tokens) + ?3,
		output_tokens = `+countable+`output_tokens) + ?4, cache_read_tokens = `+countable+`cache_read_tokens) + ?5,
		cache_write_tokens = `+countable+`cache_write_tokens) + ?6, reasoning_tokens = `+countable+`reasoning_tokens) + ?7,
		cost_nano_usd = `+countable+`iif(?8 > 0, coalesce(cost_nano_usd, 0), cost_nano_usd)) + ?9,
		updated_at_ms = iif(message_count = 0, coalesce(nullif(max(`+oldest+`, ?10), 0), updated_at_ms), max(updated_at_ms, ?10)),
		branch_count = ?11, turn_count = ?12 WHERE key = ?13`,
		c[countMessages], c[countSteps], c[countInput], c[countOutput], c[countCacheRead], c[countCacheWrite], c[countReasoning],
		c[countPriced], c[countCost], m.newestMs, tally.Branches, tally.Turns, m.key)
	return err
}

// takeHead follows the source's head, unless a person has moved the session's.
func (m *merge) takeHead(ctx context.Context) error {
	head, err := m.incomingHead()
	if err != nil {
		return err
	}
	if m.older {
		return nil
	}
	if err := storeOrigin(ctx, m.Tx, &m.in.Session, m.key, idOf(head)); err != nil {
		return err
	}
	if !m.follows(head) {
		return nil
	}
	return m.putHead(ctx, head)
}

func (m *merge) putHead(ctx context.Context, head *node) error {
	const both = `UPDATE sessions SET head = ?1, imported_head = ?1 WHERE key = ?2`
	const imported = `UPDATE sessions SET imported_head = ?1 WHERE key = ?2`
	query := both
	if !m.merged.Created && m.before.Head != m.before.ImportedHead {
		query = imported
	}
	_, err := m.Exec(ctx, query, idOf(head), m.key)
	return err
}

func (m *merge) incomingHead() (*node, error) {
	if m.headUID == "" {
		return nil, nil // before the first message
	}
	head := m.nodes.get(m.headUID)
	if head == nil {
		return nil, core.E(core.Invalid, "the session would continue from message %q, which is not there", m.headUID)
	}
	return head, nil
}

// follows says whether the source's head is news. That of a copy that is seen for the first time is, if it has
// gone on later than the session.
func (m *merge) follows(head *node) bool {
	switch {
	case m.merged.Created:
		return true
	case m.known.Known:
		return m.known.Head != idOf(head)
	case head == nil:
		return false
	}
	current := m.nodes.get(m.before.HeadUID)
	return current == nil || current != head && !m.behind(head) && head.createdAtMs >= current.createdAtMs
}

// takeLabels names turns. A turn that has a name keeps it, unless the source has given it another one since, or has taken it back.
func (m *merge) takeLabels(ctx context.Context) error {
	if len(m.in.Labels) == 0 {
		return nil
	}
	labels, err := readLabels(ctx, m.Tx, m.key)
	if err != nil {
		return err
	}
	named := map[int64]core.Label{}
	for _, l := range labels {
		named[l.Turn] = l
	}
	for _, l := range m.in.Labels {
		n := m.nodes.get(l.UID)
		if n == nil {
			continue
		}
		is, there := named[n.place().Turn]
		if there && (m.in.Keep || is.CreatedAtMs > l.CreatedAtMs || is.Text == l.Text) || !there && l.Text == "" {
			continue
		}
		if l.Text == "" {
			delete(named, n.place().Turn)
		}
		createdAtMs := l.CreatedAtMs
		if createdAtMs == 0 {
			createdAtMs = m.nowMs
		}
		if err := setLabel(ctx, m.Tx, m.key, n.place().Turn, l.Text, createdAtMs); err != nil {
			return err
		}
		if slices.Contains(core.Colors(), l.Color) {
			const paint = `UPDATE labels SET color = ? WHERE session = ? AND message IN (SELECT id FROM messages WHERE session = ? AND turn = ?)`
			if _, err := m.Exec(ctx, paint, l.Color, m.key, m.key, n.place().Turn); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeTending sets bookmarks, and for messages that are new here what is hidden and which path counts. New messages may stand below what is
// hidden already.
func (m *merge) takeTending(ctx context.Context) error {
	for _, b := range m.in.Bookmarks {
		if n := m.nodes.get(b.UID); n != nil {
			if err := toggleBookmark(ctx, m.Tx, m.key, n.place().Turn, b.CreatedAtMs); err != nil {
				return err
			}
		}
	}
	if n := m.nodes.get(m.in.Session.MainUID); n != nil && m.merged.Created {
		if _, err := m.Exec(ctx, `UPDATE sessions SET main = ? WHERE key = ?`, n.id, m.key); err != nil {
			return err
		}
	}
	for _, top := range m.in.Hidden {
		if n := m.nodes.get(top.UID); n != nil && n.added {
			const mark = `INSERT INTO hidden (message, session, hidden_at_ms) VALUES (?, ?, ?) ON CONFLICT (message) DO NOTHING`
			if _, err := m.Exec(ctx, mark, n.id, m.key, top.HiddenAtMs); err != nil {
				return err
			}
		}
	}
	repeats, err := m.hideRepeated(ctx)
	if err != nil || !repeats && len(m.in.Hidden) == 0 && m.before.HiddenCount == 0 {
		return err
	}
	_, err = countHidden(ctx, m.Tx, m.key, m.skeleton)
	return err
}

// takeBlob stores a content that messages refer to.
func (m *merge) takeBlob(ctx context.Context, b *core.Blob) error {
	if core.Hash(b.Data) != b.Hash {
		return core.E(core.Invalid, "content %s is not what its hash says", b.Hash)
	}
	var wanted sql.NullBool
	err := m.Get(ctx, &wanted, `SELECT (SELECT data IS NULL FROM blobs WHERE hash = ?)`, b.Hash)
	if err != nil || !wanted.Bool {
		return err
	}
	return storeBlob(ctx, m.tx, b)
}

func (m *merge) takeCursor(ctx context.Context) error {
	if m.in.Cursor == nil {
		return nil
	}
	return storeCursor(ctx, m.Tx, m.in.Cursor, sql.NullInt64{Int64: m.key, Valid: true}, m.nowMs)
}
