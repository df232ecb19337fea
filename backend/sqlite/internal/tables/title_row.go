package tables

import (
	"cmp"
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/title"
)

// titlePrompts is how many of the first prompts of a session a title is derived from.
const titlePrompts = 12

// DeriveTitle makes the title of a session of its task, which is its first prompt, if that names something; else of the prompts that follow,
// which begin its turns.
func DeriveTitle(ctx context.Context, t *store.Txn, key int64, task string) (string, error) {
	byTask := title.Of(task)
	if byTask.Text != "" && !byTask.Weak {
		return byTask.Text, nil
	}
	var rows []MessageRow
	const first = `SELECT m.uid, m.kind, m.role, m.body FROM turns n JOIN messages m ON m.session = n.session AND m.branch = n.branch AND m.depth = n.first_depth
		WHERE n.session = ? ORDER BY n.number LIMIT ?`
	if err := t.All(ctx, &rows, first, key, titlePrompts); err != nil {
		return "", err
	}
	prompts := make([]string, 0, len(rows))
	for i := range rows {
		m, err := DecodeMessage(ctx, t, &rows[i])
		if core.CodeOf(err) == core.Corrupt {
			continue
		} else if err != nil {
			return "", err
		}
		if m.Kind != core.KindMeta { // a turn of a branch of a team begins with an answer, or with what joins several
			prompts = append(prompts, m.OwnWords())
		}
	}
	return cmp.Or(title.Derive(prompts...).Text, byTask.Text, excerpt.Title(task)), nil
}

// SetTitle stores the title of a session.
func SetTitle(ctx context.Context, t *conn.Tx, key int64, text string, origin core.TitleOrigin) error {
	_, err := t.Exec(ctx, `UPDATE sessions SET title = ?, title_origin = ? WHERE key = ?`, text, origin, key)
	return err
}
