package merge

import (
	"cmp"
	"context"
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/tables"
	"coppice/backend/title"
	"coppice/backend/workspace"
)

const updateFields = `UPDATE sessions SET title = ?, title_origin = ?, project = ?, task = ?, source_path = ?, status = ?, stop_reason = ?, agent = ?, model = ?, workspace_path = ?,
	files_modified = ?, parent_id = ?, parent_uid = ?, relation = ?, meta = ? WHERE key = ?`

// takeFields stores the fields that the source has for the session, and the counters.
func takeFields(ctx context.Context, m *merge) error {
	s, err := m.before.Decode()
	if err != nil {
		return err
	}
	in := &m.in.Session
	m.mixIn(&s, in)
	if s.WorkspacePath != m.before.WorkspacePath || s.ParentID != m.before.ParentID || s.Relation != m.before.Relation {
		m.Ledger.Of(m.Key).Moved = true
	}
	if m.changed() {
		if err := addTotals(ctx, m); err != nil {
			return err
		}
		if err := deriveFields(ctx, m, &s, in); err != nil {
			return err
		}
		if err := findAnswer(ctx, m); err != nil {
			return err
		}
	}
	if err := m.mixTitle(ctx, &s, in); err != nil {
		return err
	}
	list, err := filesModified(ctx, m, &s, in)
	if err != nil {
		return err
	}
	files, err := json.Marshal(list)
	if err != nil {
		return err
	}
	_, err = m.Exec(ctx, updateFields, s.Title, s.TitleOrigin, s.Project, s.Task, s.SourcePath, s.Status, s.StopReason, s.Agent, s.Model, s.WorkspacePath,
		string(files), s.ParentID, s.ParentUID, s.Relation, string(s.Meta), m.Key)
	return err
}

// mixIn lets fields of the source replace those that are there. A copy, and an archive, only fill in what is open.
func (m *merge) mixIn(s, in *core.Session) {
	own := m.own() && !m.in.Keep && !m.older
	mix(&s.Task, core.Cut(in.Task, excerpt.TaskLength), own)
	mix(&s.SourcePath, in.SourcePath, own)
	mix(&s.Status, in.Status, own)
	mix(&s.StopReason, in.StopReason, own)
	mix(&s.Agent, in.Agent, own)
	mix(&s.Model, in.Model, own)
	mix(&s.WorkspacePath, in.WorkspacePath, own)
	if s.WorkspacePath == in.WorkspacePath && in.Project != "" {
		s.Project = in.Project
	} else if s.WorkspacePath != m.before.WorkspacePath || s.Project == "" {
		s.Project = workspace.ProjectOfPath(s.WorkspacePath)
	}
	if in.ParentID != "" && (own || s.ParentID == "") {
		s.ParentID, s.ParentUID, s.Relation = in.ParentID, in.ParentUID, in.Relation
	}
	if len(in.Meta) > 0 && (own || len(s.Meta) == 0) {
		s.Meta = in.Meta
	}
}

// mixTitle lets a title of the same or of a better origin replace the one that is there. A title that is derived is derived again: a file that
// was cut off may have had no prompt, or another one. An archive does not name the origin of a title that was derived: if deriving gives the
// same title, it was.
func (m *merge) mixTitle(ctx context.Context, s, in *core.Session) error {
	origin, own := originOfTitle(m.in), m.own() && !m.in.Keep && !m.older
	if in.Title != "" && origin != core.TitleDerived && (own || s.Title == "") && s.TitleOrigin.Yields(origin) {
		s.Title, s.TitleOrigin = in.Title, origin
	}
	unnamed := m.in.Keep && in.TitleOrigin == core.TitleUnknown && s.TitleOrigin == core.TitleTool && s.Title == in.Title && m.changed()
	if s.Title != "" && !unnamed && (!s.TitleOrigin.Yields(core.TitleDerived) || s.Task == m.before.Task && !m.changed()) {
		return nil
	}
	derived, err := tables.DeriveTitle(ctx, m.Txn, m.Key, s.Task)
	if err != nil || unnamed && derived != s.Title {
		return err
	}
	s.Title, s.TitleOrigin = cmp.Or(derived, in.Title, s.Title), core.TitleDerived
	return nil
}

