package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// Bookmark marks the turn of a message to come back to, or takes the mark away.
func (db *tendingStore) Bookmark(ctx context.Context, sessionID, uid string, on bool) error {
	err := db.write(ctx, func(t *tx) error {
		key, m, err := messageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		const remove = `DELETE FROM bookmarks WHERE message IN
			(SELECT b.message FROM bookmarks b JOIN messages m ON m.id = b.message WHERE b.session = ? AND m.turn = ?)`
		if _, err := t.Exec(ctx, remove, key, m.Turn); err != nil || !on {
			return err
		}
		return toggleBookmark(ctx, t.Tx, key, m.Turn, db.now())
	})
	return conn.Fail(err, "bookmark message %s", uid)
}

func toggleBookmark(ctx context.Context, t *conn.Tx, key, turn, atMs int64) error {
	const add = `INSERT INTO bookmarks (message, session, created_at_ms) SELECT m.id, m.session, ?
		FROM turns n JOIN messages m ON m.session = n.session AND m.branch = n.branch AND m.depth = n.first_depth
		WHERE n.session = ? AND n.number = ? ON CONFLICT (message) DO NOTHING`
	_, err := t.Exec(ctx, add, atMs, key, turn)
	return err
}

// Bookmarks returns the bookmarks of a session, by turn.
func (db *tendingStore) Bookmarks(ctx context.Context, sessionID string) ([]core.Bookmark, error) {
	bookmarks := []core.Bookmark{}
	err := db.read(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		bookmarks, err = readBookmarks(ctx, t.Tx, key)
		return err
	})
	return bookmarks, conn.Fail(err, "read the bookmarks of session %s", sessionID)
}

// readBookmarks reads one bookmark per turn: an import may have joined two turns that had one.
func readBookmarks(ctx context.Context, t *conn.Tx, key int64) ([]core.Bookmark, error) {
	bookmarks := []core.Bookmark{}
	const query = `SELECT m.turn, f.uid, max(b.created_at_ms) AS created_at_ms
		FROM bookmarks b JOIN messages m ON m.id = b.message
		JOIN turns n ON n.session = b.session AND n.number = m.turn
		JOIN messages f ON f.session = n.session AND f.branch = n.branch AND f.depth = n.first_depth
		WHERE b.session = ? GROUP BY m.turn ORDER BY m.turn`
	return bookmarks, t.All(ctx, &bookmarks, query, key)
}

// ColorLabel gives the label of a message's turn a colour; empty: none. NotFound where the turn has no label.
func (db *tendingStore) ColorLabel(ctx context.Context, sessionID, uid string, color core.Color) error {
	if color != "" && !slices.Contains(core.Colors(), color) {
		return core.E(core.Invalid, "there is no colour %q", color).WithHint("one of: %s", joinColors())
	}
	err := db.write(ctx, func(t *tx) error {
		key, m, err := messageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		const paint = `UPDATE labels SET color = ? WHERE session = ? AND message IN (SELECT id FROM messages WHERE session = ? AND turn = ?)`
		done, err := t.Exec(ctx, paint, color, key, key, m.Turn)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err == nil && n == 0 {
			return core.E(core.NotFound, "n%d has no label", m.Turn).WithHint("label it first")
		}
		return nil
	})
	return conn.Fail(err, "colour the label of message %s", uid)
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
func (db *tendingStore) SetMain(ctx context.Context, sessionID, uid string) error {
	err := db.write(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		main := sql.NullInt64{}
		if uid != "" {
			m, err := findMessage(ctx, t.Tx, uid, headByUID, uid, key)
			if err != nil {
				return err
			}
			main = sql.NullInt64{Int64: m.ID, Valid: true}
		}
		_, err = t.Exec(ctx, `UPDATE sessions SET main = ? WHERE key = ?`, main, key)
		return err
	})
	return conn.Fail(err, "mark the main path of session %s", sessionID)
}
