package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/sqlite/internal/conn"
)

// Setting returns a value that is kept with the library; empty where there is none.
func (db *maintenance) Setting(ctx context.Context, key string) (string, error) {
	var value string
	err := db.read(ctx, func(t *tx) error { return t.Get(ctx, &value, `SELECT value FROM settings WHERE key = ?`, key) })
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, conn.Fail(err, "read setting %s", key)
}

// PutSetting keeps a value with the library; an empty one removes it.
func (db *maintenance) PutSetting(ctx context.Context, key, value string) error {
	err := db.write(ctx, func(t *tx) error {
		if value == "" {
			_, err := t.Exec(ctx, `DELETE FROM settings WHERE key = ?`, key)
			return err
		}
		_, err := t.Exec(ctx, `INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)`, key, value)
		return err
	})
	return conn.Fail(err, "keep setting %s", key)
}
