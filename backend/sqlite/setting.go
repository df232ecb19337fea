package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// Setting returns a value that is kept with the library; empty where there is none.
func (db *DB) Setting(ctx context.Context, key string) (string, error) {
	var value string
	err := db.read(ctx, func(t *tx) error { return t.get(ctx, &value, `SELECT value FROM settings WHERE key = ?`, key) })
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, fail(err, "read setting %s", key)
}

// PutSetting keeps a value with the library; an empty one removes it.
func (db *DB) PutSetting(ctx context.Context, key, value string) error {
	err := db.write(ctx, func(t *tx) error {
		if value == "" {
			_, err := t.exec(ctx, `DELETE FROM settings WHERE key = ?`, key)
			return err
		}
		_, err := t.exec(ctx, `INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)`, key, value)
		return err
	})
	return fail(err, "keep setting %s", key)
}