// originOfTitle returns the origin of the title of a header. An archive does not name that of a title which was derived.
func originOfTitle(h *core.Header) core.TitleOrigin {
	s := &h.Session
	switch {
	case s.TitleOrigin != core.TitleUnknown:
		return s.TitleOrigin
	case h.Keep && (s.Title == title.Of(s.Task).Text || s.Title == excerpt.Title(s.Task)):
		return core.TitleDerived
	default:
		return core.TitleTool
	}
}

func mix[T ~string](to *T, from T, replace bool) {
	if from != "" && (replace || *to == "") {
		*to = from
	}
}

// deriveFields fills in from the messages what the source does not say.
func deriveFields(ctx context.Context, m *merge, s, in *core.Session) error {
	if in.Model == "" && !m.in.Keep { // an archive has the session's own model, which may be none
		const last = `SELECT coalesce((SELECT model FROM messages WHERE session = ? AND role = 'assistant' AND model <> '' ORDER BY seq DESC LIMIT 1), ?)`
		if err := m.Get(ctx, &s.Model, last, m.Key, s.Model); err != nil {
			return err
		}
	}
	if s.Task == "" {
		task, err := tables.FirstPrompt(ctx, m.Txn, m.Key)
		if err != nil {
			return err
		}
		s.Task = task
	}
	return nil
}

// findAnswer reads the last answer again if a stored message has another form or position: the message that was written last is then not the
// last of the session.
func findAnswer(ctx context.Context, m *merge) error {
	if !m.replan && m.merged.Updated == 0 {
		return nil
	}
	answer, err := tables.LastAnswer(ctx, m.Txn, m.Key)
	if err == nil {
		m.Ledger.SetAnswer(m.Key, answer)
	}
	return err
}

// addTotals adds what the transaction has noted to the counters, so that a long session that has grown is not gone through.
func addTotals(ctx context.Context, m *merge) error {
	var c activity.Counts
	for _, spent := range m.Ledger.Of(m.Key).Spent {
		c.Add(&spent, 1)
	}
	tally := m.Skeleton.Tally()
	if m.redated || c[activity.CountPriced] < 0 || c[activity.CountEstimated] < 0 { // what is the newest then, and whether any cost is known
		return tables.StoreCounts(ctx, m.Tx, m.Key, tally)
	}
	_, err := m.Exec(ctx, `UPDATE sessions SET message_count = message_count + ?1, step_count = step_count + ?2, input_tokens = `+tables.Countable+`input_tokens) + ?3,
		output_tokens = `+tables.Countable+`output_tokens) + ?4, cache_read_tokens = `+tables.Countable+`cache_read_tokens) + ?5,
		cache_write_tokens = `+tables.Countable+`cache_write_tokens) + ?6, reasoning_tokens = `+tables.Countable+`reasoning_tokens) + ?7,
		cost_nano_usd = `+tables.Countable+`iif(?8 > 0, coalesce(cost_nano_usd, 0), cost_nano_usd)) + ?9,
		estimated_cost_nano_usd = `+tables.Countable+`iif(?14 > 0, coalesce(estimated_cost_nano_usd, 0), estimated_cost_nano_usd)) + ?15,
		unpriced_count = max(0, unpriced_count + ?16),
		updated_at_ms = iif(message_count = 0, coalesce(nullif(max(`+tables.Oldest+`, ?10), 0), updated_at_ms), max(updated_at_ms, ?10)),
		branch_count = ?11, turn_count = ?12 WHERE key = ?13`,
		c[activity.CountMessages], c[activity.CountSteps], c[activity.CountInput], c[activity.CountOutput], c[activity.CountCacheRead], c[activity.CountCacheWrite], c[activity.CountReasoning],
		c[activity.CountPriced], c[activity.CountCost], m.newestMs, tally.Branches, tally.Turns, m.Key,
		c[activity.CountEstimated], c[activity.CountEstimate], c[activity.CountUnestimated])
	return err
}
