package tables

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// ReadSetting returns a setting of the library; empty if it is not set.
func ReadSetting(ctx context.Context, l *store.Library, key string) (string, error) {
	var value string
	err := l.Read(ctx, func(t *store.Txn) error { return t.Get(ctx, &value, `SELECT value FROM settings WHERE key = ?`, key) })
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, conn.Fail(err, "read setting %s", key)
}

// StoreSetting stores a setting of the library; an empty value removes it.
func StoreSetting(ctx context.Context, l *store.Library, key, value string) error {
	err := l.Write(ctx, func(t *store.Txn) error {
		if value == "" {
			_, err := t.Exec(ctx, `DELETE FROM settings WHERE key = ?`, key)
			return err
		}
		_, err := t.Exec(ctx, `INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)`, key, value)
		return err
	})
	return conn.Fail(err, "store setting %s", key)
}
