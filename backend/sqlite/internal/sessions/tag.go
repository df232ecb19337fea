package sessions

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Tag adds tags to a session, or removes them, and returns those that it has then.
func (db *Store) Tag(ctx context.Context, id string, tags []string, remove bool) ([]string, error) {
	for _, tag := range tags {
		if err := core.CheckTag(tag); err != nil {
			return nil, err
		}
	}
	var all []string
	err := db.Write(ctx, func(t *store.Txn) error {
		row, err := tables.FindSession(ctx, t.Tx, id)
		if err != nil {
			return err
		}
		s, err := row.Decode()
		if err != nil {
			return err
		}
		all = core.Retagged(s.Tags, tags, remove)
		return tables.SetTags(ctx, t.Tx, row.Key, all)
	})
	return all, conn.Fail(err, "tag session %s", id)
}

const allTags = `SELECT t.tag AS name, coalesce(c.color, '') AS color, count(*) AS count FROM session_tags t JOIN sessions s ON s.key = t.session
	LEFT JOIN tag_colors c ON c.tag = t.tag WHERE s.deleted_at_ms = 0 GROUP BY t.tag ORDER BY t.tag`

// Tags returns the tags of the sessions outside the trash, by name.
func (db *Store) Tags(ctx context.Context) ([]core.Tag, error) {
	tags := []core.Tag{}
	err := db.Read(ctx, func(t *store.Txn) error { return t.All(ctx, &tags, allTags) })
	return tags, conn.Fail(err, "list tags")
}

// TagSessions adds a tag to sessions, or removes it, all or none. It returns the ids of those that changed.
func (db *Store) TagSessions(ctx context.Context, ids []string, tag string, remove bool) ([]string, error) {
	if err := core.CheckTag(tag); err != nil {
		return nil, err
	}
	changed := []string{}
	err := db.Write(ctx, func(t *store.Txn) error {
		for _, id := range ids {
			row, err := tables.FindSession(ctx, t.Tx, id)
			if err != nil {
				return err
			}
			s, err := row.Decode()
			if err != nil {
				return err
			}
			if slices.Contains(s.Tags, tag) != remove {
				continue
			}
			changed = append(changed, s.ID)
			if err := tables.SetTags(ctx, t.Tx, row.Key, core.Retagged(s.Tags, []string{tag}, remove)); err != nil {
				return err
			}
		}
		return nil
	})
	return changed, conn.Fail(err, "tag sessions")
}

// RenameTag gives a tag another name in every session; one that exists already takes its sessions.
func (db *Store) RenameTag(ctx context.Context, from, to string) error {
	if err := core.CheckTag(to); err != nil {
		return err
	}
	err := db.Write(ctx, func(t *store.Txn) error {
		var keys []int64
		if err := t.All(ctx, &keys, `SELECT session FROM session_tags WHERE tag = ?`, from); err != nil {
			return err
		}
		if len(keys) == 0 {
			return core.E(core.NotFound, "no tag %q", from)
		}
		for _, key := range keys {
			s, err := tables.ReadSession(ctx, t.Tx, key)
			if err != nil {
				return err
			}
			tags := core.Retagged(core.Retagged(s.Tags, []string{from}, true), []string{to}, false)
			if err := tables.SetTags(ctx, t.Tx, key, tags); err != nil {
				return err
			}
		}
		for _, query := range []string{
			`INSERT INTO tag_colors SELECT ?2, color FROM tag_colors WHERE tag = ?1 ON CONFLICT DO NOTHING`,
			`DELETE FROM tag_colors WHERE tag = ?1 AND ?2 <> ?1`,
		} {
			if _, err := t.Exec(ctx, query, from, to); err != nil {
				return err
			}
		}
		return nil
	})
	return conn.Fail(err, "rename tag %q", from)
}

// ColorTag sets the color of a tag; an empty one removes it.
func (db *Store) ColorTag(ctx context.Context, tag string, color core.Color) error {
	if color != "" && !slices.Contains(core.Colors(), color) {
		return core.E(core.Invalid, "unknown color %q", color).WithHint("one of: %s", lists.Join(core.Colors()))
	}
	err := db.Write(ctx, func(t *store.Txn) error {
		var there bool
		if err := t.Get(ctx, &there, `SELECT EXISTS (SELECT 1 FROM session_tags WHERE tag = ?)`, tag); err != nil {
			return err
		}
		if !there {
			return core.E(core.NotFound, "no tag %q", tag)
		}
		if color == "" {
			_, err := t.Exec(ctx, `DELETE FROM tag_colors WHERE tag = ?`, tag)
			return err
		}
		_, err := t.Exec(ctx, `INSERT INTO tag_colors VALUES (?, ?) ON CONFLICT DO UPDATE SET color = excluded.color`, tag, color)
		return err
	})
	return conn.Fail(err, "color tag %q", tag)
}
