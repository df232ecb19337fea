package merge

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/tables"
)

// takeLabels names turns. A turn that has a name keeps it, unless the source has given it another one since, or has taken it back.
func takeLabels(ctx context.Context, m *merge) error {
	if len(m.in.Labels) == 0 {
		return nil
	}
	labels, err := tables.ReadLabels(ctx, m.Tx, m.Key)
	if err != nil {
		return err
	}
	named, kept := map[int64]core.Label{}, map[int64]bool{}
	for _, l := range labels {
		named[l.Turn], kept[l.Turn] = l, m.in.Keep
	}
	for _, l := range m.in.Labels {
		n := m.Nodes.Get(l.UID)
		if n == nil {
			continue
		}
		turn := n.Placement().Turn
		is, there := named[turn]
		if kept[turn] || there && (is.CreatedAtMs > l.CreatedAtMs || is.Text == l.Text) || !there && l.Text == "" {
			continue
		}
		if err := setLabel(ctx, m, turn, l); err != nil {
			return err
		}
		// An import can join two labelled turns, so that its next label is one of the same turn.
		if named[turn] = l; l.Text == "" {
			delete(named, turn)
		}
	}
	return nil
}

// setLabel writes the label of a turn, with its color, or removes it.
func setLabel(ctx context.Context, m *merge, turn int64, l core.Label) error {
	createdAtMs := l.CreatedAtMs
	if createdAtMs == 0 {
		createdAtMs = m.nowMs
	}
	if err := tables.SetLabel(ctx, m.Tx, m.Key, turn, l.Text, createdAtMs); err != nil {
		return err
	}
	if !slices.Contains(core.Colors(), l.Color) {
		return nil
	}
	const paint = `UPDATE labels SET color = ? WHERE session = ? AND message IN (SELECT id FROM messages WHERE session = ? AND turn = ?)`
	_, err := m.Exec(ctx, paint, l.Color, m.Key, m.Key, turn)
	return err
}

// takeTags adds the tags of the source to those of the session.
func takeTags(ctx context.Context, m *merge) error {
	if len(m.in.Session.Tags) == 0 {
		return nil
	}
	stored, err := m.before.Decode()
	if err != nil {
		return err
	}
	return tables.SetTags(ctx, m.Tx, m.Key, core.Retagged(stored.Tags, m.in.Session.Tags, false))
}

// takeTending sets bookmarks, and for messages that are new here what is hidden and which path counts. New messages may stand below what is
// hidden already.
func takeTending(ctx context.Context, m *merge) error {
	for _, b := range m.in.Bookmarks {
		if n := m.Nodes.Get(b.UID); n != nil {
			if err := tables.AddBookmark(ctx, m.Tx, m.Key, n.Placement().Turn, b.CreatedAtMs); err != nil {
				return err
			}
		}
	}
	if n := m.Nodes.Get(m.in.Session.MainUID); n != nil && m.merged.Created {
		if _, err := m.Exec(ctx, `UPDATE sessions SET main = ? WHERE key = ?`, n.ID, m.Key); err != nil {
			return err
		}
	}
	for _, top := range m.in.Hidden {
		if n := m.Nodes.Get(top.UID); n != nil && n.Added {
			const mark = `INSERT INTO hidden (message, session, hidden_at_ms) VALUES (?, ?, ?) ON CONFLICT (message) DO NOTHING`
			if _, err := m.Exec(ctx, mark, n.ID, m.Key, top.HiddenAtMs); err != nil {
				return err
			}
		}
	}
	repeats, err := hideRepeated(ctx, m)
	if err != nil || !repeats && len(m.in.Hidden) == 0 && m.before.HiddenCount == 0 {
		return err
	}
	_, err = tables.CountHidden(ctx, m.Tx, m.Key, m.Skeleton)
	return err
}
