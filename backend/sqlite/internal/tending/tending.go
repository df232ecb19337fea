// Package tending is the service of bookmarks, colors, the main path and the trash of a session.
package tending

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Store is the service of bookmarks, colors, the main path and the trash of a session.
type Store struct{ *store.Library }

// Bookmark marks the turn of a message to come back to, or takes the mark away.
func (db *Store) Bookmark(ctx context.Context, sessionID, uid string, on bool) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		key, m, err := tables.MessageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		const remove = `DELETE FROM bookmarks WHERE message IN
			(SELECT b.message FROM bookmarks b JOIN messages m ON m.id = b.message WHERE b.session = ? AND m.turn = ?)`
		if _, err := t.Exec(ctx, remove, key, m.Turn); err != nil || !on {
			return err
		}
		return tables.AddBookmark(ctx, t.Tx, key, m.Turn, db.Now())
	})
	return conn.Fail(err, "bookmark message %s", uid)
}

// Bookmarks returns the bookmarks of a session, by turn.
func (db *Store) Bookmarks(ctx context.Context, sessionID string) ([]core.Bookmark, error) {
	bookmarks := []core.Bookmark{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		var err error
		bookmarks, err = tables.ReadBookmarks(ctx, t.Tx, key)
		return err
	}))
	return bookmarks, conn.Fail(err, "read the bookmarks of session %s", sessionID)
}

// ColorLabel gives the label of a message's turn a color; empty: none. NotFound where the turn has no label.
func (db *Store) ColorLabel(ctx context.Context, sessionID, uid string, color core.Color) error {
	if color != "" && !slices.Contains(core.Colors(), color) {
		return core.E(core.Invalid, "unknown color %q", color).WithHint("one of: %s", joinColors())
	}
	err := db.Write(ctx, func(t *store.Txn) error {
		key, m, err := tables.MessageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		const paint = `UPDATE labels SET color = ? WHERE session = ? AND message IN (SELECT id FROM messages WHERE session = ? AND turn = ?)`
		done, err := t.Exec(ctx, paint, color, key, key, m.Turn)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err == nil && n == 0 {
			return core.E(core.NotFound, "no label on n%d", m.Turn).WithHint("label it first")
		}
		return nil
	})
	return conn.Fail(err, "color the label of message %s", uid)
}

func joinColors() string {
	words := ""
	for i, color := range core.Colors() {
		if i > 0 {
			words += " "
		}
		words += string(color)
	}
	return words
}

// SetMain marks the path to a message as the one that counts; an empty uid takes the mark away.
func (db *Store) SetMain(ctx context.Context, sessionID, uid string) error {
	err := db.Write(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		main, _, err := tables.MessageID(ctx, t.Tx, key, uid)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE sessions SET main = ? WHERE key = ?`, main, key)
		return err
	}))
	return conn.Fail(err, "mark the main path of session %s", sessionID)
}
